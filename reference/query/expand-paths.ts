const MAX_DEPTH = 6

/** What paths ask for: each name once, with what is asked for behind it. Nothing behind it ends a path. */
export type PathTree = Map<string, PathTree>

/**
 * Paths of an `expand` text (contract-records 1.6): spaces go, a path that another one continues is none of its own,
 * what lies deeper than six levels is ignored. A way that paths have in common is in the tree once.
 */
export function parseExpand(text: string): PathTree {
  const tree: PathTree = new Map()
  for (const path of text.replaceAll(' ', '').split(',').map(trimDots).filter(Boolean)) {
    let at = tree
    for (const name of path.split('.', MAX_DEPTH)) {
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
