/** Which of two failures is reported (standard profile, gap `records.statuses`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, objectBody } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

const post = (api: Api, ref: TableRef | string, body: string) =>
  api.raw({
    method: 'POST',
    path: api.path.records(ref),
    headers: { 'content-type': 'application/json' },
    body,
  })

check('order.table-first', ({ api, table, rejects, unique }) =>
  rejects({
    control: () => post(api, table('plain'), JSON.stringify({ title: unique('title') })),
    attempt: () => post(api, unique('conf_none').replace(/\W/g, '_'), '{broken'),
    status: 404,
  }).then(() => undefined),
)

check('order.body-before-rule', async ({ api, table, rejects, unique }) => {
  const title = JSON.stringify({ title: unique('title') })
  await rejects({
    control: () => post(api.as('superuser'), table('locked'), title),
    attempt: () => post(api, table('locked'), title),
    status: 403,
  })
  await rejects({
    control: () => post(api.as('superuser'), table('locked'), title),
    attempt: () => post(api, table('locked'), title.slice(0, -1)),
    status: 400,
  })
})

check('order.rule-before-record', async ({ api, table, make, rejects, unique }) => {
  const locked = table('locked')
  const { id } = await make(locked, { title: unique('title') })
  const root = api.as('superuser')
  await rejects({
    control: () => root.view(locked, id),
    attempt: () => api.view(locked, NO_RECORD),
    status: 403,
  })
  await rejects({
    control: () => root.update(locked, id, { title: 'x' }),
    attempt: () => api.update(locked, NO_RECORD, { title: 'x' }),
    status: 403,
  })
  await rejects({
    control: () => root.delete(locked, id),
    attempt: () => api.delete(locked, NO_RECORD),
    status: 403,
  })
})

check('order.rule-before-fields', async ({ api, table, rejects, unique }) => {
  const title = unique('title')
  const response = await rejects({
    control: () => api.create(table('ruled'), { title, level: 3 }),
    attempt: () => api.create(table('ruled'), { title: 'x'.repeat(6000), level: 4 }),
    status: 400,
  })
  expectEqual(objectBody(response).data, {}, 'data of a create that its rule rejects')
})
