import { expectEqual } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/**
 * Lengths of long batches: longer than the portions in which a server may write. If a server rejects so many
 * sub-requests, which the document leaves open (8), it must not write anything either.
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

/** A long batch takes effect completely, or not at all: a batch may also fail with a 2xx response. */
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
