/**
 * The source of a file with the changes of a mutant.
 *
 * @module
 */

import type { SourceChange } from '../mutant.ts'

/** @throws Error for a text that is not in the file exactly once: the source has changed, and the mutant must follow */
export function mutated(source: string, changes: readonly SourceChange[]): string {
  return changes.reduce((text, { file, from, to }) => {
    const count = text.split(from).length - 1
    if (count === 1) return text.replace(from, () => to)
    throw new Error(`${file} contains "${from}" ${count} times instead of once: correct the mutant.`)
  }, source)
}
