/** Project API keys (document 5). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  isRejected,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { tableHint } from '../../../harness/judging/gate.ts'
import type { Api, ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ApiKey, TableRef } from '../../../harness/vocabulary/target.ts'
import type { KeyAction } from '../../../spec/vocabulary.ts'
import { does, showsRecord } from '../../shared/auth/does.ts'
import { everyAction } from '../../shared/auth/every-action.ts'
import { expectClosed } from '../../shared/auth/expect-closed.ts'
import { expectPowerless, lockedPlace } from '../../shared/auth/expect-powerless.ts'
import { refreshedIfPossible } from '../../shared/auth/expect-session.ts'
import { otherSessions } from '../../shared/auth/other-sessions.ts'
import { stringsIn } from '../../shared/auth/session-in.ts'
import {
  ownedBy,
  type SignedIn,
  signedIn,
  signedInIfPossible,
  updatesItself,
  viewedAccount,
} from '../../shared/auth/sessions.ts'
import { flipped, flippedNearEnd, recased } from '../../shared/auth/tampering.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { expandBy, listById, recordsWith } from '../../shared/lists/shared-records.ts'
import { neededIn } from '../../shared/records/relation-of.ts'
import { namesOf, tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

const READ: readonly KeyAction[] = ['list', 'view']

/** A key that may list and view the table that is closed to guests, and a record there. */
async function reader(context: CheckContext) {
  const locked = context.table('locked')
  const record = await context.make(locked, { title: context.unique('title') })
  const key = await context.apiKeys.make({ tables: [locked], actions: READ })
  return { locked, record, key, api: asKey(context, key) }
}

function asKey({ api }: CheckContext, { key }: ApiKey): Api {
  return api.withToken(key, 'key')
}

/** The list of one record of the table that is closed to guests. */
function listOne(
  context: CheckContext,
  api: Api,
  id: string,
  locked: TableRef = context.table('locked'),
): Promise<ApiResponse> {
  return listById(context, api, locked, id)
}

/** Nothing of the record is revealed: the request is rejected, or its response omits the record. Both are allowed. */
function expectUntold(response: ApiResponse, id: string, what: string): void {
  expectThat(!showsRecord(response, { id }), `${what} shows its records`, 'none', response.text)
}

check('api-key.accepted', async (context) => {
  const { locked, record, api } = await reader(context)
  await expectClosed(context, record)
  expectSuccess(await api.view(locked, record.id), 'a view with a key')
  expectSuccess(await api.list(locked), 'a list with a key')
})

check('api-key.all-tables', async (context) => {
  const [locked, plain] = [context.table('locked'), context.table('plain')]
  const { record, api: reading } = await reader(context)
  const open = await context.make(plain, { title: context.unique('title') })
  await expectClosed(context, record)
  // In both orders: a key may be treated as one of the first table, or of the last.
  for (const tables of [
    [locked, plain],
    [plain, locked],
  ]) {
    const api = asKey(context, await context.apiKeys.make({ tables, actions: READ }))
    expectSuccess(await api.view(locked, record.id), 'a view of one table with a key for two')
    expectSuccess(await api.view(plain, open.id), 'a view of the other table with a key for two')
  }
  const byId = tableByIdIfShown(locked, record)
  if (byId === undefined || !(await context.api.as('superuser').view(byId, record.id)).ok) return
  expectSuccess(await reading.view(byId, record.id), 'a view with a key by the identifier of the table')
})

