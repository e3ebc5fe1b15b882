/**
 * The query of a raw request, under the target's names of the parameters.
 *
 * @module
 */

import type { CheckContext } from '../../harness/vocabulary/check.ts'

/** Pairs, since a parameter may come twice. Values are there as they are: the caller encodes them. */
export function spelledQuery(
  { binding }: Pick<CheckContext, 'binding'>,
  ...pairs: readonly (readonly [name: string, value: string | number])[]
): string {
  return pairs
    .map(([name, value]) => `${encodeURIComponent(binding[`list.${name}`] ?? name)}=${value}`)
    .join('&')
}
