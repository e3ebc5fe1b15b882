/** What create, update and delete do, to the record and to the others (document 4.1). */

import fc from 'fast-check'
import { isObject } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import { createdId } from '../../../harness/cleanup/record-of-create.ts'
import {
  BlockedError,
  expectEqual,
  expectNoSuccess,
  expectSuccess,
  expectThat,
  isRejected,
} from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import { leadsElsewhere } from '../../../harness/ownership/unusable.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { ApiResponse, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { isAboutPermission } from '../../../spec/status-range.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { newAccount, newUsername } from '../../shared/auth/accounts.ts'
import { rawWholeCreate } from '../../shared/batch/entries.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { equals, fieldOf, idsOf, sortBy } from '../../shared/lists/shared-records.ts'
import { expectGone, hasReusedId } from '../../shared/records/expect-gone.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { requiredValues } from '../../shared/records/required-values.ts'
import { tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectNone } from './commands.ts'
import { expectAddressedUpdated } from './expect-addressed-updated.ts'
import { expectAlikeKept, expectAlikeNumberKept } from './expect-alike-kept.ts'
import { expectChildDeleted, expectChildUpdated } from './expect-child-updated.ts'
import { expectCreatedAtOnce } from './expect-created-at-once.ts'
import { expectCreatedElsewhere } from './expect-created-elsewhere.ts'
import { expectCreatedOnce } from './expect-created-once.ts'
import { expectEmptyApplies } from './expect-empty-applies.ts'
import { expectOwnFieldsEmptied } from './expect-own-fields-emptied.ts'
import { expectReferencedDeleted } from './expect-referenced-deleted.ts'
import { expectRelationsKept } from './expect-relations-kept.ts'
import { expectText } from './expect-text.ts'
import { expectWordsApply, expectWordsCreated } from './expect-words.ts'
import { differsAtAll } from './table-model.ts'

const anyTitle = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
/** Beyond what people give a title, and beyond the usual length of a column. */
const LONG = [100, 300] as const
/** Written by people, and read by some code as markup, a form, an entity or an escape. */
const SIGNS = ['1+1', '50%20 off', '1 < 2 and 3 > 2', 'Q&A', 'C:\\new\\folder'] as const

/**
 * Records of `plain` that the check made, as a list of the whole table shows them. Letter case is ignored:
 * `create.persists` and `update.applies` judge it.
 */
async function listed({ api, table }: CheckContext, marker: string): Promise<Map<string, WireRecord>> {
  const begins = marker.toLowerCase()
  return readTable(api, table('plain'), ({ title }) => String(title).toLowerCase().startsWith(begins))
}

/** Three records, as they are shown. */
async function three({ makeMany, table, unique }: CheckContext) {
  const marker = unique('three')
  const [a, b, c] = await makeMany(
    table('plain'),
    ['a', 'b', 'c'].map((name) => ({ title: `${marker} ${name}` })),
  )
  const titleOf = (record: WireRecord | undefined) => ({ ...record, id: record?.id ?? '' })
  const records = [titleOf(a), titleOf(b), titleOf(c)] as const
  const [{ id: one }, { id: other }, { id: last }] = records
  return { marker, records, ids: [one, other, last] as const }
}

function expectUnchanged(
  after: ReadonlyMap<string, WireRecord>,
  before: ReadonlyMap<string, WireRecord>,
  but: string,
): void {
  for (const [id, record] of before) {
    if (id === but) continue
    const now = after.get(id)
    expectThat(now !== undefined, 'another record is gone', 'it stays', record)
    expectNone(differsAtAll(now, record), 'of another record')
  }
}

