import { tooManyNames } from '../limits.ts'

const MAX_DEPTH = 6

/** What paths ask for: each name once, with what is asked for behind it. Nothing behind it ends a path. */
export type PathTree = Map<string, PathTree>

/**
 * Paths of an `expand` text (contract-records 1.6): spaces go, a path that another one continues is none of its own,
 * what lies deeper than six levels is ignored. A way that paths have in common is in the tree once.
 *
 * @throws ApiError 400 for more names than may be
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