check('api-key.table-scope', async (context) => {
  const { locked, record, api } = await reader(context)
  const hasOwned = context.hasTable('owned')
  const me = hasOwned ? await signedIn(context) : await signedInIfPossible(context)
  expectSuccess(await api.view(locked, record.id), 'a view of a table in scope')
  if (hasOwned && me !== undefined) {
    const mine = await ownedBy(context, me)
    await expectOutOfScope(context, api, context.table('owned'), mine)
  }
  await expectOwnScope(context, api, record)
  await expectNotExpanded(context, record)
  const isElsewhereClosed = await expectNothingElsewhere(context, api)
  const areAccountsClosed = me !== undefined && (await expectNoAccounts(context, me))
  if (hasOwned || context.hasTable('plain') || isElsewhereClosed || areAccountsClosed) return
  throw new UntestableError(
    `no table but ${locked.name} is closed to guests, so nothing shows the scope of a key`,
    tableHint('owned'),
  )
})

/** A key for another table shows nothing of a record that guests do not see, by any name of its table. */
async function expectOutOfScope(
  context: CheckContext,
  api: Api,
  table: TableRef,
  record: WireRecord,
): Promise<void> {
  for (const name of namesOf(table, record)) {
    const by = name === table ? '' : ' by the identifier'
    expectUntold(await api.view(name, record.id), record.id, `a view${by} of a table out of scope`)
    const list = await listById(context, api, name, record.id)
    expectUntold(list, record.id, `a list${by} of a table out of scope`)
  }
}

/** Tables that are open by their role, and that a server of the tester may close to guests: someone then stands in for them. */
const standInRoles = { plain: 'title', parent: 'name', child: 'name', related: 'name' } as const

/**
 * The same for tables where someone stands in for guests.
 *
 * @returns whether one of them is closed to guests
 */
async function expectNothingElsewhere(context: CheckContext, api: Api): Promise<boolean> {
  const tried = new Set([context.table('locked').name])
  let isClosed = false
  for (const [role, field] of Object.entries(standInRoles)) {
    if (!context.hasTable(role)) continue
    const table = context.table(role)
    if (table.as === undefined || tried.has(table.name)) continue
    tried.add(table.name)
    const record = await unlessPrevented(async () =>
      context.make(table, { ...(await neededIn(context, role)), [field]: context.unique('closed') }),
    )
    if (record === undefined || !(await context.api.as('superuser').view(table, record.id)).ok) continue
    const guest = context.api.withoutToken()
    if (showsRecord(await guest.view(table, record.id), record)) continue
    if (showsRecord(await listById(context, guest, table, record.id), record)) continue
    isClosed = true
    await expectOutOfScope(context, api, table, record)
  }
  return isClosed
}

/** A key does not get the scope of the key that sent the previous request. */
async function expectOwnScope(context: CheckContext, other: Api, { id }: WireRecord): Promise<void> {
  if (!context.hasTable('plain')) return
  const [locked, plain] = [context.table('locked'), context.table('plain')]
  const api = asKey(context, await context.apiKeys.make({ tables: [plain], actions: READ }))
  for (const reads of [(as: Api) => as.view(locked, id), (as: Api) => listOne(context, as, id)]) {
    expectSuccess(await reads(other), 'a read with the other key')
    expectUntold(await reads(api), id, 'a read out of scope after one with another key')
  }
}

/**
 * A key cannot read a record of a table out of its scope through a relation of a table in scope. The document does not
 * say which relations can be expanded. Records that a guest can read in the same way prove nothing.
 */
async function expectNotExpanded(context: CheckContext, { id, title }: WireRecord): Promise<void> {
  if (!context.hasTable('hiding') || !context.mayExist('listRecords') || typeof title !== 'string') return
  const { api, apiKeys, table, unique } = context
  const hiding = table('hiding')
  const scoped = await unlessPrevented(async () => ({
    from: await context.make(hiding, { title: unique('from'), closed: id }),
    key: asKey(context, await apiKeys.make({ tables: [hiding], actions: READ })),
  }))
  if (scoped === undefined) return
  const { from, key } = scoped
  const expand = expandBy(context, hiding, 'closed')
  for (const [what, read] of Object.entries({
    list: (as: Api) => listById(context, as, hiding, from.id, { expand }),
    view: (as: Api) => as.view(hiding, from.id, { expand }),
  })) {
    const shows = async (as: Api): Promise<boolean> => {
      const response = await read(as)
      return response.ok && stringsIn(response.body).includes(title)
    }
    const isTold: boolean = (await shows(key)) && !(await shows(api))
    expectThat(!isTold, `an expansion in a ${what} shows a record of a table out of scope`, 'none', title)
  }
}

