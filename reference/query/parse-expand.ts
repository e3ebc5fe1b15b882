/**
 * From the text of `expand` to a tree of names. `expand.ts` finds the relations that they mean.
 *
 * @module
 */

import { tooManyNames } from '../limits/limits.ts'

const MAX_DEPTH = 6

/** A tree of paths: each name once, with the paths that continue after it. An empty node ends a path. */
export type PathTree = Map<string, PathTree>

/**
 * Paths of an `expand` text (contract-records 1.6): spaces are removed, a path that is the beginning of another one is
 * part of it, and levels below the sixth are ignored. The tree contains a common beginning of paths once.
 *
 * @throws ApiError 400 for too many names
 */
export function parseExpand(text: string, mostNames = Number.POSITIVE_INFINITY): PathTree {
  const tree: PathTree = new Map()
  let names = 0
  for (const path of text.replaceAll(' ', '').split(',', Math.min(mostNames + 1, 2 ** 32 - 1))) {
    const trimmed = trimDots(path)
    if (trimmed === '') continue
    let at = tree
    for (const name of trimmed.split('.', MAX_DEPTH)) {
      names += 1
      if (names > mostNames) throw tooManyNames('expand', mostNames)
      const below: PathTree = at.get(name) ?? new Map()
      at.set(name, below)
      at = below
    }
  }
  return tree
}

function trimDots(path: string): string {
  let start = 0
  let end = path.length
  while (path[start] === '.') start += 1
  while (end > start && path[end - 1] === '.') end -= 1
  return path.slice(start, end)
}
