/** PUT in a batch: update where the id exists, else create (standard profile, gap `batch.response`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { entriesOf, entryRecord, subRequests } from '../../shared/batch/entries.ts'
import { newId } from '../../shared/records/new-id.ts'
import { recordOf } from '../../shared/records/record-of.ts'

check('batch.upsert-creates', async ({ api, table, unique }) => {
  const { upsert } = subRequests(api)
  const plain = table('plain')
  const id = newId(unique)
  const titles = [unique('given'), unique('absent'), unique('empty')]
  const entries = entriesOf(
    await api.batch([
      upsert(plain, { id, title: titles[0] }),
      upsert(plain, { title: titles[1] }),
      upsert(plain, { id: '', title: titles[2] }),
    ]),
  )
  expectEqual(entryRecord(entries, 0).id, id, 'the id that the client chose')
  for (const [n, title] of titles.entries()) {
    const record = entryRecord(entries, n)
    expectThat(record.id !== '', `entry ${n} has no id`, 'an id', record)
    expectEqual(recordOf(await api.view(plain, record.id)).title, title, `title of the record of entry ${n}`)
  }
})

check('batch.upsert-updates', async ({ api, table, unique }) => {
  const { upsert } = subRequests(api)
  const everything = table('everything')
  const before = recordOf(await api.create(everything, { text: unique('before'), number: 5 }))
  const text = unique('after')
  const entries = entriesOf(await api.batch([upsert(everything, { id: before.id, text })]))
  const after = recordOf(await api.view(everything, before.id))
  expectEqual(entryRecord(entries, 0), after, 'the entry and a view of the record')
  expectEqual(
    [after.text, after.number, after.created],
    [text, 5, before.created],
    'text, number and created after the upsert',
  )
})
