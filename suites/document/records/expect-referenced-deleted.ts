import { expectEqual, expectNoSuccess } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** Tables with a relation to `related`: their text field, and the relation. */
const REFERRING = [
  ['related', 'name', 'parent'],
  ['everything', 'text', 'relation'],
] as const

/**
 * A record that another one refers to is gone after its delete as well. Whether it can be deleted, and what then becomes
 * of the other one, is left open.
 */
export async function expectReferencedDeleted(context: CheckContext): Promise<void> {
  const { api, hasTable, make, table, unique } = context
  if (!hasTable('related')) return
  const related = table('related')
  for (const [role, text, relation] of REFERRING) {
    if (!hasTable(role)) continue
    const parent = await unlessPrevented(() => make(related, { name: unique('referenced') }))
    if (parent === undefined) return
    const child = await unlessPrevented(() =>
      make(table(role), { [text]: unique('referring'), [relation]: parent.id }),
    )
    if (child === undefined || !(await api.view(related, parent.id)).ok) continue
    if (!(await api.delete(related, parent.id)).ok) continue
    const view = await api.view(related, parent.id)
    expectNoSuccess(view, `a view of a deleted record that a record of ${table(role).name} refers to`)
    // Without the relation, or not at all: but not as another record.
    const left = await api.view(table(role), child.id)
    if (left.ok && text in child)
      expectEqual(recordOf(left)[text], child[text], `${text} of a record that referred to a deleted one`)
  }
}
