/** What a delete does to records that refer to the deleted one (standard profile, gap `records.bodies`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'

async function parents({ makeMany, table, unique }: CheckContext, count: number): Promise<string[]> {
  const bodies = Array.from({ length: count }, (_, n) => ({ title: unique(`parent${n}`) }))
  return (await makeMany(table('plain'), bodies)).map(({ id }) => id)
}

check('delete.clears-reference', async (context) => {
  const { api, table, unique } = context
  const [gone = '', kept = ''] = await parents(context, 2)
  const label = unique('label')
  const one = recordOf(await api.create(table('loose'), { label, one: gone }))
  const other = recordOf(await api.create(table('loose'), { label, one: kept }))
  expectSuccess(await api.delete(table('plain'), gone), 'the delete of a referenced record')
  const after = recordOf(await api.view(table('loose'), one.id))
  expectEqual([after.one, after.label], ['', label], 'the reference and the label of the same record')
  expectEqual(
    recordOf(await api.view(table('loose'), other.id)),
    other,
    'a record that refers to another one',
  )
})

check('delete.shortens-list', async (context) => {
  const { api, table } = context
  const [a = '', gone = '', b = ''] = await parents(context, 3)
  const loose = recordOf(await api.create(table('loose'), { many: [a, gone, b] }))
  expectSuccess(await api.delete(table('plain'), gone), 'the delete of a referenced record')
  expectEqual(recordOf(await api.view(table('loose'), loose.id)).many, [a, b], 'the list of references')
})

check('delete.cascades-empty-list', async (context) => {
  const { api, table } = context
  const [a = '', b = ''] = await parents(context, 2)
  const loose = recordOf(await api.create(table('loose'), { many: [a, b] }))
  expectSuccess(await api.delete(table('plain'), a), 'the first delete')
  recordOf(await api.view(table('loose'), loose.id), 'a view while one reference is left')
  expectSuccess(await api.delete(table('plain'), b), 'the second delete')
  expectStatus(await api.view(table('loose'), loose.id), 404, 'a view after the last reference is gone')
})

check('delete.cascades', async (context) => {
  const { api, table } = context
  const [gone = '', kept = ''] = await parents(context, 2)
  const child = recordOf(await api.create(table('cascading'), { parent: gone }))
  const other = recordOf(await api.create(table('cascading'), { parent: kept }))
  expectSuccess(await api.delete(table('plain'), gone), 'the delete of a referenced record')
  expectStatus(await api.view(table('cascading'), child.id), 404, 'a view of its child')
  recordOf(await api.view(table('cascading'), other.id), 'a view of the child of another record')
})

check('delete.required-refuses', async (context) => {
  const { api, table, rejects } = context
  const [held = '', free = ''] = await parents(context, 2)
  const child = recordOf(await api.create(table('requiring'), { parent: held }))
  await rejects({
    control: () => api.delete(table('plain'), free),
    attempt: () => api.delete(table('plain'), held),
    status: 400,
  })
  recordOf(await api.view(table('plain'), held), 'a view of the record after the rejected delete')
  expectEqual(
    recordOf(await api.view(table('requiring'), child.id)).parent,
    held,
    'a reference after a rejected delete',
  )
  expectSuccess(await api.delete(table('requiring'), child.id), 'the delete of the child')
  expectSuccess(await api.delete(table('plain'), held), 'the delete after nothing requires the record')
})

check('delete.required-rolls-back', async (context) => {
  const { api, table } = context
  const [held = ''] = await parents(context, 1)
  const records = [
    { ref: table('cascading'), before: recordOf(await api.create(table('cascading'), { parent: held })) },
    { ref: table('loose'), before: recordOf(await api.create(table('loose'), { one: held, many: [held] })) },
    { ref: table('requiring'), before: recordOf(await api.create(table('requiring'), { parent: held })) },
  ]
  expectStatus(await api.delete(table('plain'), held), 400, 'the delete of a required record')
  for (const { ref, before } of records) {
    const view = await api.view(ref, before.id)
    expectThat(view.ok, `a record of ${ref.role} is gone after a rejected delete`, 'still there', view.status)
    expectEqual(recordOf(view), before, `the record of ${ref.role} after a rejected delete`)
  }
})

check('delete.touches-reference', async (context) => {
  const { api, table } = context
  const [gone = ''] = await parents(context, 1)
  const before = recordOf(await api.create(table('loose'), { one: gone }))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expectSuccess(await api.delete(table('plain'), gone), 'the delete of a referenced record')
  const after = recordOf(await api.view(table('loose'), before.id))
  expectThat(
    String(after.updated) > String(before.updated),
    '`updated` of the referring record did not change',
    `later than ${before.updated}`,
    after.updated,
  )
})
