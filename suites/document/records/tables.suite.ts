/** Tables and their paths (document 1, 4.1). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectNoSuccess,
  expectSuccess,
  expectThat,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { tableHint } from '../../../harness/judging/gate.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { stringsIn } from '../../shared/auth/session-in.ts'
import { expectGone } from '../../shared/records/expect-gone.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { tableById } from '../../shared/records/table-by-id.ts'
import { expectListedById } from './expect-listed-by-id.ts'
import { expectOutOfReach } from './expect-out-of-reach.ts'
import { expectText } from './expect-text.ts'
import { sameText } from './same-value.ts'

check('table.by-name', async ({ api, table, make, unique }) => {
  const { id: _id, ...byName } = table('plain')
  const title = unique('title')
  const record = await make(table('plain'), { title })
  expectText(
    recordOf(await api.view(byName, record.id)).title,
    title,
    'title in a view by the name of the table',
  )
})

check('table.by-id', async (context) => {
  const { api, table, make, unique } = context
  const plain = table('plain')
  const title = unique('title')
  const record = await make(plain, { title })
  const byId = tableById(plain, record)
  expectText(
    recordOf(await api.view(byId, record.id)).title,
    title,
    'title in a view by the identifier of the table',
  )
  const listed = () => readTable(api, byId, ({ id }) => id === record.id)
  expectEqual((await listed()).size, 1, 'how often a list by the identifier of the table contains the record')
  const later = unique('later')
  const updated = await api.update(plain, record.id, { title: later })
  if (updated.ok && sameText(recordOf(await api.view(plain, record.id)).title, later)) {
    const after = 'after an update by the name of the table'
    expectText(
      recordOf(await api.view(byId, record.id)).title,
      later,
      `title in a view by its identifier ${after}`,
    )
    expectText((await listed()).get(record.id)?.title, later, `title in a list by its identifier ${after}`)
  }
  await expectListedById(context)
})

check('table.by-id-writes', async (context) => {
  const { api, table, make, unique } = context
  const record = await make(table('plain'), { title: unique('title') })
  const byId = tableById(table('plain'), record)
  const title = unique('title')
  const id = await createdIn(
    context,
    byId,
    await api.create(byId, { title: unique('title') }),
    'a create by the identifier of the table',
  )
  expectSuccess(await api.update(byId, id, { title }), 'an update by the identifier of the table')
  expectText(recordOf(await api.view(table('plain'), id)).title, title, 'title after that update')
  expectSuccess(await api.delete(byId, id), 'a delete by the identifier of the table')
  const gone = { ...record, id, title }
  expectGone(await api.view(table('plain'), id), gone, 'a view after that delete')
})

/** A table without the records of `plain`. */
function otherTable(context: CheckContext): TableRef {
  const plain = context.table('plain')
  const other = Object.values(relationOf(context)).find(({ name }) => name !== plain.name)
  if (other === undefined)
    throw new UntestableError('the target has no second table to compare with', tableHint('related'))
  return other
}

check('table.separate', async (context) => {
  const { api, table, make, unique } = context
  const title = unique('title')
  const { id } = await make(table('plain'), { title })
  const own = recordOf(await api.view(table('plain'), id), 'a view in its own table')
  if (own.title !== title) throw new BlockedError('a view does not show the title that identifies the record')
  const other = otherTable(context)
  // Two tables may give the same id to records of theirs.
  const viewed = await api.view(other, id)
  if (viewed.ok) {
    expectThat(!viewed.text.includes(title), 'another table shows the record', 'none', viewed.text)
    const isListed = async () => (await readTable(api, other, (record) => record.id === id)).size > 0
    expectThat(
      !stringsIn(viewed.body).includes(id) || isReusable(id) || (await isListed()),
      'another table shows a record with the same id, and does not list it',
      'none',
      viewed.text,
    )
  } else expectNoSuccess(viewed, 'a view in another table')
  const holding = (record: WireRecord) => JSON.stringify(record).includes(title)
  const elsewhere = await readTable(api, other, holding)
  expectEqual(elsewhere.size, 0, 'how often another table lists the record')
  if (!viewed.ok) await expectOutOfReach(context, other, id, title)
})

check('table.missing-refused', async ({ api, table, make, rejects, unique }) => {
  const { id } = await make(table('plain'), { title: unique('title') })
  const nowhere = { role: 'none', name: unique('conf_none').replace(/\W/g, '_') }
  const [title, changed] = [unique('title'), unique('changed')]
  await rejects({ control: () => api.list(table('plain')), attempt: () => api.list(nowhere) })
  await rejects({ control: () => api.view(table('plain'), id), attempt: () => api.view(nowhere, id) })
  await rejects({
    control: () => api.create(table('plain'), { title }),
    attempt: () => api.create(nowhere, { title }),
  })
  await rejects({
    control: () => api.update(table('plain'), id, { title: changed }),
    attempt: () => api.update(nowhere, id, { title: changed }),
  })
  await rejects({ control: () => api.delete(table('plain'), id), attempt: () => api.delete(nowhere, id) })
  // Whatever the response, a server must not use another table instead.
  const kept = unique('kept')
  const other = await make(table('plain'), { title: kept })
  await api.update(nowhere, other.id, { title: unique('lost') })
  await api.delete(nowhere, other.id)
  expectText(
    recordOf(await api.view(table('plain'), other.id), 'a view').title,
    kept,
    'title after an update and a delete in a table that does not exist',
  )
})
