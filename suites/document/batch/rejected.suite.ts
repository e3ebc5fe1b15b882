/** What remains of a batch whose response is an error (document 4.1). */

import { check } from '../../../harness/check.ts'
import { expectEqual, UntestableError } from '../../../harness/judging/expect.ts'
import type { SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { batching } from '../../shared/batch/batching.ts'
import { rawBatch, subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'

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
    ...entries.flatMap((bad) => [{ requests: [good, bad] }, { requests: [bad, good] }]),
  ]
}

check(
  'batch.rejected-changes-nothing',
  batching(async (context) => {
    const { api, table, unique } = context
    const plain = table('plain')
    const title = unique('unwritten')
    const bodies = rejectable(context, subRequests(api).create(plain, { title }))
    const strings = bodies.map((body) => JSON.stringify(body))
    const cut = strings.at(-1)?.slice(0, -1) ?? ''
    let rejected = 0
    let known = 0
    for (const text of [...strings, cut]) {
      const response = await rawBatch(api, text)
      const { length: written } = await recordsWith(context, plain, 'title', title, api)
      if (!response.ok) {
        rejected += 1
        expectEqual(
          written,
          known,
          `the number of records written by a batch that returned ${response.status}`,
        )
      }
      known = written
    }
    if (rejected === 0)
      throw new UntestableError('every batch returned 2xx and reported failures in the body (allowed)')
  }),
)