/**
 * Accounts are out of the scope of a key for another table. What guests or other accounts may do there shows nothing.
 *
 * @returns whether there was anything that they may not do
 */
async function expectNoAccounts(context: CheckContext, me: SignedIn): Promise<boolean> {
  const { api, apiKeys, unique } = context
  const key = await unlessPrevented(() =>
    apiKeys.make({ tables: [context.table('locked')], actions: everyAction }),
  )
  const stranger = await signedInIfPossible(context)
  if (key === undefined || stranger === undefined) return false
  let isClosed = false
  for (const [what, isDone] of Object.entries({
    shows: async (by: Api) => showsRecord(await by.view(me.table, me.id), me),
    lists: async (by: Api) => showsRecord(await listById(context, by, me.table, me.id), me),
    updates: async (by: Api) => {
      const name = unique('name')
      await by.update(me.table, me.id, { name })
      const seen = await unlessPrevented(() => viewedAccount(context, me))
      return seen?.name === name
    },
  })) {
    if ((await isDone(api)) || (await isDone(stranger.api))) continue
    isClosed = true
    const isBeyond: boolean = await isDone(asKey(context, key))
    expectThat(!isBeyond, `a key ${what} an account of a table out of its scope`, 'a rejection', me.id)
  }
  return isClosed
}

const WRITE = ['create', 'update', 'delete'] as const satisfies readonly KeyAction[]

/**
 * The actions that a key must not perform. The document does not say which scopes exist: unless the tester says which
 * actions a key has, the only rule is that a key for reading must not write.
 *
 * @param asked the actions that were requested for the key
 */
function beyond(asked: readonly KeyAction[], { actions }: ApiKey): readonly KeyAction[] {
  if (actions !== undefined) return everyAction.filter((action) => !actions.includes(action))
  return asked.every((action) => READ.includes(action)) ? WRITE : []
}

/**
 * The actions that a key must be able to perform: those that the tester reports, otherwise those that were requested.
 */
function granted(asked: readonly KeyAction[], { actions }: ApiKey): readonly KeyAction[] {
  return actions ?? asked
}

check('api-key.action-scope', async (context) => {
  const locked = context.table('locked')
  for (const asked of [READ, WRITE, ...everyAction.map((action) => [action])]) {
    const key = await context.apiKeys.make({ tables: [locked], actions: asked })
    const api = asKey(context, key)
    for (const action of beyond(asked, key)) {
      const record = await context.make(locked, { title: context.unique('title') })
      const done = await does(context, api, action, record)
      expectThat(!done, `a key for ${asked.join(', ')} does ${action}`, 'no effect', 'done')
      const byId = tableByIdIfShown(locked, record)
      if (asked !== READ || byId === undefined) continue
      const doneById = await does(context, api, action, record, byId)
      const what = `a key for ${asked.join(', ')} does ${action} by the identifier of the table`
      expectThat(!doneById, what, 'no effect', 'done')
    }
    for (const action of granted(asked, key)) {
      const record = await context.make(locked, { title: context.unique('title') })
      const done = await does(context, api, action, record)
      expectThat(done, `a key for ${asked.join(', ')} does not ${action}`, 'done', 'no effect')
    }
  }
  await expectOnlyInBoth(context)
})

