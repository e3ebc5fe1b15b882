import { expectEqual } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/**
 * Sub-requests of long batches: what a server writes in portions is longer than one. Where so many are too many, which is
 * left open (8), nothing is written either.
 */
const lengths = [50, 101]

/** A long batch that fails writes nothing, wherever its failing sub-request is. */
export async function expectLongTogether(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const plain = table('plain')
  const { create, update } = subRequests(api)
  const title = unique('long')
  const fails = update(plain, NO_RECORD, { title })
  for (const length of lengths) {
    const good = Array.from({ length: length - 1 }, () => create(plain, { title }))
    for (const batch of [
      [...good, fails],
      [fails, ...good],
    ]) {
      await api.batch(batch)
      await expectNoneTitled(context, title, `that a failed batch of ${length} sub-requests created`)
    }
  }
}

/** A long batch that succeeds is done to its end, or rejected as a whole: a batch may also fail with a 2xx response. */
export async function expectLongWhole({ api, table, unique }: CheckContext): Promise<void> {
  const plain = table('plain')
  const [length = 0] = lengths
  const title = unique('whole')
  const { create } = subRequests(api)
  const { ok } = await api.batch(Array.from({ length }, () => create(plain, { title })))
  if (!ok) return
  const { size: written } = await readTable(api, plain, (record) => record.title === title)
  if (written > 0)
    expectEqual(written, length, `the number of records that a batch of ${length} creates made`)
}
