import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { mayRefer, type ReferringRole, relations } from '../../shared/records/make-referring.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

const roles = ['cascading', 'child', 'related'] as const

/**
 * The record of a create is there if an earlier sub-request of its batch deleted the record that it refers to, or neither
 * has an effect: nothing after the create could delete it. A server that does creates first deletes both. Whether a record
 * may refer to one that is not there is left open.
 */
export async function expectCreatedLast(context: CheckContext): Promise<void> {
  if (!context.mayExist('deleteRecord') || !context.mayExist('viewRecord')) return
  for (const role of roles) if (mayRefer(context, role)) await expectCreatedAfterDelete(context, role)
}

async function expectCreatedAfterDelete(context: CheckContext, role: ReferringRole): Promise<void> {
  const { api, make, table, unique } = context
  const [text, relation, target] = relations[role]
  const { create, remove } = subRequests(api)
  const parent = () =>
    unlessPrevented(() =>
      make(table(target), { [target === 'plain' ? 'title' : 'name']: unique('referred') }),
    )
  const [gone, other] = [await parent(), await parent()]
  if (gone === undefined || other === undefined) return
  if (!(await api.delete(table(target), gone.id)).ok) return
  // A server may accept such a record and not show it.
  const alone = unique('alone')
  if ((await api.create(table(role), { [text]: alone, [relation]: gone.id })).ok)
    if ((await recordsWith(context, table(role), text, alone, api)).length === 0) return
  const last = unique('last')
  await api.batch([
    remove(table(target), other.id),
    create(table(role), { [text]: last, [relation]: other.id }),
  ])
  // A batch that fails may return 2xx, too: then the first record is still there.
  if ((await api.view(table(target), other.id)).ok) return
  const { length } = await recordsWith(context, table(role), text, last, api)
  expectThat(
    length > 0,
    'a batch of a delete before a create that refers to the same record did the delete, and its create left no record',
    'a record of the create, or no delete',
    'neither record',
  )
}
