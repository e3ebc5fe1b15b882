/**
 * Watches the content of one file. Editors often replace the file, so its folder is watched.
 *
 * @module
 */

import { readFileSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** Milliseconds to wait, because editors write in several steps. */
const settleMs = 80

/**
 * Reports each change, one after another; not that the file is empty or gone. A change after `known` was read but before the watch began is also reported.
 *
 * @param known content of the file when it was last used
 * @param failed receives what `changed` throws, after which further changes are reported, and the error of a watch that
 *   the system ended
 * @returns a function that ends the watch
 */
export function watchFile(
  file: string,
  known: Buffer | undefined,
  changed: () => void | Promise<void>,
  failed: (error: unknown) => void,
): () => void {
  const path = resolve(file)
  let content = known
  let reported: Promise<void> = Promise.resolve()
  const look = () => {
    const present = contentOf(path)
    // A program may empty the file before it writes, and on a busy machine much time passes in between.
    if (present === undefined || present.length === 0 || (content !== undefined && present.equals(content)))
      return
    content = present
    reported = reported.then(changed).catch(failed)
  }
  let timer = setTimeout(look, settleMs)
  const watcher = watch(dirname(path), (_event, name) => {
    if (name !== null && name !== basename(path)) return
    clearTimeout(timer)
    timer = setTimeout(look, settleMs)
  })
  watcher.on('error', failed)
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** The content of the file; undefined if there is none. */
export function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    // Between two steps of an editor the file may not exist.
    return undefined
  }
}
