import type { TableRef, Target } from '../vocabulary/target.ts'

/** Two tables, or one: each record of `child` may refer to one of `parent`, by its field `parent`. Both have a text, `name`. */
export interface Relation {
  readonly child: TableRef
  readonly parent: TableRef
}

/** The relation of `related` to itself, or between the two tables that replace it. Undefined if a target has neither. */
export function relationIn({ related, child, parent }: Target['tables']): Relation | undefined {
  if (related !== undefined) return { child: related, parent: related }
  return child && parent && { child, parent }
}
