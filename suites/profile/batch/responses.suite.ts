/** Responses to batches (standard profile, gap `batch.response`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus, expectThat } from '../../../harness/judging/expect.ts'
import { NO_RECORD, NO_TABLE } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, newEmail, signUpBody } from '../../shared/auth/accounts.ts'
import { signedIn } from '../../shared/auth/sessions.ts'
import { entriesOf, entryRecord, rawBatch, subRequests } from '../../shared/batch/entries.ts'
import { newId } from '../../shared/records/new-id.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { fullBody, otherBody } from '../records/full-body.ts'
import { recordsWithFiles } from '../records/with-files.ts'
import { spelledQuery } from '../spelled-query.ts'
import { expectEntryRejected, failuresOf } from './expect-entry-rejected.ts'

check('batch.status', async (context) => {
  const { api, table, unique } = context
  const { create } = subRequests(api)
  const callers = [api, ...(context.hasTable('members') ? [(await signedIn(context)).api] : [])]
  for (const caller of callers) {
    const titles = [unique('a'), unique('b'), unique('c')]
    const response = await caller.batch(titles.map((title) => create(table('plain'), { title })))
    expectStatus(response, 200, 'a batch')
    expectEqual(
      entriesOf(response).map((_, n) => entryRecord(entriesOf(response), n).title),
      titles,
      'the titles of the entries',
    )
  }
})

check('batch.entry', async (context) => {
  const { api, table, make, unique } = context
  const { create, update, remove } = subRequests(api)
  const plain = table('plain')
  const old = await make(plain, { title: unique('old') })
  const gone = await make(plain, { title: unique('gone') })
  const response = await api.batch([
    create(plain, { title: unique('new') }),
    update(plain, old.id, { title: unique('newer') }),
    remove(plain, gone.id),
  ])
  const entries = entriesOf(response)
  expectEqual(
    entries.map(({ status }) => status),
    [200, 200, 204],
    'the statuses of the entries',
  )
  expectEqual(entries[2], { status: 204, body: null }, 'the entry of a delete')
  for (const index of [0, 1]) {
    const record = entryRecord(entries, index)
    expectEqual(recordOf(await api.view(plain, record.id)), record, `a view of the record of entry ${index}`)
  }
  if (context.hasTable('members') && context.knows('superuser')) await expectAccountEntries(context)
  if (!context.hasTable('everything') || !context.hasTable('related')) return
  const [everything, related] = [table('everything'), table('related')]
  const parent = await make(related, { name: unique('parent') })
  const empty = await make(everything, { text: unique('empty') })
  const [one, other] = await recordsWithFiles(context)
  const mixed = entriesOf(
    await api.batch([
      create(everything, fullBody(context, [parent.id])),
      create(related, { name: unique('child'), rank: 7, parent: parent.id }),
      create(everything, otherBody(context)),
      update(everything, empty.id, fullBody(context, [parent.id])),
      create(plain, { title: unique('plain') }),
      update(everything, one?.id ?? '', { number: 1 }),
      update(everything, other?.id ?? '', { number: 2 }),
    ]),
  )
  const tables = [everything, related, everything, everything, plain, everything, everything]
  for (const [index, where] of tables.entries()) {
    const record = entryRecord(mixed, index)
    expectEqual(
      withoutPassword(recordOf(await api.view(where, record.id))),
      withoutPassword(record),
      `a view of the record of entry ${index} of several tables`,
    )
  }
})

/** An entry shows an account as a view by the same caller does. */
async function expectAccountEntries(context: CheckContext): Promise<void> {
  const [root, members] = [context.api.as('superuser'), context.table('members')]
  const { create, update } = subRequests(root)
  const { id } = await newAccount(context)
  const body = signUpBody(context, { email: newEmail(context), emailVisibility: true, verified: true })
  const entries = entriesOf(
    await root.batch([create(members, body), update(members, id, { emailVisibility: true })]),
  )
  for (const index of [0, 1]) {
    const record = entryRecord(entries, index)
    const viewed = recordOf(await root.view(members, record.id))
    expectEqual(record, viewed, `the account in entry ${index}`)
  }
}

/** `password.never-shown` checks what a password field shows. */
function withoutPassword({ password: _, ...others }: Record<string, unknown>): Record<string, unknown> {
  return others
}

check('batch.failure', async (context) => {
  const { api, table, unique } = context
  const { create, update } = subRequests(api)
  const text = unique('text')
  // Two that fail for different reasons.
  for (const [where, body] of [
    [table('required'), { text, editor: '' }],
    [table('everything'), { text, email: 'no address' }],
  ] as const) {
    const alone = await api.create(where, body)
    const inner = await expectEntryRejected(context, {
      good: create(table('plain'), { title: unique('good') }),
      bad: create(where, body),
    })
    expectStatus(alone, 400, 'the sub-request alone')
    expectEqual(inner, alone.body, 'the inner response, compared with that to the sub-request alone,')
  }
  const incomplete = failuresOf(await rawBatch(api, JSON.stringify({ requests: [{ url: '' }] })))
  const failing = failuresOf(await api.batch([create(table('required'), { text, editor: '' })]))
  const missing = failuresOf(await api.batch([update(table('plain'), NO_RECORD, {})]))
  expectEqual(missing[0]?.response?.data, {}, 'data of the inner response about a missing record')
  expectEqual(failing[0]?.code, 'batch_request_failed', 'the code of a sub-request that failed')
  expectThat(
    incomplete[0]?.code !== 'batch_request_failed',
    'an incomplete entry has the code of a sub-request that failed',
    'another code',
    incomplete[0]?.code,
  )
})