check('create.persists', async (context) => {
  const { api, table, make, unique } = context
  const has = async (id: string, sent: string, what = 'the created record') => {
    const { title } = recordOf(await api.view(table('plain'), id), `a view of ${what}`)
    expectText(title, sent, `title of ${what}`)
  }
  // With letters of both cases, whatever strings follow: in another case it is another value.
  const ordinary = unique('Title')
  await has((await make(table('plain'), { title: ordinary })).id, ordinary)
  await context.property([anyTitle], async (any) => {
    // Ends with what distinguishes it from all other records.
    const title = any + unique('')
    const response = await api.create(table('plain'), { title })
    // Which strings a field accepts is left open.
    if (isRejected(response)) return
    await has(await createdIn(context, table('plain'), response), title)
  })
  // How long a string may be is left open: one that is accepted is kept whole.
  for (const length of LONG) {
    const title = `${unique('long')} ${'and so on '.repeat(length / 10)}`.trim()
    const response = await api.create(table('plain'), { title })
    if (isRejected(response)) break
    await has(await createdIn(context, table('plain'), response), title, `a record with ${length} characters`)
  }
  for (const signs of SIGNS) {
    const title = `${unique('signs')} ${signs}`
    const response = await api.create(table('plain'), { title })
    if (isRejected(response)) continue
    await has(await createdIn(context, table('plain'), response), title, `a record with ${signs}`)
  }
  await expectWordsCreated(context)
  await expectCreatedElsewhere(context)
  // Whether a client may choose an id is left open, and so is whether the id of a deleted record is free again.
  if (!context.mayExist('deleteRecord')) return
  const { id } = await make(table('plain'), { title: unique('gone') })
  if (isReusable(id) || !(await api.delete(table('plain'), id)).ok) return
  const again = unique('again')
  const response = await api.create(table('plain'), { id, title: again })
  if (!response.ok) return
  // If the response contains no id of a record, the record has the chosen one or an unknown one.
  const named = createdId(response)
  let shown = named
  if (named === undefined || !response.text.includes(again)) {
    if ((await api.view(table('plain'), id)).ok) shown = id
    else if (named !== undefined) shown = await createdIn(context, table('plain'), response)
  }
  if (shown !== undefined) await has(shown, again, 'a record that is created with the id of a deleted one')
})

check('create.listed', async (context) => {
  const { api, table, unique } = context
  const title = unique('listed')
  expectSuccess(await api.create(table('plain'), { title }), 'a create')
  expectEqual(
    [...(await listed(context, title)).values()].map((record) => record.title),
    [title],
    'the created records in the list',
  )
})

check('create.only-one', async (context) => {
  const { api, table } = context
  const { marker, ids } = await three(context)
  const before = await listed(context, marker)
  expectSuccess(await api.create(table('plain'), { title: `${marker} new` }), 'a create')
  const after = await listed(context, marker)
  expectEqual(after.size, before.size + 1, 'the number of records')
  expectUnchanged(after, before, '')
  // Whether a client may choose an id is left open. One that a record has must not lead a create to this record.
  await api.create(table('plain'), { id: ids[0], title: `${marker} again` })
  expectUnchanged(await listed(context, marker), after, '')
  await expectCreatedAtOnce(context)
  await expectCreatedOnce(context)
})

/** The title that a view shows. Other checks judge whether a record can be viewed. */
async function viewedTitle({ api, table }: CheckContext, id: string): Promise<unknown> {
  const viewed = await api.view(table('plain'), id)
  if (!viewed.ok) throw new BlockedError(`a view of the record was rejected: ${responseSummary(viewed, 300)}`)
  return recordOf(viewed).title
}

check('create.json', async (context) => {
  const { api, table, make, unique } = context
  const headers = { 'content-type': 'application/json' }
  const [first, second] = [unique('first'), unique('second')]
  const { id } = await make(table('plain'), { title: unique('old') })
  const created = await api.raw({
    method: 'POST',
    path: api.path.records(table('plain')),
    headers,
    body: JSON.stringify({
      ...requiredValues(context, table('plain')),
      [fieldOf(table('plain'), 'title')]: first,
    }),
  })
  expectSuccess(created, 'a create with application/json')
  const made = await createdIn(context, table('plain'), created)
  expectText(await viewedTitle(context, made), first, 'title of the created record')
  const updated = await api.raw({
    method: 'PATCH',
    path: api.path.record(table('plain'), id),
    headers,
    body: JSON.stringify({ [fieldOf(table('plain'), 'title')]: second }),
  })
  expectSuccess(updated, 'an update with application/json')
  expectText(await viewedTitle(context, id), second, 'title of the updated record')
})

