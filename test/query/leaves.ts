import type { PathTree } from '../../reference/query/parse-expand.ts'

/** The paths of a tree, one by one. */
export function leavesOf(tree: PathTree): string[][] {
  return [...tree].flatMap(([name, below]) =>
    below.size === 0 ? [[name]] : leavesOf(below).map((rest) => [name, ...rest]),
  )
}
