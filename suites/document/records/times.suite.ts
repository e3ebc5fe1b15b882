/** The moments of creation and of the last update (document 2.1). */

import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { ownedBy, signedInIfPossible, viewOfAccount } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { everyShape } from './every-shape.ts'
import { expectCreatedKept } from './expect-created-kept.ts'
import { shapesAfterSetting } from './shapes-after-setting.ts'

const TIMESTAMP = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

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
  // Some servers send the Date of the moment in which the connection was opened.
  const clocks = [...known, Date.now()]
  // A clock that was moved may or may not be the one that the date header shows.
  const near = clocks.some((now) =>
    [0, clock.moved].some((moved) => isNear(moment(shown), now + moved * 1000)),
  )
  if (near) return
  if (known.length === 0 && !clock.offered)
    expectThat(
      !isInOtherZone(moment(shown), Date.now()),
      `\`${field}\` is not in UTC: it differs from the tester's clock as much as another time zone`,
      `about ${new Date().toISOString()}`,
      shown,
    )
  if (known.length === 0)
    throw new BlockedError(
      "the server sends no Date header: its clock is unknown and differs from the tester's",
    )
  if (reported === undefined && clock.offered)
    throw new UntestableError(
      "the server's clock can be moved, and nothing shows its current time",
      'make the hook "clock" return { "now": ... }: docs/mail-and-oauth.md',
    )
  const stands = known.map((now) => new Date(now).toISOString()).join(' or ')
  const fact = `\`${field}\` is far from the server's clock`
  // A run may have left the server's clock ahead, and the Date header may not show that.
  const cause = reported === undefined ? ', unless an earlier run moved that clock ahead' : ''
  expectThat(false, `${fact}${cause}`, `about ${stands}`, shown)
}

/**
 * Whether a time is as far from another one as a time zone: quarter hours, to ten seconds. A clock that is wrong by accident is
 * rarely that near. The tester's own may be set to local time.
 */
function isInOtherZone(one: number, other: number): boolean {
  const quarter = 15 * 60_000
  const difference = Math.abs(one - other)
  const zones = Math.round(difference / quarter)
  return zones >= 1 && zones <= 56 && Math.abs(difference - zones * quarter) < 10_000
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
  await expectCreatedKept(context, me, soon)
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
  const { api, has, make, mayExist, table, unique } = context
  const plain = table('plain')
  const changed = await make(plain, { title: unique('old') })
  for (const what of ['an update', 'a second update'])
    await expectMoves(context, what, plain, changed.id, async () => {
      expectSuccess(await api.update(plain, changed.id, { title: unique('new') }), what)
      return true
    })
  await expectMovesByTyped(context)
  await expectMovesOfAccount(context)
  if (!has('batch') || !mayExist('batch')) return
  const { id } = await make(plain, { title: unique('old') })
  // Who may send a batch is left open.
  await expectMoves(context, 'an update in a batch', plain, id, async () => {
    const { ok } = await api.batch([subRequests(api).update(plain, id, { title: unique('new') })])
    return ok
  })
})

/** The same for updates of a number and of a bool alone. Which values a field takes is left open. */
async function expectMovesByTyped(context: CheckContext): Promise<void> {
  const { api, hasTable, make, table, unique } = context
  if (!hasTable('everything')) return
  const everything = table('everything')
  const made = await unlessPrevented(() => make(everything, { text: unique('typed') }))
  if (made === undefined) return
  for (const [field, values] of [
    ['number', [1, 2]],
    ['bool', [true, false]],
  ] as const) {
    let turn = 0
    await expectMoves(context, `an update of a ${field}`, everything, made.id, async () => {
      const value = values[turn++ % values.length]
      const { ok } = await api.update(everything, made.id, { [field]: value })
      return ok && recordOf(await api.view(everything, made.id))[field] === value
    })
  }
  await expectMovesByEmptying(context, everything, made.id)
}

/** The same for updates that empty a field which was filled before. An empty value may be shown in any form. */
async function expectMovesByEmptying(context: CheckContext, table: TableRef, id: string): Promise<void> {
  const { api } = context
  for (const [field, full, empty] of [
    ['number', 3, 0],
    ['bool', true, false],
    ['url', 'https://example.com/full', ''],
  ] as const) {
    const isFull = async () => recordOf(await api.view(table, id))[field] === full
    const write = async (value: unknown) => (await api.update(table, id, { [field]: value })).ok
    await expectMoves(
      context,
      `an update that empties a ${field}`,
      table,
      id,
      async () => (await write(empty)) && !(await isFull()),
      async () => (await write(full)) && (await isFull()),
    )
  }
}

/** The same for an account. Who may update and view one is left open, and so are the fields of its table. */
async function expectMovesOfAccount(context: CheckContext): Promise<void> {
  const me = await signedInIfPossible(context)
  if (me === undefined) return
  const { table, id } = me
  const api = ablest(context, me.api)
  const shown = await api.view(table, id)
  // Whether it shows when it was updated is another requirement.
  if (!shown.ok || Number.isNaN(moment(recordOf(shown).updated))) return
  await expectMoves({ api }, 'an update of an account', table, id, async () => {
    const name = context.unique('name')
    if (!(await api.update(table, id, { name })).ok) return false
    const view = await api.view(table, id)
    return view.ok && recordOf(view).name === name
  })
}

/**
 * @param change returns whether it was done: otherwise nothing is expected
 * @param prepare done before each change; returns the same
 */
async function expectMoves(
  { api }: Pick<CheckContext, 'api'>,
  what: string,
  table: TableRef,
  id: string,
  change: () => Promise<boolean>,
  prepare: () => Promise<boolean> = async () => true,
): Promise<void> {
  let before: unknown
  let updated: unknown
  for (const wait of [soon, nextSecond]) {
    if (!(await prepare())) return
    before = recordOf(await api.view(table, id)).updated
    await wait()
    if (!(await change())) return
    updated = recordOf(await api.view(table, id)).updated
    if (moment(updated) > moment(before)) return
  }
  expectThat(false, `\`updated\` did not change with ${what}`, `later than ${before}`, updated)
}

/** Long enough for the next millisecond to begin, and for a coarse clock. */
const soon = () => sleep(20)

/** For a clock of full seconds. */
const nextSecond = () => sleep(1_100)