check('update.applies', async (context) => {
  const { api, table, make, unique } = context
  const { id } = await make(table('plain'), { title: unique('old') })
  const becomes = async (sent: string) => {
    const { title } = recordOf(await api.view(table('plain'), id))
    expectText(title, sent, 'title after the update')
  }
  const ordinary = unique('New')
  expectSuccess(await api.update(table('plain'), id, { title: ordinary }), 'an update')
  await becomes(ordinary)
  // What was sent before may be sent again.
  for (const sent of [unique('newer'), ordinary]) {
    if (isRejected(await api.update(table('plain'), id, { title: sent }))) break
    await becomes(sent)
  }
  for (const signs of SIGNS) {
    const title = `${unique('signs')} ${signs}`
    if (!isRejected(await api.update(table('plain'), id, { title }))) await becomes(title)
  }
  await expectEmptyApplies(context)
  await expectOwnFieldsEmptied(context)
  await expectWordsApply(context)
  await expectChildUpdated(context)
  await context.property([anyTitle], async (any) => {
    // Ends with what distinguishes it from all other records.
    const title = any + unique('')
    const response = await api.update(table('plain'), id, { title })
    if (isRejected(response)) return
    expectSuccess(response, 'an update')
    await becomes(title)
  })
})

/** The same for accounts that sign in by name. */
async function expectOthersNamed(context: CheckContext): Promise<void> {
  if (!context.hasTable('named') || !context.knows('superuser')) return
  const root = context.api.as('superuser')
  const named = () => newAccount(context, 'named', { username: newUsername(context) })
  const [one, other] = [await named(), await named()]
  const view = await root.view(other.table, other.id)
  // Whether superusers may view accounts is left open.
  if (isAboutPermission(view.status)) return
  const before = recordOf(view)
  if (isRejected(await root.update(one.table, one.id, { name: context.unique('name') }))) return
  expectNone(differsAtAll(recordOf(await root.view(other.table, other.id)), before), 'of another account')
}

check('update.only-one', async (context) => {
  const { api, table } = context
  const { marker, ids } = await three(context)
  for (const [at, id] of ids.entries()) {
    const before = await listed(context, marker)
    // As long as the title before, and like no other: a field may have a maximum length, or unique values.
    expectSuccess(
      await api.update(table('plain'), id, { title: `${marker} ${'xyz'.charAt(at)}` }),
      'an update',
    )
    const after = await listed(context, marker)
    expectEqual(after.size, before.size, 'the number of records')
    expectUnchanged(after, before, id)
  }
  await expectOthersNamed(context)
  await expectAddressedUpdated(context)
  await expectAlikeKept(context, 'an update', (id) =>
    api.update(table('plain'), id, { title: context.unique('other') }),
  )
  await expectAlikeNumberKept(context)
})

check('update.missing-refused', async (context) => {
  const { api, table, rejects } = context
  const { marker, ids } = await three(context)
  await rejects({
    control: () => api.update(table('plain'), ids[0], { title: `${marker} a` }),
    attempt: () => api.update(table('plain'), NO_RECORD, { title: `${marker} lost` }),
  })
  await expectNoUpsert(context, marker)
  expectEqual(
    (await listed(context, marker)).size,
    3,
    'the number of records after an update of an id that no record has',
  )
  await expectNoUpdateByAlike(context, ids[0])
})

/** The update contains every field that the table requires, so a server that creates missing records would create this one. */
async function expectNoUpsert(context: CheckContext, marker: string): Promise<void> {
  const { api, table } = context
  const plain = table('plain')
  if (plain.values === undefined) return
  const { body } = rawWholeCreate(context, plain, { title: `${marker} whole` })
  const response = await api.update(plain, NO_RECORD, body ?? {})
  expectNoSuccess(response, 'an update of an id that no record has, with all values of a record')
}

interface Alike {
  what: string
  id: string
}

/**
 * Ids that no record has, and that a server may take for the one that it is like: without its last character, and with
 * letters behind it, which a parser of numbers ignores.
 */
async function alikeIds(context: CheckContext, id: string): Promise<Alike[]> {
  if (!context.mayExist('viewRecord')) return []
  const longer = { what: 'an id with letters behind it', id: `${id}conf` }
  // A server may show a number, whatever the document says.
  const part = String(id).slice(0, -1)
  // A short id may be given to another client's record at any moment.
  if (isReusable(part) || (await ablest(context).view(context.table('plain'), part)).ok) return [longer]
  return [{ what: 'an id without its last character', id: part }, longer]
}

