/**
 * Uses of other actions that can change without a change of ours.
 *
 * @module
 */

import { parse } from 'yaml'

const pinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/

/** Every value of `uses` in a workflow or action, wherever it appears. */
function usesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === 'uses' ? [inner] : []),
    ...usesIn(inner),
  ])
}

/**
 * The uses in a workflow or an `action.yml` that are not pinned: a full commit with its version as a comment, as in
 * `actions/checkout@<40 hex digits> # v7.0.1`. Actions of the same repository (`./`) need no pin.
 */
export function unpinnedUses(source: string): string[] {
  const lines = [...source.matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, line = '']) => line.trim())
  return usesIn(parse(source)).flatMap((value) => {
    const uses = String(value)
    if (uses.startsWith('./')) return []
    const places = lines.filter((line) => line.startsWith(uses))
    return places.length > 0 && places.every((line) => pinned.test(line)) ? [] : [uses]
  })
}
