import { expectEqual, expectSuccess } from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { mayRefer, relations } from '../../shared/records/make-referring.ts'
import { newId } from '../../shared/records/new-id.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectRelationUntouched } from './expect-child-updated.ts'

const UNATTACHED = ['loose', 'cascading', 'child', 'related'] as const

/** The `parent` that a view of a record of `related` shows; undefined if there is no view. */
export async function parentOf({ api, table }: CheckContext, id: string): Promise<unknown> {
  const view = await api.view(table('related'), id)
  return view.ok ? recordOf(view).parent : undefined
}

/** A relation is kept when a record that it does not refer to is deleted. */
export async function expectRelationsKept(context: CheckContext): Promise<void> {
  await expectRelationUntouched(context)
  await expectUnattachedKept(context)
  if (!context.hasTable('related')) return
  await expectKeptAfterUpdate(context)
  await expectKeptBesideNamesake(context)
}

/** A record that refers to none is not deleted with a record to which it could refer. A relation may be required. */
async function expectUnattachedKept(context: CheckContext): Promise<void> {
  const { api, make, table, unique } = context
  for (const role of UNATTACHED) {
    if (!mayRefer(context, role)) continue
    const [text, , target] = relations[role]
    const made = await unlessPrevented(async () => ({
      gone: await make(table(target), { [textFieldOf(target)]: unique('gone') }),
      left: await make(table(role), { [text]: unique('unattached') }),
    }))
    if (made === undefined) continue
    const { gone, left } = made
    if (!(await api.view(table(role), left.id)).ok || !(await api.delete(table(target), gone.id)).ok) continue
    const view = await api.view(table(role), left.id)
    expectSuccess(view, `a view of a record of ${table(role).name} without a relation after another delete`)
  }
}

/** The relation referred to the deleted record before an update. */
async function expectKeptAfterUpdate(context: CheckContext): Promise<void> {
  const { api, make, makeMany, table, unique } = context
  const related = table('related')
  const parents = await unlessPrevented(() =>
    makeMany(related, [{ name: unique('before') }, { name: unique('after') }]),
  )
  const [before, after] = parents ?? []
  if (before === undefined || after === undefined) return
  const child = await unlessPrevented(() => make(related, { name: unique('child'), parent: before.id }))
  if (child === undefined || !(await api.update(related, child.id, { parent: after.id })).ok) return
  if ((await parentOf(context, child.id)) !== after.id) return
  if (!(await api.delete(related, before.id)).ok) return
  const parent = await parentOf(context, child.id)
  expectEqual(parent, after.id, 'the relation after a delete of the record that it led to before')
}

/**
 * The deleted record, of another table, has the same id as the related one. A server may not let clients choose ids.
 */
async function expectKeptBesideNamesake(context: CheckContext): Promise<void> {
  const { api, created, make, table, unique } = context
  const id = newId(unique)
  const takes = async (ref: TableRef, body: Body) => {
    const response = await api.create(ref, { id, ...body })
    const record = response.ok ? await unlessPrevented(() => created(ref, response)) : undefined
    return record?.id === id
  }
  if (!(await takes(table('plain'), { title: unique('namesake') }))) return
  if (!(await takes(table('related'), { name: unique('namesake') }))) return
  const child = await unlessPrevented(() => make(table('related'), { name: unique('child'), parent: id }))
  if (child === undefined || (await parentOf(context, child.id)) !== id) return
  if (!(await api.delete(table('plain'), id)).ok) return
  const parent = await parentOf(context, child.id)
  expectEqual(parent, id, 'the relation after a delete of a record of another table with the same id')
}
