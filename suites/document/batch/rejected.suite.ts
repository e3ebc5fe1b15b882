/** What remains of a batch whose response is an error (document 4.1). */

import { check } from '../../../harness/check.ts'
import { UntestableError } from '../../../harness/judging/expect.ts'
import type { SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { batching } from '../../shared/batch/batching.ts'
import { rawBatch, rawWholeCreate, subRequests } from '../../shared/batch/entries.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/** Bodies of batches that a server may reject, each with a create that would be done alone. */
function rejectable({ api, table, hasTable, unique }: CheckContext, good: SubRequest): unknown[] {
  const { create } = subRequests(api)
  const entries: unknown[] = [
    null,
    'x',
    { ...good, method: 7 },
    { ...good, body: 'text' },
    { ...good, url: '/' },
  ]
  if (hasTable('locked')) entries.push(create(table('locked'), { title: unique('closed') }))
  if (hasTable('required')) entries.push(create(table('required'), {}))
  return [
    { requests: good },
    ...entries.flatMap((bad) => [{ requests: [bad, good] }, { requests: [good, bad] }]),
  ]
}

check(
  'batch.rejected-changes-nothing',
  batching(async (context) => {
    const { api, table, unique } = context
    const plain = table('plain')
    const bodiesWith = (title: string) =>
      rejectable(context, rawWholeCreate(context, plain, { title })).map((body) => JSON.stringify(body))
    const kinds = bodiesWith('').length
    const rejected: string[] = []
    for (let kind = 0; kind <= kinds; kind += 1) {
      // A title of its own, so that a record can only be from this batch.
      const title = unique('unwritten')
      const bodies = bodiesWith(title)
      const text = bodies[kind] ?? bodies.at(-1)?.slice(0, -1) ?? ''
      const response = await rawBatch(api, text)
      if (response.ok) continue
      rejected.push(title)
      await expectNoneTitled(context, title, `written by a batch that returned ${response.status}`)
    }
    if (rejected.length === 0)
      throw new UntestableError('every batch returned 2xx and reported failures in the body (allowed)')
    // What is kept of a rejected batch may show only after the next one.
    const next = await api.batch([subRequests(api).create(plain, { title: unique('next') })])
    if (!next.ok) return
    // The last body is not JSON.
    for (const title of rejected.slice(-2))
      await expectNoneTitled(context, title, 'written by a batch that was rejected before the last one')
  }),
)
