/**
 * The ready file of `serve` and `proxy`: it exists from the moment that they accept requests until they exit.
 *
 * @module
 */

import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import { expectWritable, isPipeOrDevice, writeWhole } from '../harness/support/write-whole.ts'
import type { TargetFile } from '../harness/target/target-file.ts'
import { acceptsConnections } from './accepts-connections.ts'

export interface ReadyFile {
  /** Writes immediately; to a pipe, as soon as it has a reader. @throws ConfigurationError */
  write(text: string): void
  /** Keeps what is not ours: a pipe, a device, and a file that another process has written since. */
  remove(): void
}

const untilNextLook = 50

/**
 * Called before anything starts, so that the command fails early if the file cannot be written.
 *
 * @param mode of the file. @default what the umask leaves
 * @throws ConfigurationError if it cannot be written, or if an unrelated file or the one of a running server would be lost
 */
export async function readyFileAt(file: string, mode?: number): Promise<ReadyFile> {
  withPlace(file, () => expectWritable(file))
  await expectUnused(file)
  let written: string | undefined
  let waiting: NodeJS.Timeout | undefined
  return {
    write(text) {
      if (!isPipeOrDevice(file)) {
        withPlace(file, () => writeWhole(file, text, mode))
        written = text
        return
      }
      if (withPlace(file, () => writeInto(file, text))) return
      waiting = setInterval(() => {
        try {
          if (!writeInto(file, text)) return
        } catch {
          // The pipe was removed, or its reader left: the text is no longer needed.
        }
        clearInterval(waiting)
      }, untilNextLook)
    },
    remove() {
      clearInterval(waiting)
      if (written !== undefined && textOf(file) === written) rmSync(file, { force: true })
    },
  }
}

/**
 * Opening a pipe would block until it has a reader, and signals would not be handled meanwhile.
 *
 * @returns false for a pipe without a reader
 * @throws the system's error
 */
function writeInto(file: string, text: string): boolean {
  let open: number
  try {
    open = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO' && statSync(file).isFIFO()) return false
    throw error
  }
  try {
    writeFileSync(file, text, { flag: 'a' })
    return true
  } finally {
    closeSync(open)
  }
}

async function expectUnused(file: string): Promise<void> {
  if (!existsSync(file) || isPipeOrDevice(file)) return
  const text = withPlace(file, () => readFileSync(file, 'utf8'))
  if (text === '') return
  const address = addressIn(text)
  if (address === undefined)
    throw new ConfigurationError(
      'the ready file would overwrite an unrelated file',
      `--ready-file ${file}`,
      'use a file that does not exist yet; it is removed at the end',
    )
  if (await acceptsConnections(new URL(address)))
    throw new ConfigurationError(
      `the ready file is the one of a server that is running at ${address}`,
      `--ready-file ${file}`,
      'use another file, or stop that server',
    )
}

/** The address in a ready file, which a killed command may have left behind. Undefined for any other text. */
function addressIn(text: string): string | undefined {
  const address = /^http:\/\/127\.0\.0\.1:\d+$/
  if (address.test(text.trimEnd())) return text.trimEnd()
  try {
    const target = JSON.parse(text) as Partial<TargetFile> | null
    const keys = Object.keys(target ?? {}).slice(0, 6)
    const isOurs =
      keys.join() === 'baseUrl,name,profile,prefix,tables,credentials' &&
      target?.name === 'reference' &&
      address.test(target.baseUrl ?? '')
    return isOurs ? target.baseUrl : undefined
  } catch {
    return undefined
  }
}

/** Undefined if the file no longer exists. */
function textOf(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function withPlace<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw unwritable('the ready file', `--ready-file ${file}`, error)
  }
}
