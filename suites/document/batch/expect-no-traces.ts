import { expectEqual, expectSuccess } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { parentOf } from '../records/expect-relations-kept.ts'
import { failingRequests } from './batch-steps.ts'

/** Later writes are not affected by what a failed batch would have created, not even through an index. */
export async function expectNoTraces(context: CheckContext): Promise<void> {
  await expectValueFree(context)
  await expectReferenceFree(context)
}

/** Its unique value is still free, even after another record was created instead of the one that was not. */
async function expectValueFree(context: CheckContext): Promise<void> {
  const { api, hasTable, table, unique } = context
  if (!hasTable('unique')) return
  const [lost, next] = [unique('lost'), unique('next')]
  const failing = failingRequests(context, 'update-missing', unique('fails'))
  await api.batch([subRequests(api).create(table('unique'), { code: lost }), ...failing])
  if (!(await api.create(table('unique'), { code: next })).ok) return
  const again = await api.create(table('unique'), { code: lost })
  expectSuccess(again, 'a create with a unique value that only a batch that failed contained')
}

/** Its relation leads nowhere: a delete of the record that it would have led to changes no later record. */
async function expectReferenceFree(context: CheckContext): Promise<void> {
  const { api, hasTable, make, makeMany, table, unique } = context
  if (!hasTable('related')) return
  const related = table('related')
  const parents = await unlessPrevented(() =>
    makeMany(related, [{ name: unique('goes') }, { name: unique('stays') }]),
  )
  const [goes, stays] = parents ?? []
  if (goes === undefined || stays === undefined) return
  const failing = failingRequests(context, 'update-missing', unique('fails'))
  const lost = { name: unique('lost'), parent: goes.id }
  await api.batch([subRequests(api).create(related, lost), ...failing])
  const next = await unlessPrevented(() => make(related, { name: unique('next'), parent: stays.id }))
  if (next === undefined || (await parentOf(context, next.id)) !== stays.id) return
  if (!(await api.delete(related, goes.id)).ok) return
  const parent = await parentOf(context, next.id)
  expectEqual(parent, stays.id, 'the relation of a record that was created after a batch that failed')
}
