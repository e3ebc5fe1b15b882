/**
 * Step of `npm run build`, right after the compiler: what it once wrote of sources that are gone leaves `dist`. The
 * compiler never removes anything, and `npm pack` takes whatever lies there.
 *
 * @module
 */

import { existsSync } from 'node:fs'
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const output = /(\.d\.ts|\.js)(\.map)?$/

/** A script beside the declarations is written by a later step, and one beside nothing but itself is a copy. */
const sourceEndings = ['.ts', '.d.ts', '.js']

/**
 * Removes the scripts and declarations that no source stands behind, and the folders of which nothing is left then. The
 * bundles are of that kind: the later steps write them anew at each build, and names of their parts change.
 */
export async function removeStale(dist: string, sources: string): Promise<void> {
  for (const entry of await readdir(dist, { withFileTypes: true })) {
    const path = join(dist, entry.name)
    const source = join(sources, entry.name)
    if (entry.isDirectory()) {
      await removeStale(path, source)
      if ((await readdir(path)).length === 0) await rmdir(path)
    } else if (output.test(entry.name) && !hasSource(source.replace(output, ''))) await rm(path)
  }
}

function hasSource(path: string): boolean {
  return sourceEndings.some((ending) => existsSync(path + ending))
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // This module runs as dist/scripts/remove-stale.js.
  await removeStale(
    fileURLToPath(new URL('../', import.meta.url)),
    fileURLToPath(new URL('../../', import.meta.url)),
  )
}
