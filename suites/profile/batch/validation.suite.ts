/** What is rejected before any sub-request runs (standard profile, gaps `batch.response` and `batch.limits`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectRejection } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { entriesOf, entryRecord, rawBatch, rawCreate, subRequests } from '../../shared/batch/entries.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { spelledQuery } from '../spelled-query.ts'
import { expectUnwritten } from './expect-entry-rejected.ts'

/** A batch of one create succeeds; the same batch with another value in it does not, and writes nothing. */
async function expectBatchRejected(
  context: CheckContext,
  attempt: (entry: Record<string, unknown>) => unknown,
  data?: Record<string, string>,
): Promise<void> {
  const { api, table, rejects, unique } = context
  const entry = (title: string) => ({ ...rawCreate(api, table('plain'), { title }) })
  const marker = unique('unwritten')
  await rejects({
    control: () => rawBatch(api, JSON.stringify({ requests: [entry(unique('written'))] })),
    attempt: () => rawBatch(api, JSON.stringify(attempt(entry(marker)))),
    status: 400,
    ...(data && { data }),
  })
  await expectUnwritten(context, marker)
}

check('batch.empty', async (context) => {
  for (const body of [{ requests: [] }, {}, { requests: null }]) {
    await expectBatchRejected(context, () => body, { requests: 'validation_required' })
  }
})

check('batch.entry-incomplete', async (context) => {
  await expectBatchRejected(context, (entry) => ({ requests: [entry, {}] }), {
    'requests.1.method': 'validation_required',
    'requests.1.url': 'validation_required',
  })
  await expectBatchRejected(context, (entry) => ({ requests: [entry, { ...entry, url: '' }] }), {
    'requests.1.url': 'validation_required',
  })
})

check('batch.method-unknown', async (context) => {
  for (const method of ['post', 'HEAD', 'OPTIONS', 'FETCH']) {
    await expectBatchRejected(context, (entry) => ({ requests: [entry, { ...entry, method }] }), {
      'requests.1.method': 'validation_in_invalid',
    })
  }
})

check('batch.null-entry', async (context) => {
  const { api, table, rejects, unique } = context
  const marker = unique('unwritten')
  const entry = (title: string) => rawCreate(api, table('plain'), { title })
  await rejects({
    control: () => rawBatch(api, JSON.stringify({ requests: [entry(unique('written'))] })),
    attempt: () => rawBatch(api, JSON.stringify({ requests: [entry(marker), null] })),
  })
  await expectUnwritten(context, marker)
})

check('batch.wrong-types', async (context) => {
  const bodies: ((entry: Record<string, unknown>) => unknown)[] = [
    (entry) => [entry],
    (entry) => ({ requests: entry }),
    () => ({ requests: 'x' }),
    (entry) => ({ requests: [entry, 'x'] }),
    (entry) => ({ requests: [entry, { ...entry, body: [1] }] }),
    (entry) => ({ requests: [entry, { ...entry, body: 'text' }] }),
    (entry) => ({ requests: [entry, { ...entry, method: 7 }] }),
  ]
  for (const body of bodies) await expectBatchRejected(context, body)
  const malformed = await rawBatch(context.api, '{"requests":[')
  expectRejection(malformed, 'a batch of malformed JSON')
  expectEqual(malformed.status, 400, 'the status of a batch of malformed JSON')
})

check('batch.too-many', (context) =>
  expectBatchRejected(context, (entry) => ({ requests: Array.from({ length: 51 }, () => entry) }), {
    requests: 'validation_length_too_long',
  }),
)

check('batch.at-limit', async ({ api, table, unique }) => {
  const plain = table('plain')
  const { create, update } = subRequests(api)
  const titles = (mark: string, count: number) => Array.from({ length: count }, (_, n) => `${mark} ${n}`)
  const creates = (mark: string, count: number) =>
    titles(mark, count).map((title) => create(plain, { title }))
  const written = async (mark: string) => {
    const found = await readTable(api, plain, ({ title }) => String(title).startsWith(`${mark} `))
    return [...found.values()].map(({ title }) => title).sort()
  }
  const [whole, broken] = [unique('whole'), unique('broken')]
  const entries = entriesOf(await api.batch(creates(whole, 50)))
  expectEqual(
    entries.map((_, at) => entryRecord(entries, at).title),
    titles(whole, 50),
    'the titles of the entries',
  )
  expectEqual(await written(whole), titles(whole, 50).sort(), 'the titles that a batch of 50 created')
  const list = listOf(await api.list(plain, { filter: `title ~ "${whole} %"`, perPage: 1 }))
  expectEqual([list.totalItems, list.totalPages], [50, 50], 'the totals of the records that it created')
  await api.batch([...creates(broken, 49), update(plain, NO_RECORD, {})])
  expectEqual(
    await written(broken),
    [],
    'the titles that a batch created whose last of 50 sub-requests failed',
  )
})

check('batch.url-too-long', (context) => {
  const { path } = context.api
  const url = `${path.records(context.table('plain'))}?${spelledQuery(context, ['fields', 'x'.repeat(2000)])}`
  return expectBatchRejected(context, (entry) => ({ requests: [entry, { ...entry, url }] }), {
    'requests.1.url': 'validation_length_too_long',
  })
})