/** A key that may only read may not write either if it is for two tables, in both orders. */
async function expectOnlyInBoth(context: CheckContext): Promise<void> {
  const locked = context.table('locked')
  const role = ['owned', 'plain'].find((each) => context.hasTable(each))
  if (role === undefined) return
  const other = context.table(role)
  for (const tables of [
    [locked, other],
    [other, locked],
  ]) {
    const key = await unlessPrevented(() => context.apiKeys.make({ tables, actions: READ }))
    if (key === undefined) return
    for (const action of beyond(READ, key)) {
      const record = await context.make(locked, { title: context.unique('title') })
      const done = await does(context, asKey(context, key), action, record)
      expectThat(!done, `a key for ${READ.join(', ')} in two tables does ${action}`, 'no effect', 'done')
    }
  }
}

/** A key that may only read, or perform one action, cannot write anything else in a batch either. */
async function expectOnly(context: CheckContext, asked: readonly KeyAction[]): Promise<void> {
  const locked = context.table('locked')
  const record = await context.make(locked, { title: context.unique('title') })
  const key = await context.apiKeys.make({ tables: [locked], actions: asked })
  const api = asKey(context, key)
  const { create, update, remove } = subRequests(api)
  const [root, title] = [context.api.as('superuser'), context.unique('not-by-key')]
  const writesTo = (table: TableRef) => ({
    create: create(table, { title }),
    update: update(table, record.id, { title }),
    delete: remove(table, record.id),
  })
  const byId = asked === READ ? tableByIdIfShown(locked, record) : undefined
  for (const action of WRITE.filter((each) => beyond(asked, key).includes(each)))
    for (const table of byId === undefined ? [locked] : [locked, byId])
      await api.batch([writesTo(table)[action]])
  const what = `a batch with a key for ${asked.join(', ')}`
  const left = await root.view(locked, record.id)
  expectSuccess(left, `a view of the record that ${what} must not delete`)
  const { length } = await recordsWith(context, locked, 'title', title, root)
  expectEqual(length, 0, `the number of records that ${what} must not write`)
}

check('api-key.batch-scope', async (context) => {
  const { api, table, unique } = context
  const locked = table('locked')
  const mine = await ownedBy(context, await signedIn(context))
  // Scoped to one table: scopes of actions may be coarser than one action.
  const key = asKey(context, await context.apiKeys.make({ tables: [locked], actions: everyAction }))
  const [title, other] = [unique('title'), unique('title')]
  const inside = { method: 'POST', url: api.path.records(locked), body: { title } }
  const outside = { method: 'DELETE', url: api.path.record(table('owned'), mine.id) }
  const control = await key.batch([{ ...inside, body: { title: other } }])
  // Whether keys may send batches at all is left open.
  if (!control.ok && !isRejected(control))
    throw new BlockedError(`a batch within the scope of a key fails: ${control.status}`)
  await key.batch([inside, outside])
  const byId = tableByIdIfShown(table('owned'), mine)
  if (byId !== undefined) await key.batch([inside, { ...outside, url: api.path.record(byId, mine.id) }])
  const root = api.as('superuser')
  expectSuccess(
    await root.view(table('owned'), mine.id),
    'a view of the record that the batch must not delete',
  )
  const items = await recordsWith(context, locked, 'title', title, root)
  expectThat(
    items.length === 0,
    'part of a batch beyond the scope of its key took effect',
    'no effect',
    items,
  )
  for (const asked of [READ, ...WRITE.map((action) => [action])]) await expectOnly(context, asked)
})

check('api-key.shown-once', async (context) => {
  const locked = context.table('locked')
  const key = await context.apiKeys.make({ tables: [locked], actions: everyAction })
  const api = asKey(context, key)
  const me = await signedIn(context)
  const mine = await ownedBy(context, me)
  const root = context.api.as('superuser')
  const record = await context.make(locked, { title: context.unique('title') })
  const { owned, title } = { owned: context.table('owned'), title: context.unique('title') }
  // All that the key may do and may not, and what others are shown of the same records.
  for (const response of [
    await api.view(locked, record.id),
    await api.list(locked),
    await api.create(locked, { title }),
    await api.update(locked, record.id, { title }),
    await api.view(owned, mine.id),
    await api.list(owned),
    await api.authMethods(me.table),
    await api.authRefresh(me.table),
    await root.view(locked, record.id),
    await root.list(locked),
    await me.api.view(owned, mine.id),
    await me.api.authRefresh(me.table),
  ])
    expectThat(
      !response.text.includes(key.key),
      'a response shows a key again',
      'no key',
      response.exchange.request.url,
    )
})

