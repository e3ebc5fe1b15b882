/** What the document says of every record, its table and its operations (document 1, 2.1, 2.3, 4.1, 9). */

import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { tableHint } from '../../../harness/judging/gate.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { ownedBy, signedInIfPossible, viewOfAccount } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { formOf, textFile } from '../../shared/records/forms.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { neededIn, relationOf } from '../../shared/records/relation-of.ts'
import { samples } from '../../shared/records/samples.ts'
import { tableById, tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { takesSameTitle } from '../../shared/records/takes-same-title.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectIdKept } from './expect-id-kept.ts'
import { expectText } from './expect-text.ts'
import { shapesAfterSetting } from './shapes-after-setting.ts'
import { mappingHint, unknownFields, unmappedFields } from './unknown-fields.ts'
import { updateAsTaken } from './update-as-taken.ts'

const TIMESTAMP = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/**
 * The records of several tables, two in each, as a view and a list return them. Each is judged before the next request, so
 * that a failure shows the deciding request last.
 */
async function* everyShape(
  context: CheckContext,
): AsyncGenerator<{ table: TableRef; record: WireRecord; from: string }> {
  const { api, make, unique } = context
  for (const [role, field] of [
    ['plain', 'title'],
    ['related', 'name'],
    ['parent', 'name'],
    ['child', 'name'],
  ] as const) {
    if (role !== 'plain' && !context.hasTable(role)) continue
    const table = context.table(role)
    const needed = await neededIn(context, role)
    for (let n = 0; n < 2; n += 1) {
      const body = { ...needed, [field]: unique(field) }
      // A record of `child` may be the only one of its parent.
      const made = role === 'child' ? await unlessPrevented(() => make(table, body)) : await make(table, body)
      if (made === undefined) break
      yield { table, record: recordOf(await api.view(table, made.id)), from: 'a view' }
      const listed = (await readTable(api, table, ({ id }) => id === made.id)).get(made.id)
      if (listed === undefined)
        throw new BlockedError(`The list of ${table.name} does not contain a record that was just created.`)
      yield { table, record: listed, from: 'a list' }
    }
  }
}

check('record.id', async (context) => {
  for await (const { record, from } of everyShape(context)) {
    expectThat(
      typeof record.id === 'string' && record.id !== '',
      `\`id\` in ${from} is not a string`,
      'a string',
      record.id,
    )
  }
})

check('record.id-unique', async (context) => {
  const { api, table, makeMany, unique } = context
  const title = unique('same')
  const isSame = await takesSameTitle(context)
  const made = await makeMany(
    table('plain'),
    Array.from({ length: 20 }, (_, at) => ({ title: isSame ? title : `${title} ${at}` })),
  )
  const ids = new Set(made.map(({ id }) => id))
  expectEqual(ids.size, made.length, `the number of different ids in the responses to ${made.length} creates`)
  // An id that a list shows twice is reported here. Other checks judge whether a list shows all records.
  await readTable(api, table('plain'), (record) => String(record.title).startsWith(title))
})

check('record.id-stable', async (context) => {
  const { api, table, make, unique } = context
  const { id } = await make(table('plain'), { title: unique('old') })
  const title = unique('new')
  expectSuccess(await api.update(table('plain'), id, { title }), 'an update')
  const viewed = recordOf(await api.view(table('plain'), id))
  expectEqual(viewed.id, id, 'id after an update')
  expectText(viewed.title, title, 'title after an update')
  await expectIdKept(context)
})

check('record.collection-id', async (context) => {
  for await (const { table, record, from } of everyShape(context)) {
    const { collectionId } = record
    expectThat(
      typeof collectionId === 'string' && collectionId !== '',
      `\`collectionId\` in ${from} is not a string`,
      'a string',
      collectionId,
    )
    if (table.id !== undefined) expectEqual(collectionId, table.id, `\`collectionId\` in ${from}`)
  }
  const { collectionId } = await context.make(context.table('plain'), { title: context.unique('title') })
  for await (const { record, from } of shapesAfterSetting(context, 'collectionId', ['another-table']))
    expectEqual(record.collectionId, collectionId, `\`collectionId\` in ${from}`)
})

check('record.collection-id-distinct', async (context) => {
  const byTable = new Map<string, unknown>()
  for await (const { table, record, from } of everyShape(context)) {
    expectEqual(
      record.collectionId,
      byTable.get(table.name) ?? record.collectionId,
      `\`collectionId\` in ${from} of ${table.name}`,
    )
    byTable.set(table.name, record.collectionId)
  }
  if (byTable.size < 2)
    throw new UntestableError('the target has no second table to compare with', tableHint('related'))
  expectEqual(new Set(byTable.values()).size, byTable.size, 'the number of tables by collectionId')
})

check('record.collection-name', async (context) => {
  for await (const { table, record, from } of everyShape(context)) {
    expectEqual(record.collectionName, table.name, `\`collectionName\` in ${from}`)
  }
  for await (const { record, from } of shapesAfterSetting(context, 'collectionName', ['another-table']))
    expectEqual(record.collectionName, context.table('plain').name, `\`collectionName\` in ${from}`)
})

check('record.collection-name-by-id', async (context) => {
  const { api, make, unique } = context
  for (const [role, field] of [
    ['plain', 'title'],
    ['related', 'name'],
  ] as const) {
    if (!context.hasTable(role)) continue
    const table = context.table(role)
    const { id, collectionId } = await make(table, { [field]: unique(field) })
    const byId = tableById(table, { id, collectionId })
    const expectName = (shown: unknown, from: string) =>
      expectEqual(shown, table.name, `\`collectionName\` in ${from} by the identifier of the table`)
    expectName(recordOf(await api.view(byId, id)).collectionName, 'a view')
    const listed = await readTable(api, byId, (record) => record.id === id)
    expectName(listed.get(id)?.collectionName, 'a list')
    // The document does not show what writes return: only a record in the response is judged.
    for (const [what, written] of [
      ['a create', await api.create(byId, { [field]: unique(field) })],
      ['an update', await api.update(byId, id, { [field]: unique(field) })],
    ] as const)
      if (written.ok && isObject(written.body) && 'collectionName' in written.body)
        expectName(written.body.collectionName, `the response to ${what}`)
  }
})

/**
 * Strings in other forms than timestamps have. Whether a client may set the moments of a record is left open: where it may,
 * `updated` must not be earlier than `created`.
 */
const OTHER_FORMS = {
  created: ['yesterday', '2001-02-03T04:05:06Z'],
  updated: ['yesterday', '2091-02-03T04:05:06Z'],
} as const

async function expectTimestamp(context: CheckContext, field: 'created' | 'updated'): Promise<void> {
  for await (const { record, from } of everyShape(context)) expectStamp(record[field], field, from)
  for await (const { record, from } of shapesAfterSetting(context, field, OTHER_FORMS[field]))
    expectStamp(record[field], field, from)
}

function expectStamp(shown: unknown, field: string, from: string): void {
  const value = String(shown)
  expectThat(
    TIMESTAMP.test(value),
    `\`${field}\` in ${from} is not a timestamp in the documented form`,
    'YYYY-MM-DD HH:MM:SS.mmmZ',
    shown,
  )
  const iso = value.replace(' ', 'T')
  expectThat(
    !Number.isNaN(Date.parse(iso)) && new Date(iso).toISOString() === iso,
    `\`${field}\` in ${from} is not a valid date`,
    'a valid date',
    value,
  )
}

check('record.created', (context) => expectTimestamp(context, 'created'))

check('record.updated', (context) => expectTimestamp(context, 'updated'))

const moment = (value: unknown) => Date.parse(String(value).replace(' ', 'T'))

/** Whether a timestamp of a record is the current time, by the server's clock as far as it is known. */
async function expectPresent(
  { clock }: CheckContext,
  field: 'created' | 'updated',
  response: ApiResponse,
): Promise<void> {
  const shown = recordOf(response)[field]
  const reported = await clock.now()
  const { date } = response.headers
  const known = [reported, date === undefined ? undefined : Date.parse(date)].filter(
    (each) => each !== undefined,
  )
  const clocks = known.length > 0 ? known : [Date.now()]
  // A clock that was moved may or may not be the one that the date header shows.
  const near = clocks.some((now) =>
    [0, clock.moved].some((moved) => isNear(moment(shown), now + moved * 1000)),
  )
  if (near) return
  if (known.length === 0)
    throw new BlockedError(
      "the server sends no Date header: its clock is unknown and differs from the tester's",
    )
  if (reported === undefined && clock.offered)
    throw new UntestableError(
      "the server's clock can be moved, and nothing shows its current time",
      'make the hook "clock" return { "now": ... }: docs/mail-and-oauth.md',
    )
  const stands = clocks.map((now) => new Date(now).toISOString()).join(' or ')
  const fact = `\`${field}\` is far from the server's clock`
  // A run may have left the server's clock ahead, and the Date header may not show that.
  const cause = reported === undefined ? ', unless an earlier run moved that clock ahead' : ''
  expectThat(false, `${fact}${cause}`, `about ${stands}`, shown)
}

check('record.created-utc', async (context) => {
  const { api, table, make, unique } = context
  const { id } = await make(table('plain'), { title: unique('now') })
  await expectPresent(context, 'created', await api.view(table('plain'), id))
})

check('record.updated-utc', async (context) => {
  const { api, table, make, unique } = context
  const { id } = await make(table('plain'), { title: unique('old') })
  expectSuccess(await api.update(table('plain'), id, { title: unique('new') }), 'an update')
  await expectPresent(context, 'updated', await api.view(table('plain'), id))
  await expectPresentInBatch(context, id)
})

/** The same for a record that a batch updates, and for one that it creates. Who may send a batch is left open. */
async function expectPresentInBatch(context: CheckContext, id: string): Promise<void> {
  const { api, has, mayExist, table, unique } = context
  if (!has('batch') || !mayExist('batch')) return
  const plain = table('plain')
  const { create, update } = subRequests(api)
  const title = unique('batch')
  const { ok } = await api.batch([update(plain, id, { title: unique('new') }), create(plain, { title })])
  if (!ok) return
  await expectPresent(context, 'updated', await api.view(plain, id))
  const [made] = await recordsWith(context, plain, 'title', title)
  if (made === undefined) return
  const view = await api.view(plain, made.id)
  for (const field of ['created', 'updated'] as const) await expectPresent(context, field, view)
}

/** Tolerates a slow response, and a date header in whole seconds: neither means a wrong zone. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 60_000
}

check('record.created-fixed', async (context) => {
  const { api, table, make, unique } = context
  const plain = table('plain')
  const before = await make(plain, { title: unique('old') })
  const related = context.hasTable('related')
    ? await unlessPrevented(() => make(table('related'), { name: unique('old') }))
    : undefined
  const me = await signedInIfPossible(context)
  await soon()
  const expectFixed = (view: ApiResponse, { created }: WireRecord, how: string) =>
    expectEqual(recordOf(view).created, created, `\`created\` after an update${how}`)
  expectSuccess(await api.update(plain, before.id, { title: unique('new') }), 'an update')
  expectFixed(await api.view(plain, before.id), before, '')
  // Any of these may be rejected: who may update what, and with which fields, is left open.
  await api.update(plain, before.id, {})
  expectFixed(await api.view(plain, before.id), before, ' without fields')
  for (const [who, other] of [
    ['a signed-in user', me?.api],
    ['a superuser', context.knows('superuser') ? api.as('superuser') : undefined],
  ] as const) {
    if (other === undefined) continue
    await other.update(plain, before.id, { title: unique('new') })
    expectFixed(await api.view(plain, before.id), before, ` by ${who}`)
  }
  const byId = tableByIdIfShown(plain, before)
  if (byId !== undefined) {
    await api.update(byId, before.id, { title: unique('new') })
    expectFixed(await api.view(plain, before.id), before, ' by the identifier of the table')
  }
  if (context.has('batch') && context.mayExist('batch')) {
    await api.batch([subRequests(api).update(plain, before.id, { title: unique('new') })])
    expectFixed(await api.view(plain, before.id), before, ' in a batch')
  }
  if (related !== undefined) {
    await api.update(table('related'), related.id, { name: unique('new') })
    expectFixed(await api.view(table('related'), related.id), related, ` in ${table('related').name}`)
  }
  if (me?.record.created === undefined) return
  await me.api.update(me.table, me.id, { name: unique('new') })
  const view = await viewOfAccount(context, me)
  if (view.ok) expectFixed(view, me.record, ' of an account')
})

/** A server may read the clock twice during a create, or store `updated` in whole seconds. */
const TOLERANCE_MS = 1000

/** Records of the tables that `everyShape` leaves out, as a client with permission sees them. */
async function* otherShapes(context: CheckContext): AsyncGenerator<{ record: WireRecord; from: string }> {
  const { hasTable, table, unique, make } = context
  const api = ablest(context)
  for (const [role, field] of Object.entries(OTHER_TABLES)) {
    if (!hasTable(role)) continue
    const view = await unlessPrevented(async () =>
      api.view(table(role), (await make(table(role), { [field]: unique(field) })).id),
    )
    if (view?.ok) yield { record: recordOf(view), from: `a view in ${table(role).name}` }
  }
  const me = await signedInIfPossible(context)
  if (me === undefined) return
  const account = await viewOfAccount(context, me)
  if (account.ok) yield { record: recordOf(account), from: 'a view of an account' }
  if (!hasTable('owned')) return
  const owned = await unlessPrevented(() => ownedBy(context, me))
  if (owned === undefined) return
  const view = await me.api.view(table('owned'), owned.id)
  if (view.ok) yield { record: recordOf(view), from: `a view in ${table('owned').name}` }
}

/** The text field of each. */
const OTHER_TABLES = { everything: 'text', locked: 'title' } as const

async function* allShapes(context: CheckContext): AsyncGenerator<{ record: WireRecord; from: string }> {
  yield* everyShape(context)
  // Whether they show both, and in which form, is another requirement.
  for await (const shape of otherShapes(context))
    if ([shape.record.created, shape.record.updated].every((stamp) => !Number.isNaN(moment(stamp))))
      yield shape
}

check('record.updated-after-created', async (context) => {
  for await (const { record, from } of allShapes(context)) {
    const early = moment(record.created) - moment(record.updated)
    expectThat(
      early <= TOLERANCE_MS,
      `\`updated\` in ${from} is earlier than \`created\``,
      String(record.created),
      record.updated,
    )
  }
})

check('record.updated-moves', async (context) => {
  const { api, has, mayExist, table, unique } = context
  const plain = table('plain')
  await expectMoves(context, 'an update', async (id) => {
    expectSuccess(await api.update(plain, id, { title: unique('new') }), 'an update')
    return true
  })
  if (!has('batch') || !mayExist('batch')) return
  // Who may send a batch is left open.
  await expectMoves(context, 'an update in a batch', async (id) => {
    const { ok } = await api.batch([subRequests(api).update(plain, id, { title: unique('new') })])
    return ok
  })
})

/** @param change returns whether it was done: otherwise nothing is expected */
async function expectMoves(
  { api, table, make, unique }: CheckContext,
  what: string,
  change: (id: string) => Promise<boolean>,
): Promise<void> {
  const before = await make(table('plain'), { title: unique('old') })
  let updated: unknown
  for (const wait of [soon, nextSecond]) {
    await wait()
    if (!(await change(before.id))) return
    updated = recordOf(await api.view(table('plain'), before.id)).updated
    if (moment(updated) > moment(before.updated)) return
  }
  expectThat(false, `\`updated\` did not change with ${what}`, `later than ${before.updated}`, updated)
}

/** Long enough for the next millisecond to begin, and for a coarse clock. */
const soon = () => sleep(20)

/** For a clock of full seconds. */
const nextSecond = () => sleep(1_100)

check('record.table-fields', async ({ api, table, hasTable, make, unique }) => {
  const text = unique('text')
  for (const bool of [true, false]) {
    const { id } = await make(table('everything'), { text, bool })
    const viewed = recordOf(await api.view(table('everything'), id))
    expectText(viewed.text, text, 'text in a view')
    expectEqual(viewed.bool, bool, 'bool in a view')
  }
  if (!hasTable('related')) return
  const { id } = await make(table('related'), { name: text })
  expectEqual(recordOf(await api.view(table('related'), id)).name, text, 'name in a view of another table')
})

check('relation.single-id', async (context) => {
  const { api, make, unique } = context
  const { child, parent } = relationOf(context)
  const related = await make(parent, { name: unique('parent') })
  const response = await api.create(child, { name: unique('child'), parent: related.id })
  const id = await createdIn(context, child, response, 'a create with a relation')
  const viewed = recordOf(await api.view(child, id))
  expectEqual(viewed.parent, related.id, 'the relation in a view')
})

check('field-types.all', async ({ api, table, make, unique }) => {
  const everything = table('everything')
  const related = await make(table('related'), { name: unique('related') })
  const body = { ...samples(related.id), text: unique('text') }
  const { id } = await make(everything, { text: body.text })
  // How values are written and files are sent is left open; that the record shows its fields is not.
  const taken = await updateAsTaken(api, everything, id, body)
  const upload = await api.update(everything, id, formOf([['file', textFile('upload.txt')]]))
  const viewed = recordOf(await api.view(everything, id))
  const lacking = [...Object.keys(body), 'stamp', 'file'].filter(
    (field) => field !== 'password' && !(field in viewed),
  )
  if (lacking.length === 0) return
  const accepted = lacking.filter((field) =>
    field === 'file' ? upload.ok : field === 'stamp' || taken.includes(field),
  )
  const unknown = await unknownFields(api, everything, id, accepted)
  const hidden = accepted.filter((field) => !unknown.includes(field))
  expectThat(
    hidden.length === 0,
    `the record does not show its ${hidden.join(', ')} field${hidden.length === 1 ? '' : 's'}`,
    `the key ${hidden[0]}`,
    viewed,
  )
  if (unknown.length > 0) throw unmappedFields(everything, lacking)
  // A server may leave out what has no value.
  throw new UntestableError(
    `the target accepts no value that the suite knows for ${lacking.join(', ')}, and omits fields without a value`,
    everything.existing === true ? mappingHint(everything, lacking) : '',
  )
})

check('view.record', async ({ api, table, makeMany, unique }) => {
  const made = await makeMany(
    table('plain'),
    [1, 2, 3].map((n) => ({ title: unique(`title${n}`) })),
  )
  for (const { id, title } of made) {
    const viewed = recordOf(await api.view(table('plain'), id))
    expectEqual([viewed.id, viewed.title], [id, title], 'id and title in a view')
  }
  const twice = [...made, ...made]
  const responses = await Promise.allSettled(twice.map(({ id }) => api.view(table('plain'), id)))
  for (const [at, outcome] of responses.entries()) {
    if (outcome.status === 'rejected') throw outcome.reason
    const { id, title } = recordOf(outcome.value, 'a concurrent view')
    expectEqual([id, title], [twice[at]?.id, twice[at]?.title], 'id and title in a concurrent view')
  }
})

check('relation.leads-to-record', async (context) => {
  const { api, make, unique } = context
  const { child, parent } = relationOf(context)
  const related = await make(parent, { name: unique('parent') })
  const { id } = await make(child, { name: unique('child'), parent: related.id })
  const shown = recordOf(await api.view(child, id)).parent
  expectEqual(
    recordOf(await api.view(parent, String(shown))).name,
    related.name,
    'the record that the relation leads to',
  )
})
