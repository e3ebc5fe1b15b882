/**
 * Watches one file by what it holds. Editors often put another file in its place, so that its folder is watched.
 *
 * @module
 */

import { readFileSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** Editors write in several steps. */
const settleMs = 80

/** @returns what ends it */
export function watchFile(file: string, changed: () => void): () => void {
  const path = resolve(file)
  let content = contentOf(path)
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const present = contentOf(path)
    if (present === undefined || (content !== undefined && present.equals(content))) return
    content = present
    changed()
  }
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

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    // Between two steps of an editor there may be no file.
    return undefined
  }
}
