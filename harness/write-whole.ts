/**
 * Files that others read while they are written, or that nobody could write again.
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

/**
 * The same for a file that a person keeps: links lead to it and its mode stays. What is no file (a pipe) or has a folder
 * that nothing can be put into (one file of a container's host) is written as it is.
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

/** Also what leads to a file that somebody else has opened, as `/dev/stdout`: it is written to, and never replaced. */
export function isPipeOrDevice(file: string): boolean {
  const known = statSync(file, { throwIfNoEntry: false })
  if (known === undefined) return false
  return !known.isFile() || /^\/(?:dev\/(?:fd\/|std)|proc\/)/.test(file)
}

/** Asked before long work: nobody shall wait for what has nowhere to go. @throws the system's error */
export function expectWritable(file: string): void {
  const known = statSync(file, { throwIfNoEntry: false })
  if (known?.isDirectory() === true) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
  accessSync(known === undefined ? dirname(file) : file, constants.W_OK)
}
