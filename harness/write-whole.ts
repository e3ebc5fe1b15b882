/**
 * Files that others read while they are written, or that nobody could write again.
 *
 * @module
 */

import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/**
 * Puts a file in its place at once: who looks finds all of it or what was there before, also when the disk is full. A
 * link in its place is replaced.
 *
 * @param mode of the file, whatever the umask. @default what the umask leaves
 * @throws the system's error; nothing has changed then
 */
export function writeWhole(file: string, text: string, mode?: number): void {
  const beside = `${file}.${process.pid}.part`
  try {
    rmSync(beside, { force: true })
    writeFileSync(beside, text, { flag: 'wx', mode: mode ?? 0o666 })
    if (mode !== undefined) chmodSync(beside, mode)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** The same for a file that a person keeps: links lead to it and its mode stays. @throws as `writeWhole` */
export function rewriteWhole(file: string, text: string): void {
  const known = statSync(file, { throwIfNoEntry: false })
  if (known === undefined) writeWhole(file, text)
  else writeWhole(realpathSync(file), text, known.mode & 0o777)
}