/** Such an id does not lead to the record: no record has it, so its update is rejected as well. */
async function expectNoUpdateByAlike(context: CheckContext, id: string): Promise<void> {
  const { api, table, unique } = context
  for (const alike of await alikeIds(context, id)) {
    const title = unique('alike')
    const response = await api.update(table('plain'), alike.id, { title })
    expectNoSuccess(response, `an update of ${alike.what}`)
    const { title: now } = recordOf(await api.view(table('plain'), id), 'a view after that update')
    expectThat(now !== title, `${alike.what} leads to the record`, 'no update', now)
  }
}

check('delete.removes', async (context) => {
  const { api, table } = context
  const { ids, records } = await three(context)
  const view = await api.view(table('plain'), ids[1])
  expectSuccess(view, 'a view before the delete')
  const byId = plainById(context, view)
  const isKnown = byId !== undefined && (await api.view(byId, ids[1])).ok
  expectSuccess(await api.delete(table('plain'), ids[1]), 'a delete')
  expectGone(await api.view(table('plain'), ids[1]), records[1], 'a view of the deleted record')
  if (isKnown)
    expectGone(
      await api.view(byId, ids[1]),
      records[1],
      'a view of the deleted record by the identifier of the table',
    )
  await expectReferencedDeleted(context)
  await expectChildDeleted(context)
})

/** The table by the identifier that a view shows; undefined if it shows none. */
function plainById({ table }: CheckContext, { body }: ApiResponse): TableRef | undefined {
  return isObject(body) ? tableByIdIfShown(table('plain'), body) : undefined
}

/** Whether lists by the identifier of the table contain deleted records, if they contain those that are there. */
async function expectUnlistedById(context: CheckContext): Promise<void> {
  const { api, table, make, unique } = context
  const plain = table('plain')
  const gone = await make(plain, { title: unique('gone') })
  const { id } = gone
  const byId = plainById(context, await api.view(plain, id))
  if (byId === undefined) return
  const listedById = () => readTable(api, byId, () => true)
  const before = await unlessPrevented(listedById)
  if (before?.has(id) !== true) return
  expectSuccess(await api.delete(plain, id), 'a delete')
  const after = await listedById()
  const listed = after.get(id)
  expectThat(
    listed === undefined || hasReusedId(listed, gone),
    'a list by the identifier of the table shows a deleted record',
    'no record',
    id,
  )
  // Of records that others deleted, only those that stay in this list and are missing in the other.
  const byName = await readTable(api, plain, () => true)
  for (const [other, record] of after) {
    if (byName.has(other) || (await api.view(plain, other)).ok) continue
    const later = await readTable(api, plain, (each) => each.id === other)
    const stays: boolean =
      later.size === 0 && (await readTable(api, byId, (each) => each.id === other)).size > 0
    expectThat(
      !stays,
      'a list by the identifier of the table shows a record that the table no longer has',
      'the records that a list by its name shows',
      record,
    )
  }
}

check('delete.unlisted', async (context) => {
  const { api, table } = context
  const { marker, ids } = await three(context)
  expectSuccess(await api.delete(table('plain'), ids[1]), 'a delete')
  expectEqual(
    [...(await listed(context, marker)).keys()].sort(),
    [ids[0], ids[2]].sort(),
    'the ids in the list after the delete',
  )
  await expectNowhereListed(context)
  await expectUnlistedById(context)
})

/** The same for lists with a filter, an order or both, if they show the record before it is deleted. */
async function expectNowhereListed(context: CheckContext): Promise<void> {
  const { api, make, table, unique, unknownForms } = context
  const plain = table('plain')
  const title = unique('gone')
  const gone = await make(plain, { title })
  const { id } = gone
  const [filter, sort] = [
    equals(context, plain, 'title', title),
    sortBy(context, plain, 'created', 'descending'),
  ]
  const hasForm = { filter: !unknownForms.includes('filter'), sort: !unknownForms.includes('order') }
  const queries = [
    ...(hasForm.filter ? [{ filter }] : []),
    ...(hasForm.sort ? [{ sort }] : []),
    ...(hasForm.filter && hasForm.sort ? [{ filter, sort }] : []),
  ]
  const shows = async (query: Query) => {
    const response = await api.list(plain, query)
    return response.ok && itemsOf(response).some((item) => item.id === id && !hasReusedId(item, gone))
  }
  const shown: Query[] = []
  for (const query of queries) if (await shows(query)) shown.push(query)
  expectSuccess(await api.delete(plain, id), 'a delete')
  for (const query of shown)
    expectThat(
      !(await shows(query)),
      `a list with ${Object.keys(query).join(' and ')} shows a deleted record`,
      'a list without it',
      id,
    )
}

