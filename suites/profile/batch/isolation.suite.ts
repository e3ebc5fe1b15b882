/** What readers see of a batch while it runs (standard profile). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { MOST_ENTRIES } from '../../shared/batch/most-entries.ts'
import { equals } from '../../shared/lists/shared-records.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { listOf } from '../../shared/records/record-of.ts'

/** How many records with one title a single list shows: in the target's own words, so that any server can be asked. */
async function countSeen(context: CheckContext, title: string): Promise<number> {
  const plain = context.table('plain')
  const filter = equals(context, plain, 'title', title)
  return listOf(await context.api.list(plain, { perPage: SIZE, filter })).items.length
}

/** Records that a batch changes, in addition to one that it creates and an update that fails. */
const SIZE = MOST_ENTRIES - 2
/** Reads of each reader while a batch runs. */
const READS = 8

check('batch.isolation', async (context) => {
  context.needsAtOnce()
  const { api, table, makeMany, unique } = context
  const { create, update, remove } = subRequests(api)
  const plain = table('plain')
  const marker = unique('readers')
  const marked = () => readTable(api, plain, ({ title }) => String(title).startsWith(marker))
  let old = `${marker}-0`
  await makeMany(
    plain,
    Array.from({ length: SIZE }, () => ({ title: old })),
  )
  if ((await countSeen(context, old)) !== SIZE || (await countSeen(context, `${marker}-none`)) !== 0)
    throw new BlockedError('the list filtered by a title does not return only the records that have it')
  for (let round = 1; round <= 3; round += 1) {
    const [first = '', ...others] = (await marked()).keys()
    const fails = round % 3 === 0
    const title = `${marker}-${round}`
    const batch = api.batch([
      ...others.map((id) => update(plain, id, { title })),
      remove(plain, first),
      create(plain, { title }),
      ...(fails ? [update(plain, NO_RECORD, { title })] : []),
    ])
    // A fixed number of reads, so that a seed always gives the same requests.
    const reader = async (watched: string, allowed: readonly number[]) => {
      for (let read = 0; read < READS; read += 1) {
        const count = await countSeen(context, watched)
        expectThat(
          allowed.includes(count),
          `a reader saw part of a batch: ${count} of ${SIZE} records with one title`,
          allowed.join(' or '),
          count,
        )
      }
    }
    const readers = [
      reader(old, fails ? [SIZE] : [SIZE, 0]),
      reader(title, fails ? [0] : [0, SIZE]),
      reader(title, fails ? [0] : [0, SIZE]),
    ]
    for (const outcome of await Promise.allSettled([batch, ...readers])) {
      if (outcome.status === 'rejected') throw outcome.reason
    }
    if (!fails) {
      expectSuccess(await batch, `the batch of round ${round}`)
      old = title
    }
    const titles = [...(await marked()).values()].map((record) => record.title)
    expectEqual(
      titles,
      Array.from({ length: SIZE }, () => old),
      'the titles after the batch',
    )
  }
})
