/**
 * What a build consists of: its last step writes down the files, and `npm pack` compares. A package that lacks one of them
 * would be packed, and fail only where it is used.
 *
 * @module
 */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files that a message names. */
const mostNamed = 3

/** Not part of the package. What a build writes last. */
export const listIn = (root: string) => join(root, '.cache/built.json')

/** To be called before a build deletes or writes anything: it is unfinished until `listBuilt`. */
export function startBuilt(root: string): void {
  rmSync(listIn(root), { force: true })
}

/** To be called when everything is written. */
export function listBuilt(root: string): void {
  const paths = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  writeFileSync(listIn(root), `${JSON.stringify(paths.sort())}\n`)
}

/** What the build lacks, in words; undefined if it is complete. */
export function lackOfBuild(root: string): string | undefined {
  if (!existsSync(listIn(root)))
    return existsSync(join(root, 'dist')) ? 'the build did not finish' : 'nothing is built'
  const paths = JSON.parse(readFileSync(listIn(root), 'utf8')) as string[]
  const missing = paths.filter((path) => !existsSync(join(root, path)))
  if (missing.length === 0) return undefined
  const more = missing.length - mostNamed
  const others = more > 0 ? ` and ${more} more` : ''
  return `${missing.length} of ${paths.length} files of the build are missing: ${missing.slice(0, mostNamed).join(', ')}${others}`
}
