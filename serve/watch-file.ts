/**
 * Watches one file by what it holds. Editors often put another file in its place, so that its folder is watched.
 *
 * @module
 */

import { readFileSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** Editors write in several steps. */
const settleMs = 80

/**
 * Tells of each change, one after the other. What changed before the watch began, but after `known` was read, is told
 * too.
 *
 * @param known what the file held when it was last used
 * @returns what ends it
 */
export function watchFile(
  file: string,
  known: Buffer | undefined,
  changed: () => void | Promise<void>,
): () => void {
  const path = resolve(file)
  let content = known
  let told: Promise<void> = Promise.resolve()
  const look = () => {
    const present = contentOf(path)
    if (present === undefined || (content !== undefined && present.equals(content))) return
    content = present
    told = told.then(changed)
  }
  let timer = setTimeout(look, settleMs)
  const watcher = watch(dirname(path), (_event, name) => {
    if (name !== null && name !== basename(path)) return
    clearTimeout(timer)
    timer = setTimeout(look, settleMs)
  })
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** What the file holds; undefined while there is none. */
export function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    // Between two steps of an editor there may be no file.
    return undefined
  }
}
