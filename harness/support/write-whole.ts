/**
 * Writes files that others read at the same time, or whose content cannot be recreated.
 *
 * @module
 */

import {
  accessSync,
  chmodSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file atomically: readers see the complete new file or the previous one, even if the disk is full. A link in
 * its place is replaced.
 *
 * @param mode of the file, independent of the umask. @default what the umask leaves
 * @throws the system's error; then nothing has changed
 */
export function writeWhole(file: string, text: string, mode?: number): void {
  const part = `${file}.${process.pid}.part`
  try {
    rmSync(part, { force: true })
    writeFileSync(part, text, { flag: 'wx', mode: mode ?? 0o666 })
    if (mode !== undefined) chmodSync(part, mode)
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/**
 * The same for a file that a user maintains: links are followed and its mode is kept. A pipe, or a file in a folder
 * that is not writable (a single file mounted into a container), is written in place.
 *
 * @throws as `writeWhole`
 */
export function rewriteWhole(file: string, text: string): void {
  const known = statSync(file, { throwIfNoEntry: false })
  if (known === undefined) {
    writeWhole(file, text)
    return
  }
  if (isPipeOrDevice(file)) {
    writeFileSync(file, text)
    return
  }
  try {
    writeWhole(realpathSync(file), text, known.mode & 0o777)
  } catch (error) {
    if (!/^(?:EACCES|EPERM|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
    writeFileSync(file, text)
  }
}

/**
 * Also matches a path to a file that another process has opened, such as `/dev/stdout`: it is written to, and never
 * replaced.
 */
export function isPipeOrDevice(file: string): boolean {
  const known = statSync(file, { throwIfNoEntry: false })
  if (known === undefined) return false
  return !known.isFile() || /^\/(?:dev\/(?:fd\/|std)|proc\/)/.test(file)
}

/** Call it before long work, so that a file that cannot be written fails early. @throws the system's error */
export function expectWritable(file: string): void {
  const known = statSync(file, { throwIfNoEntry: false })
  if (known?.isDirectory() === true) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
  accessSync(known === undefined ? dirname(file) : file, constants.W_OK)
}
