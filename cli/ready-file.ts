/**
 * The ready file of `serve` and `proxy`: it is there from the moment that they answer until they end.
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
import type { TargetFile } from '../harness/target/target-file.ts'
import { expectWritable, isPipeOrDevice, writeWhole } from '../harness/write-whole.ts'

export interface ReadyFile {
  /** At once; into a pipe as soon as somebody reads it. @throws ConfigurationError */
  write(text: string): void
  /** Leaves what is not ours: a pipe, a device, and what somebody has put in the place since. */
  remove(): void
}

const untilNextLook = 50

/**
 * Asked before anything starts, so that nothing is announced that cannot be told.
 *
 * @param mode of the file. @default what the umask leaves
 * @throws ConfigurationError when it cannot be written, or when a file of somebody else would be lost
 */
export function readyFileAt(file: string, mode?: number): ReadyFile {
  withPlace(file, () => expectWritable(file))
  expectNobodys(file)
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
          // The pipe was taken away, or its reader left: nobody waits for the text any more.
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
 * The opening of a pipe would wait for its reader, and no signal would be heard meanwhile.
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

function expectNobodys(file: string): void {
  if (!existsSync(file) || isPipeOrDevice(file)) return
  const text = withPlace(file, () => readFileSync(file, 'utf8'))
  if (text === '' || isReadyText(text)) return
  throw new ConfigurationError(
    'the ready file would overwrite an unrelated file',
    `--ready-file ${file}`,
    'use a file that does not exist yet; it is removed at the end',
  )
}

/** Whether it was left behind by a command that was killed. */
function isReadyText(text: string): boolean {
  const address = /^http:\/\/127\.0\.0\.1:\d+$/
  if (address.test(text.trimEnd())) return true
  try {
    const target = JSON.parse(text) as Partial<TargetFile> | null
    const keys = Object.keys(target ?? {}).slice(0, 6)
    return (
      keys.join() === 'baseUrl,name,profile,prefix,tables,credentials' &&
      target?.name === 'reference' &&
      address.test(target.baseUrl ?? '')
    )
  } catch {
    return false
  }
}

/** Undefined for what is no file any more. */
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