check('batch.first-failure', async ({ api, table, rejects, unique }) => {
  const { create } = subRequests(api)
  const good = create(table('plain'), { title: unique('good') })
  const bad = create(table('required'), {})
  const response = await rejects({
    control: () => api.batch([good, good, good]),
    attempt: () => api.batch([good, bad, good, bad]),
    status: 400,
  })
  expectEqual(
    failuresOf(response).map(({ index }) => index),
    ['1'],
    'the indexes of the reported failures',
  )
})

check('batch.inner-status', async (context) => {
  const { api, table, make, unique } = context
  const { create, update, remove } = subRequests(api)
  const plain = table('plain')
  const { id } = await make(plain, { title: unique('title') })
  const cases = [
    { bad: update(plain, NO_RECORD, {}), status: 404 },
    { bad: remove(plain, NO_RECORD), status: 404 },
    { bad: { ...create(plain, {}), url: api.path.records(NO_TABLE) }, status: 404 },
    { bad: create(table('locked'), {}), status: 403 },
    { bad: create(table('required'), {}), status: 400 },
  ]
  for (const { bad, status } of cases) {
    const inner = await expectEntryRejected(context, { good: update(plain, id, { title: unique('x') }), bad })
    expectEqual(inner?.status, status, `the inner status of ${bad.method} ${bad.url}`)
  }
})

check('batch.unknown-action', async (context) => {
  const { api, table, make, unique } = context
  const plain = table('plain')
  const { id } = await make(plain, { title: unique('title') })
  const good = subRequests(api).update(plain, id, {})
  const bad = [
    { method: 'GET', url: api.path.record(plain, id) },
    { method: 'GET', url: api.path.records(plain) },
    { method: 'POST', url: api.path.record(plain, id), body: {} },
    { method: 'PUT', url: api.path.record(plain, id), body: {} },
    // Never sent to the table itself: a server might apply it to all of its records.
    { method: 'DELETE', url: api.path.records(unique('none')) },
    { method: 'POST', url: api.path.batch(), body: { requests: [] } },
  ]
  for (const entry of bad) await expectEntryRejected(context, { good, bad: entry })
})

check('batch.url-forms', async (context) => {
  const { api, table, make, unique } = context
  const { id } = await make(table('plain'), { title: unique('title') })
  const good = subRequests(api).update(table('plain'), id, { title: unique('x') })
  const bad = [
    `http://127.0.0.1${good.url}`,
    good.url.slice(1),
    ` ${good.url}`,
    `${good.url}/`,
    `/elsewhere${good.url}`,
  ]
  for (const url of bad) await expectEntryRejected(context, { good, bad: { ...good, url } })
})

check('batch.sub-query', async (context) => {
  const { api, table, make, unique } = context
  const related = table('related')
  const parent = await make(related, { name: unique('parent') })
  const name = unique('child')
  const id = newId(unique)
  const { create, update } = subRequests(api)
  const entries = entriesOf(
    await api.batch([
      create(
        related,
        { id, name, parent: parent.id },
        `?${spelledQuery(context, ['expand', 'parent'], ['fields', 'name,expand.parent.name'])}`,
      ),
      update(related, parent.id, {}, `?${spelledQuery(context, ['fields', 'id'])}`),
    ]),
  )
  expectEqual(
    entries[0]?.body,
    { name, expand: { parent: { name: parent.name } } },
    'the body of entry 0, with expand and fields',
  )
  expectEqual(entries[1]?.body, { id: parent.id }, 'the body of entry 1, with fields')
  expectEqual(
    recordOf(await api.view(related, id)).parent,
    parent.id,
    'parent of the record that was created',
  )
})

check('batch.outer-fields', async ({ api, table, unique }) => {
  const { create } = subRequests(api)
  const body = { id: newId(unique), title: unique('title') }
  const response = await api.batch([create(table('plain'), body)], { fields: 'status' })
  expectStatus(response, 200, 'a batch with fields')
  expectEqual(response.body, [{ status: 200 }], 'the entries')
  expectEqual(
    recordOf(await api.view(table('plain'), body.id)).title,
    body.title,
    'title of the record that was created',
  )
})

check('batch.table-id', async ({ api, table, unique }) => {
  const title = unique('title')
  const url = api.path.records(table('plain').name.toUpperCase())
  const entries = entriesOf(await api.batch([{ method: 'POST', url, body: { title } }]))
  const record = entryRecord(entries, 0)
  expectEqual([record.title, record.collectionName], [title, table('plain').name], 'title and collectionName')
})
