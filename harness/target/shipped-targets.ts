/**
 * The targets that the package contains. The harness knows no server by its name: they are the modules of `targets/`.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'

// Functions: in a CommonJS bundle there is no place, and `readData` says what to do.
const folder = () => fileURLToPath(new URL('../../targets/', import.meta.url))
/** `.ts` for sources, `.js` when built. */
const ending = () => extname(import.meta.url)

/** Names of the shipped targets, in alphabetical order. */
export function shippedTargets(): string[] {
  const end = ending()
  return readdirSync(folder())
    .filter((file) => file.endsWith(end) && !/\.(test|d)\.[jt]s$/.test(file))
    .map((file) => basename(file, end))
    .sort()
}

/** Path of the module of a shipped target. */
export function shippedTarget(name: string): string {
  return `${folder()}${name}${ending()}`
}
