/**
 * Updates and deletes of a record that refers to one of another table, where two tables replace `related`. Any of them may
 * be rejected: what a table allows is left open.
 *
 * @module
 */

import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { expectGone } from '../../shared/records/expect-gone.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectText } from './expect-text.ts'

/** A record of `child`, and two of `parent`: it refers to the first. Undefined where others do this. */
async function familyOf(context: CheckContext) {
  const { hasTable, make, makeMany, unique } = context
  if (hasTable('related') || !hasTable('child') || !hasTable('parent')) return undefined
  const { child, parent } = relationOf(context)
  return unlessPrevented(async () => {
    const [one, other] = await makeMany(parent, [{ name: unique('one') }, { name: unique('other') }])
    if (one === undefined || other === undefined) return undefined
    const record = await make(child, { name: unique('child'), parent: one.id })
    return { child, parent, one, other, record }
  })
}

/** An update of the text has its effect. */
export async function expectChildUpdated(context: CheckContext): Promise<void> {
  const family = await familyOf(context)
  if (family === undefined) return
  const { child, record } = family
  const name = context.unique('changed')
  if (!(await context.api.update(child, record.id, { name })).ok) return
  const view = recordOf(await context.api.view(child, record.id), 'a view of the updated record')
  expectText(view.name, name, `${child.fields?.name ?? 'name'} after an update in ${child.name}`)
}

/** An update of the text keeps the relation, and one of the relation keeps the text. */
export async function expectRelationKept(context: CheckContext): Promise<void> {
  const family = await familyOf(context)
  if (family === undefined) return
  const { child, one, other, record } = family
  const { api, unique } = context
  const view = async () => recordOf(await api.view(child, record.id), 'a view of the updated record')
  if ((await api.update(child, record.id, { name: unique('changed') })).ok)
    expectEqual((await view()).parent, one.id, 'the relation after an update that does not send it')
  const { name } = await view()
  if ((await api.update(child, record.id, { parent: other.id })).ok)
    expectText((await view()).name, String(name), 'the text after an update of the relation alone')
}

/** A delete of a record that no other one refers to changes no relation. */
export async function expectRelationUntouched(context: CheckContext): Promise<void> {
  const family = await familyOf(context)
  if (family === undefined) return
  const { child, parent, one, other, record } = family
  if (!(await context.api.delete(parent, other.id)).ok) return
  const view = recordOf(await context.api.view(child, record.id), 'a view of a record of another table')
  expectEqual(view.parent, one.id, 'the relation after a delete of a record that it does not lead to')
}

/** A delete removes the record, and keeps the one that it refers to. */
export async function expectChildDeleted(context: CheckContext): Promise<void> {
  const family = await familyOf(context)
  if (family === undefined) return
  const { child, parent, one, record } = family
  const { api } = context
  if (!(await api.delete(child, record.id)).ok) return
  expectGone(await api.view(child, record.id), record, 'a view of the deleted record')
  const related = recordOf(await api.view(parent, one.id), 'a view of the record that it referred to')
  expectEqual(related.name, one.name, 'the text of the record that it referred to')
}
