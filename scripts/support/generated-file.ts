import { mkdir, readFile, writeFile } from 'node:fs/promises'

/** A committed file that a script writes. A test compares what it has with what it should have. */
export interface GeneratedFile {
  /** The text that it should have. */
  expected(): string
  /** The text that it has. Empty when it does not exist. */
  written(): Promise<string>
  write(): Promise<void>
}

export function generatedFile(target: URL, make: () => string): GeneratedFile {
  return {
    expected: make,
    written: () => readFile(target, 'utf8').catch(() => ''),
    async write() {
      await mkdir(new URL('.', target), { recursive: true })
      await writeFile(target, make())
    },
  }
}
