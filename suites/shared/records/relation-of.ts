import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/** Two tables: each record of `child` may refer to one of `parent`, by its field `parent`. Both have a text, `name`. */
export interface Relation {
  child: TableRef
  parent: TableRef
}

/**
 * The relation that the target has: of `related` to itself, or between the two tables that replace it.
 *
 * @throws UntestableError if the target has neither
 */
export function relationOf({ hasTable, table }: CheckContext): Relation {
  if (!hasTable('related') && hasTable('child') && hasTable('parent'))
    return { child: table('child'), parent: table('parent') }
  const related = table('related')
  return { child: related, parent: related }
}

/** What each record of the role needs in addition to a text: in `child`, a relation may be required. */
export async function neededIn(
  { hasTable, make, table, unique }: CheckContext,
  role: string,
): Promise<{ parent?: string }> {
  if (role !== 'child' || !hasTable('parent')) return {}
  const { id } = await make(table('parent'), { name: unique('parent') })
  return { parent: id }
}
