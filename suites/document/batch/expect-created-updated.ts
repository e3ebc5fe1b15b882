import { expectSuccess } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { expectText } from '../records/expect-text.ts'
import { givenIdsIfPossible } from './given-ids.ts'

/**
 * An update in a batch applies to a record that an earlier sub-request creates. Judged where a batch may create a record
 * with an id that the client chooses, and may write a record twice.
 */
export async function expectCreatedUpdated(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const plain = table('plain')
  const nextId = await givenIdsIfPossible(context)
  if (nextId === undefined) return
  const { create, update } = subRequests(api)
  const alone = { id: nextId(), title: unique('alone') }
  if (!(await api.batch([create(plain, alone)])).ok) return
  const view = await api.view(plain, alone.id)
  if (!view.ok || recordOf(view).title !== alone.title) return
  const { id, ...body } = { id: nextId(), title: unique('created') }
  const title = unique('updated')
  const both = [create(plain, { id, ...body }), update(plain, id, { title })]
  expectSuccess(await api.batch(both), 'a batch of a create before an update of the same record')
  expectText(recordOf(await api.view(plain, id)).title, title, 'the title that an update in the batch sent')
}
