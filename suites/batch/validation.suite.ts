/** What is refused before any sub-request runs (standard profile, gaps `batch.response` and `batch.limits`). */

import { check } from '../../harness/check.ts'
import { expectEqual, expectRefusal } from '../../harness/judging/expect.ts'
import { NO_RECORD } from '../../harness/nowhere.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { queryText } from '../query-text.ts'
import { readTable } from '../records/read-table.ts'
import { entriesOf, rawBatch, subRequests } from './entries.ts'
import { expectUnwritten } from './refused-batch.ts'

/** A batch of one create succeeds; the same batch with another value in it does not, and writes nothing. */
async function expectBatchRefused(
  context: CheckContext,
  attempt: (entry: Record<string, unknown>) => unknown,
  data?: Record<string, string>,
): Promise<void> {
  const { api, table, rejects, unique } = context
  const entry = (title: string) => ({ ...subRequests(api).create(table('plain'), { title }) })
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
    await expectBatchRefused(context, () => body, { requests: 'validation_required' })
  }
})

check('batch.entry-incomplete', async (context) => {
  await expectBatchRefused(context, (entry) => ({ requests: [entry, {}] }), {
    'requests.1.method': 'validation_required',
    'requests.1.url': 'validation_required',
  })
  await expectBatchRefused(context, (entry) => ({ requests: [entry, { ...entry, url: '' }] }), {
    'requests.1.url': 'validation_required',
  })
})

check('batch.method-unknown', async (context) => {
  for (const method of ['post', 'HEAD', 'OPTIONS', 'FETCH']) {
    await expectBatchRefused(context, (entry) => ({ requests: [entry, { ...entry, method }] }), {
      'requests.1.method': 'validation_in_invalid',
    })
  }
})

check('batch.null-entry', async (context) => {
  const { api, table, rejects, unique } = context
  const { create } = subRequests(api)
  const marker = unique('unwritten')
  await rejects({
    control: () =>
      rawBatch(api, JSON.stringify({ requests: [create(table('plain'), { title: unique('written') })] })),
    attempt: () =>
      rawBatch(api, JSON.stringify({ requests: [create(table('plain'), { title: marker }), null] })),
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
  for (const body of bodies) await expectBatchRefused(context, body)
  const malformed = await rawBatch(context.api, '{"requests":[')
  expectRefusal(malformed, 'a batch of malformed JSON')
  expectEqual(malformed.status, 400, 'the status of a batch of malformed JSON')
})

check('batch.too-many', (context) =>
  expectBatchRefused(context, (entry) => ({ requests: Array.from({ length: 51 }, () => entry) }), {
    requests: 'validation_length_too_long',
  }),
)

check('batch.at-limit', async ({ api, table, unique }) => {
  const plain = table('plain')
  const { create, update } = subRequests(api)
  const written = async (title: string) =>
    (await readTable(api, plain, (record) => record.title === title)).size
  const titled = (title: string, count: number) =>
    Array.from({ length: count }, () => create(plain, { title }))
  const [whole, broken] = [unique('whole'), unique('broken')]
  expectEqual(entriesOf(await api.batch(titled(whole, 50))).length, 50, 'the number of entries')
  expectEqual(await written(whole), 50, 'the number of records that a batch of 50 made')
  await api.batch([...titled(broken, 49), update(plain, NO_RECORD, {})])
  expectEqual(await written(broken), 0, 'the number of records that a batch made whose last of 50 failed')
})

check('batch.url-too-long', (context) => {
  const { path } = context.api
  const url = `${path.records(context.table('plain'))}?${queryText(context, ['fields', 'x'.repeat(2000)])}`
  return expectBatchRefused(context, (entry) => ({ requests: [entry, { ...entry, url }] }), {
    'requests.1.url': 'validation_length_too_long',
  })
})