check('api-key.revoked', async (context) => {
  const { locked, record, key, api } = await reader(context)
  expectSuccess(await api.view(locked, record.id), 'a view before the revocation')
  await context.apiKeys.revoke(key)
  expectUntold(await api.view(locked, record.id), record.id, 'a view with a revoked key')
  expectUntold(await listOne(context, api, record.id), record.id, 'a list with a revoked key')
  await expectNothingDone(context)
})

/** A key that was revoked does nothing that a guest may not do. */
async function expectNothingDone(context: CheckContext): Promise<void> {
  const { table, apiKeys } = context
  const locked = table('locked')
  const key = await unlessPrevented(() => apiKeys.make({ tables: [locked], actions: everyAction }))
  if (key === undefined) return
  const revoked = asKey(context, key)
  const isWriter = await does(context, revoked, 'create', { id: '' })
  await apiKeys.revoke(key)
  if (isWriter) await expectPowerless(context, [revoked], 'a revoked key', lockedPlace(context))
}

check('api-key.revocation-spares-sessions', async (context) => {
  const { key } = await reader(context)
  const me = await signedIn(context)
  const others = [await refreshedIfPossible(context, 'members'), await refreshedIfPossible(context, 'staff')]
  const inUse = []
  for (const each of await otherSessions(context)) if (await updatesItself(context, each.me)) inUse.push(each)
  await context.apiKeys.revoke(key)
  for (const { by, me: session } of inUse)
    expectThat(
      await updatesItself(context, session),
      `after a key was revoked, a session by ${by} no longer updates its own record`,
      'accepted',
      'rejected',
    )
  for (const session of [me, ...others])
    if (session !== undefined)
      expectSuccess(
        await session.api.authRefresh(session.table),
        'a refresh of a session after a key was revoked',
      )
})

check('api-key.revocation-spares-keys', async (context) => {
  const [one, other, last] = [await reader(context), await reader(context), await reader(context)]
  for (const [which, { key }] of Object.entries({ older: one, newer: last })) {
    await context.apiKeys.revoke(key)
    const what = `a list with another key after the ${which} one was revoked`
    expectSuccess(await other.api.list(other.locked), what)
  }
})

check('api-key.altered', async (context) => {
  const { record, key, api } = await reader(context)
  const { id } = record
  expectEqual(itemsOf(await listOne(context, api, id)).length, 1, 'the number of records listed with the key')
  for (const altered of alterations(key.key))
    expectUntold(
      await listOne(context, context.api.withToken(altered, 'altered key'), id),
      id,
      'a list with an altered key',
    )
  if (key.id !== undefined && key.id !== key.key) {
    const named = context.api.withToken(String(key.id), 'identifier of a key')
    expectUntold(
      await listOne(context, named, id),
      id,
      'a list with the identifier of a key instead of the key',
    )
  }
  const whole = await context.apiKeys.make({ tables: [context.table('locked')], actions: everyAction })
  const clients = alterations(whole.key).map((each) => context.api.withToken(each, 'altered key'))
  await expectPowerless(context, clients, 'an altered key', lockedPlace(context))
})

/** A key with one change each. */
function alterations(key: string): string[] {
  return [
    flipped(key, 0),
    flipped(key, 1 / 3),
    flipped(key, 2 / 3),
    flippedNearEnd(key),
    key.slice(0, -1),
    `${key}A`,
    recased(key),
  ].filter((altered) => altered !== undefined)
}
