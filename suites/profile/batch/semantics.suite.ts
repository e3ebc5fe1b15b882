/** How sub-requests run: in whose name, under which rules, seeing what (standard profile, gap `batch.response`). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectRejection,
  expectStatus,
  expectSuccess,
  expectThat,
} from '../../../harness/judging/expect.ts'
import { entriesOf, entryRecord, rawBatch, rawCreate, subRequests } from '../../shared/batch/entries.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { signedInMember } from '../records/member.ts'
import { expectEntryRejected } from './expect-entry-rejected.ts'

check('batch.delete-recreate', async ({ api, table, make, unique }) => {
  const { create, remove } = subRequests(api)
  const old = await make(table('plain'), { title: unique('old') })
  const title = unique('new')
  expectSuccess(
    await api.batch([remove(table('plain'), old.id), create(table('plain'), { id: old.id, title })]),
    'the batch',
  )
  expectEqual(
    recordOf(await api.view(table('plain'), old.id)).title,
    title,
    'title of the record with the same id',
  )
})

check('batch.swap-unique', async ({ api, table, unique }) => {
  const { create, update } = subRequests(api)
  const [mine, theirs] = [unique('mine'), unique('theirs')]
  const first = recordOf(await api.create(table('unique'), { code: mine }))
  const second = recordOf(await api.create(table('unique'), { code: theirs }))
  const batch = [
    update(table('unique'), first.id, { code: '' }),
    update(table('unique'), second.id, { code: mine }),
    update(table('unique'), first.id, { code: theirs }),
  ]
  expectSuccess(await api.batch(batch), 'a batch that swaps two unique values')
  const codes = [
    recordOf(await api.view(table('unique'), first.id)).code,
    recordOf(await api.view(table('unique'), second.id)).code,
  ]
  expectEqual(codes, [theirs, mine], 'the values of the unique field after a batch that swaps them')
  const taken = await api.batch([create(table('unique'), { code: theirs })])
  expectRejection(taken, 'a create with a unique value that a batch swapped')
})

check('batch.sub-authorization', async ({ api, table, unique }) => {
  const entry = subRequests(api).create(table('locked'), { title: unique('title') })
  const withHeader = { ...entry, headers: { Authorization: 'garbage' } }
  const response = await api.as('superuser').batch([withHeader])
  expectSuccess(response, 'a batch of a superuser whose sub-request names an invalid token')
  expectRejection(await api.batch([entry]), 'the same sub-request in the batch of a guest')
})

check('batch.sub-rules', async (context) => {
  const { api, table, make, unique } = context
  const { create, update, remove } = subRequests(api)
  const title = unique('title')
  const low = await make(table('ruled'), { title, public: true, level: 1 })
  const high = await make(table('ruled'), { title, public: true, level: 3 })
  await expectEntryRejected(context, {
    good: create(table('ruled'), { title, level: 3 }),
    bad: create(table('ruled'), { title, level: 4 }),
  })
  await expectEntryRejected(context, {
    good: update(table('ruled'), low.id, { title }),
    bad: update(table('ruled'), high.id, { title }),
  })
  // Entries of every method, from every caller.
  const callers = [api.withToken('garbage', 'bogus')]
  if (context.hasTable('members')) callers.push((await signedInMember(context)).api)
  for (const caller of callers)
    for (const bad of [
      create(table('ruled'), { title: unique('unwritten'), level: 4 }),
      update(table('ruled'), high.id, { title: unique('unwritten') }),
      remove(table('ruled'), high.id),
    ])
      expectRejection(await caller.batch([bad]), `a batch with a ${bad.method} that a rule forbids`)
  expectEqual(recordOf(await api.view(table('ruled'), high.id)).title, title, 'title after rejected batches')
})

check('batch.sub-headers', async (context) => {
  const { api, table, make, unique } = context
  const { remove } = subRequests(api)
  const kept = await make(table('ruled'), { title: unique('kept') })
  const gone = await make(table('ruled'), { title: unique('gone') })
  await expectEntryRejected(context, {
    good: remove(table('ruled'), gone.id, '?sure=yes'),
    bad: remove(table('ruled'), kept.id),
  })
  expectStatus(await api.as('superuser').view(table('ruled'), gone.id), 404, 'a view of the deleted record')
  recordOf(await api.as('superuser').view(table('ruled'), kept.id), 'a view of the record that was kept')
})

check('batch.hidden', async ({ api, table, make, unique }) => {
  const { create, update } = subRequests(api)
  const hiding = table('hiding')
  const secret = unique('secret')
  const { id } = await make(hiding, { title: unique('title'), secret })
  const response = await api.batch([
    update(hiding, id, { secret: 'by a guest' }),
    create(hiding, { secret: 'by a guest' }),
  ])
  const entries = entriesOf(response)
  expectThat(
    !response.text.includes(secret) && !response.text.includes('"secret"'),
    'a batch shows a hidden field',
    'no secret',
    response.text,
  )
  const root = api.as('superuser')
  expectEqual(
    recordOf(await root.view(hiding, id)).secret,
    secret,
    'secret after a guest sent one in a batch',
  )
  expectEqual(
    recordOf(await root.view(hiding, entryRecord(entries, 1).id)).secret,
    '',
    'secret of a record that a guest created',
  )
  const mine = entriesOf(await root.batch([create(hiding, { secret })]))
  expectEqual(entryRecord(mine, 0).secret, secret, 'secret in the batch of a superuser')
})

check('batch.delete-body', async ({ api, table, make, unique }) => {
  const { id } = await make(table('plain'), { title: unique('title') })
  const response = await rawBatch(
    api,
    JSON.stringify({
      requests: [{ ...subRequests(api).remove(table('plain'), id), body: { title: 'x' } }],
    }),
  )
  expectEqual(entriesOf(response), [{ status: 204, body: null }], 'the entries')
  expectStatus(await api.view(table('plain'), id), 404, 'a view of the deleted record')
})

check('batch.body-absent', async ({ api, table, make, rejects, unique }) => {
  const { create, update } = subRequests(api)
  const { id, title } = await make(table('plain'), { title: unique('title') })
  const response = await rawBatch(
    api,
    JSON.stringify({
      requests: [
        rawCreate(api, table('plain'), { title: unique('new') }),
        { ...update(table('plain'), id), body: null },
      ],
    }),
  )
  expectEqual(entryRecord(entriesOf(response), 1).title, title, 'title after an update without a body')
  // A required field is missing then: no record is left that holds nothing of the run.
  const failures = []
  for (const body of [undefined, null, {}])
    failures.push(
      await rejects({
        control: () => api.batch([create(table('plain'), { title: unique('written') })]),
        attempt: () => rawBatch(api, JSON.stringify({ requests: [{ ...create(table('required')), body }] })),
      }),
    )
  const [absent, nothing, empty] = failures.map(({ body }) => body)
  expectEqual([absent, nothing], [empty, empty], 'the errors of a create without a body')
})
