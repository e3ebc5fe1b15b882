import type { TableRef, Target } from '../vocabulary/target.ts'

/** The table that a path segment names; a server may take its name in other letters. */
export function mappedTable({ target }: { target: Target }, segment: string): TableRef | undefined {
  const tables = Object.values(target.tables)
  const low = segment.toLowerCase()
  return (
    tables.find(({ name, id }) => name === segment || id === segment) ??
    tables.find(({ name, id }) => name.toLowerCase() === low || id?.toLowerCase() === low)
  )
}
