import type { Relation } from '../../../harness/target/relation-in.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'

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