check('delete.only-one', async (context) => {
  const { api, table, makeMany } = context
  const { marker, ids } = await three(context)
  const before = await listed(context, marker)
  expectSuccess(await api.delete(table('plain'), ids[0]), 'a delete')
  expectUnchanged(await listed(context, marker), before, ids[0])
  // Two concurrent deletes: one may be rejected; exactly the accepted ones take effect.
  const more = await makeMany(
    table('plain'),
    [1, 2, 3].map((n) => ({ title: `${marker} ${n}` })),
  )
  const gone = more.slice(0, 2).map(({ id }) => id)
  const responses = await Promise.all(gone.map((id) => api.delete(table('plain'), id)))
  const deleted = gone.filter((_, at) => responses[at]?.ok)
  expectEqual(
    [...(await listed(context, marker)).keys()].sort(),
    [...ids.slice(1), ...idsOf(more)].filter((id) => !deleted.includes(id)).sort(),
    'the ids in the list after two concurrent deletes',
  )
  await expectNoDeleteByAlike(context, ids[1])
  await expectRelationsKept(context)
  await expectAlikeKept(context, 'a delete', (id) => api.delete(table('plain'), id))
})

/** The same for its delete. What the response is does not matter: there is nothing to delete. */
async function expectNoDeleteByAlike(context: CheckContext, id: string): Promise<void> {
  const { api, table } = context
  for (const alike of await alikeIds(context, id)) {
    await api.delete(table('plain'), alike.id)
    const view = await api.view(table('plain'), id)
    expectSuccess(view, `a view of a record after a delete of ${alike.what}`)
  }
}

check('delete.final', async (context) => {
  const { api, table, rejects } = context
  const { ids, records } = await three(context)
  const title = context.unique('late')
  expectSuccess(await api.delete(table('plain'), ids[0]), 'a delete')
  // From here on, nothing may be sent to a short id that another record has.
  if (hasReusedId((await api.view(table('plain'), ids[0])).body, records[0])) return
  await rejects({
    control: () => api.update(table('plain'), ids[1], { title }),
    attempt: () => api.update(table('plain'), ids[0], { title }),
  })
  const afterwards = await api.view(table('plain'), ids[0])
  expectGone(afterwards, records[0], 'a view after an update of the deleted record')
  if (afterwards.ok) return
  // A server may call it done, too: there is nothing left to delete.
  await api.delete(table('plain'), ids[0])
  expectGone(await api.view(table('plain'), ids[0]), records[0], 'a view after a second delete')
})

check('view.missing-refused', async (context) => {
  const { api, table, rejects } = context
  const { marker, ids } = await three(context)
  await rejects({
    control: () => api.view(table('plain'), ids[0]),
    attempt: () => api.view(table('plain'), NO_RECORD),
  })
  // A part of an id may be the id of another record, which is shown then.
  const id = String(ids[0])
  for (const part of [id.slice(0, -1), id.slice(0, Math.ceil(id.length * 0.6))]) {
    if (part === '' || ids.includes(part) || leadsElsewhere(part)) continue
    const { ok, text } = await api.view(table('plain'), part)
    expectThat(!ok || !text.includes(marker), 'a part of an id leads to its record', 'no record', text)
  }
  const { ok, text } = await api.view(table('plain'), `${id}conf`)
  expectThat(
    !ok || !text.includes(marker),
    'an id with letters behind it leads to a record',
    'no record',
    text,
  )
})

check('view.no-effect', async (context) => {
  const { api, table } = context
  const { marker, ids } = await three(context)
  const before = await listed(context, marker)
  expectEqual([...before.keys()].sort(), ids.toSorted(), 'the ids of the records that were created')
  for (const id of ids) recordOf(await api.view(table('plain'), id))
  await api.view(table('plain'), NO_RECORD)
  const after = await listed(context, marker)
  expectEqual(after.size, before.size, 'the number of records after reading')
  expectUnchanged(after, before, '')
})
