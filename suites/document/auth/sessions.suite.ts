/** Refresh and impersonation (document 4.2, 5). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectSuccess,
  expectThat,
  isRejected,
  objectBody,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import { credentialHint } from '../../../harness/session/actors.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { Api, ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { isRecordTime } from '../../../spec/formats.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { type Account, newAccount, newUsername } from '../../shared/auth/accounts.ts'
import { expectOfSameTable, signedInWithOneId } from '../../shared/auth/accounts-of-one-id.ts'
import { does, operationOf, type TableAction } from '../../shared/auth/does.ts'
import { everyAction } from '../../shared/auth/every-action.ts'
import { expectAsByPassword } from '../../shared/auth/expect-as-by-password.ts'
import { expectNameField } from '../../shared/auth/expect-name-field.ts'
import { expectRefreshOffered } from '../../shared/auth/expect-refresh-offered.ts'
import {
  expectAccepted,
  expectNoSession,
  expectSession,
  refreshedIfPossible,
  tokenAfterRefresh,
} from '../../shared/auth/expect-session.ts'
import { otherSessions, sessionsElsewhere } from '../../shared/auth/other-sessions.ts'
import { sessionIn, shownIn } from '../../shared/auth/session-in.ts'
import {
  deleteAccount,
  expectGuarded,
  isAlive,
  ownedBy,
  refreshed,
  type SignedIn,
  signedIn,
  signedInAmongOthers,
  signedInIfPossible,
  updatesItself,
  viewedAccount,
} from '../../shared/auth/sessions.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

check('refresh.extends', async (context) => {
  const me = await signedIn(context)
  const token = await tokenAfterRefresh(context, me)
  const again = await context.api.withToken(token, 'refreshed').authRefresh(me.table)
  expectAccepted(again, me, 'a request with the refreshed token')
  // That one may have ended it.
  const other = await refreshedIfPossible(context, 'members')
  if (other !== undefined) await expectAsByPassword(context, other, 'refresh')
})

/** What an account may do and a guest may not, which shows whose a token is. */
interface OwnDeed {
  what: string
  send(api: Api): Promise<ApiResponse>
}

function ownUpdate(context: CheckContext, { table, id }: SignedIn): OwnDeed {
  const send = (api: Api) => api.update(table, id, { name: context.unique('name') })
  return { what: 'an update of its own record', send }
}

/** Where the account may not update itself, a view that is its own. Undefined: none is known. */
async function ownView(context: CheckContext, me: SignedIn): Promise<OwnDeed | undefined> {
  const mine = await seenByOwner(context, me)
  if (mine !== undefined)
    return {
      what: 'a view of a record of its own',
      send: (api) => api.view(context.table('owned'), mine.id),
    }
  const send = (api: Api) => api.view(me.table, me.id)
  const isOwn = (await send(me.api)).ok && isRejected(await send(context.api))
  return isOwn ? { what: 'a view of its own record', send } : undefined
}

async function ownDeed(context: CheckContext, me: SignedIn): Promise<OwnDeed | undefined> {
  const update = ownUpdate(context, me)
  return (await update.send(me.api)).ok ? update : ownView(context, me)
}

/**
 * A token acts as the account. Where the account may do nothing that shows it, the record in a refresh does.
 *
 * @throws BlockedError if a refresh shows no record either
 */
async function expectActsAs(
  context: CheckContext,
  me: SignedIn,
  token: string,
  deed: OwnDeed | undefined,
  when: string,
): Promise<void> {
  const api = context.api.withToken(token, 'continued')
  if (deed !== undefined) return expectSuccess(await deed.send(api), `${deed.what} ${when}`)
  const refresh = await api.authRefresh(me.table)
  if (!refresh.ok || sessionIn(refresh).recordId === undefined)
    throw new BlockedError(
      'an account may not update its own record, and neither a view nor a refresh shows whose a token is',
    )
  expectAccepted(refresh, me, `a refresh ${when}`)
}

check('refresh.same-record', async (context) => {
  const both = [await signedIn(context), await signedIn(context)]
  const deeds: (OwnDeed | undefined)[] = []
  for (const me of both) deeds.push(await ownDeed(context, me))
  const tokens: string[] = []
  for (const me of both) tokens.push(await tokenAfterRefresh(context, me))
  for (const [at, me] of both.entries())
    await expectActsAs(context, me, tokens[at] ?? '', deeds[at], 'after a refresh')
  await expectCurrentRecord(context)
  await expectNotOfOtherTable(context)
})

/**
 * The `record` next to a token is that of the account, not a copy of what it was at the sign-in or at the refresh before
 * (2.5). Whether a refresh shows one is left open, and so is who may update and view it.
 */
async function expectCurrentRecord(context: CheckContext): Promise<void> {
  const me = await signedInIfPossible(context)
  if (me === undefined) return
  const api = ablest(context, me.api)
  let { token } = me
  for (const since of ['the sign-in', 'the refresh before']) {
    const name = context.unique('name')
    if (!(await api.update(me.table, me.id, { name })).ok) return
    const view = await api.view(me.table, me.id)
    if (!view.ok || objectBody(view).name !== name) return
    const response = await context.api.withToken(token, 'user').authRefresh(me.table)
    const shown = shownIn(response)
    const next = sessionIn(response).token
    if (!response.ok || next === undefined || shown.id !== me.id || !('name' in shown)) return
    expectEqual(shown.name, name, `name in \`record\` of a refresh after an update since ${since}`)
    expectNotOlder(shown, objectBody(view), `a refresh after an update since ${since}`)
    token = next
  }
}

/** A refresh may itself be what updates a record: only an older time than a view showed before is wrong. */
function expectNotOlder(
  { updated }: Record<string, unknown>,
  viewed: Record<string, unknown>,
  what: string,
): void {
  const [now, before] = [String(updated), String(viewed.updated)]
  if (!isRecordTime(now) || !isRecordTime(before)) return
  expectThat(now >= before, `\`updated\` in \`record\` of ${what} is older than in a view`, before, now)
}

/**
 * A refresh under the name of another auth table does not turn the session into one of a record there. It may be
 * rejected. If its response contains a record, that must be the record that signed in, in its own table.
 */
async function expectNotOfOtherTable(context: CheckContext): Promise<void> {
  const members = context.table('members')
  const expectOwn = async (me: SignedIn | undefined, table: TableRef) => {
    const response = await me?.api.authRefresh(table)
    if (me !== undefined && response?.ok) expectOfSameTable(response, me, 'a refresh under another table')
  }
  for (const role of ['staff', 'mfa', 'named'])
    if (context.hasTable(role)) await expectOwn(await signedInIfPossible(context), context.table(role))
  if (!context.hasTable('staff')) return
  // Where a server counts ids in each table, an older account of the larger table has the same id.
  await expectOwn(await signedInIfPossible(context, 'staff'), members)
  const pair = await signedInWithOneId(context)
  if (pair === undefined) return
  await expectOwn(pair[0], context.table('staff'))
  await expectOwn(pair[1], members)
}

check('refresh.session-required', async (context) => {
  const me = await signedIn(context)
  const control = await me.api.authRefresh(me.table)
  await expectRefreshOffered(context, me.table, control)
  expectSuccess(control, 'a refresh with a session')
  const withToken = (token: string) => context.api.withToken(token, 'bogus')
  for (const [what, api] of [
    ['a refresh without a session', context.api],
    ['a refresh with a made-up token', withToken('nonsense')],
    ['a refresh with the id of an account as a token', withToken(me.id)],
    ['a refresh with the email address of an account as a token', withToken(me.email)],
  ] as const)
    for (const table of namesOf(me.table, me.record)) {
      const response = await api.authRefresh(table)
      await expectNoSession(context, me.table, response, what)
    }
  await expectNoneByKey(context, me)
})

/** A key has no session to extend. */
async function expectNoneByKey(context: CheckContext, { table }: SignedIn): Promise<void> {
  if (!context.hasTable('locked')) return
  const made = await unlessPrevented(() =>
    context.apiKeys.make({ tables: [context.table('locked')], actions: ['list', 'view'] }),
  )
  if (made === undefined) return
  const response = await context.api.withToken(made.key, 'key').authRefresh(table)
  await expectNoSession(context, table, response, 'a refresh with an API key')
}

check('impersonate.acts-as-record', async (context) => {
  const me = await signedInAmongOthers(context)
  await expectActsAsRecord(context, me)
  await expectOtherToken(context)
})

async function expectActsAsRecord(context: CheckContext, me: SignedIn): Promise<void> {
  const mayUpdate = await updatesItself(context, me)
  const view = mayUpdate ? undefined : await ownView(context, me)
  if (!mayUpdate && view === undefined)
    expectThat(await isAlive(context, me), 'the token of a sign-in is not accepted', 'accepted', 'rejected')
  const mayCreate = (await createsItsOwn(context, me))?.ok === true
  const token = await expectSession(
    context,
    await context.api.as('superuser').impersonate(me.table, me.id),
    me,
    'an impersonation',
  )
  await expectElsewhere(context)
  const api = context.api.withToken(token, 'impersonated')
  if (mayCreate) {
    const create = await createsItsOwn(context, { ...me, api })
    if (create !== undefined) expectSuccess(create, 'a create of a record of its own with the token')
  }
  if (!mayUpdate) return expectActsAs(context, me, token, view, 'with the token')
  const name = context.unique('name')
  const update = await api.update(me.table, me.id, { name })
  expectSuccess(update, 'an update of its own record with the token')
  const updated = await viewedAccount(context, { ...me, api })
  expectNameField(me.table, me.record, updated)
  expectEqual(updated.name, name, 'the name after the update')
}

/**
 * While one impersonation lives, another of the same table gives the token of its own record. Whether there may be several
 * at a time is left open.
 */
async function expectOtherToken(context: CheckContext): Promise<void> {
  const root = context.api.as('superuser')
  const [one, other] = [await signedInIfPossible(context), await signedInIfPossible(context)]
  if (one === undefined || other === undefined) return
  const deed = await ownDeed(context, other)
  if (!(await root.impersonate(one.table, one.id)).ok) return
  const response = await root.impersonate(other.table, other.id)
  if (!response.ok) return
  const what = 'an impersonation after one of another account'
  const token = await expectSession(context, response, other, what)
  await expectActsAs(context, other, token, deed, `with the token of ${what}`)
}

/** A create of a record that the account owns. Undefined if there is no table for it: who may create there is left open. */
async function createsItsOwn(context: CheckContext, { id, api }: SignedIn): Promise<ApiResponse | undefined> {
  if (!context.hasTable('owned') || !context.mayExist('createRecord')) return undefined
  return api.create(context.table('owned'), { title: context.unique('own'), owner: id })
}

/** A record that its owner sees and a guest does not; undefined if there is none. Who may update an account is left open. */
function seenByOwner(context: CheckContext, me: SignedIn): Promise<WireRecord | undefined> {
  return unlessPrevented(async () => {
    const mine = await ownedBy(context, me)
    await expectGuarded(context, context.table('owned'), mine.id)
    return (await me.api.view(context.table('owned'), mine.id)).ok ? mine : undefined
  })
}

/**
 * Which of these actions a client can perform in the table that is closed to guests; undefined if that is not visible.
 */
async function actionsInLocked(
  context: CheckContext,
  api: Api,
  among: readonly TableAction[],
): Promise<Map<TableAction, boolean | undefined>> {
  const done = new Map<TableAction, boolean | undefined>()
  if (!context.hasTable('locked') || among.length === 0) return done
  const title = context.unique('closed')
  const record = await unlessPrevented(() => context.make(context.table('locked'), { title }))
  if (record === undefined) return done
  for (const action of among) {
    const isOffered = context.mayExist(operationOf[action]) && (action !== 'batch' || context.has('batch'))
    if (isOffered) done.set(action, await unlessPrevented(() => does(context, api, action, record)))
  }
  return done
}

/** Impersonation does not depend on the table: a superuser can impersonate accounts of all auth tables, or of none. */
async function expectElsewhere(context: CheckContext): Promise<void> {
  for (const role of ['staff', 'named']) {
    const account = await unlessPrevented(() =>
      newAccount(context, role, role === 'named' ? { username: newUsername(context) } : {}),
    )
    if (account === undefined) continue
    const response = await context.api.as('superuser').impersonate(account.table, account.id)
    expectAccepted(response, account, `an impersonation in ${account.table.name}`)
    expectOfSameTable(response, account, `an impersonation in ${account.table.name}`)
  }
}

check('impersonate.no-more-than-record', async (context) => {
  const [me, other] = [await signedIn(context), await newAccount(context)]
  const root = context.api.as('superuser')
  const rename = (api: Api) => api.update(other.table, other.id, { name: context.unique('name') })
  const control = await rename(root)
  if (!control.ok) throw new BlockedError(`a superuser may not update an account: ${control.status}`)
  if ((await rename(me.api)).ok)
    throw new UntestableError('an account may update others, so a superuser can do no more')
  // Before the impersonation: it may end the session of the account.
  const own = await actionsInLocked(context, me.api, Object.keys(operationOf) as TableAction[])
  const token = await expectSession(context, await root.impersonate(me.table, me.id), me, 'an impersonation')
  const impersonated = context.api.withToken(token, 'impersonated')
  const more = await rename(impersonated)
  expectThat(!more.ok, 'the token allows what the record itself may not do', 'a rejection', more.status)
  const denied = [...own].flatMap(([action, isDone]) => (isDone === false ? [action] : []))
  for (const [action, isDone] of await actionsInLocked(context, impersonated, denied))
    expectThat(
      isDone !== true,
      `with ${operationOf[action]}, the token does what the record itself may not do`,
      'no effect',
      'done',
    )
  // Whether such a token can be refreshed is left open.
  const next = await refreshed(context, { table: me.table, token })
  if (next === undefined || next === token) return
  const after = await rename(context.api.withToken(next, 'impersonated'))
  expectThat(
    !after.ok,
    'the token, once refreshed, allows what the record itself may not do',
    'a rejection',
    after.status,
  )
})

check('impersonate.superuser-only', async (context) => {
  const one = await signedIn(context)
  const hasOtherTable = context.hasTable('staff')
  const other = await signedIn(context, hasOtherTable ? 'staff' : 'members')
  const tables = namesOf(one.table, one.record)
  const expectRejected = async (api: Api, who: string) => {
    for (const table of tables) {
      const response = await api.impersonate(table, one.id)
      await expectNoSession(context, one.table, response, `an impersonation by ${who}`)
    }
  }
  await expectRejected(context.api, 'a guest')
  await expectRejected(one.api, 'the account itself')
  await expectRejected(other.api, hasOtherTable ? 'an account of another table' : 'another account')
  for (const { by, me } of await otherSessions(context))
    await expectRejected(me.api, `an account with a session by ${by}`)
  for (const { api, table } of await sessionsElsewhere(context))
    await expectRejected(api, `an account of ${table.name}`)
  if (!context.knows('superuser'))
    throw new UntestableError(
      'neither guests nor accounts can impersonate, but no superuser shows what an impersonation returns',
      credentialHint('superuser'),
    )
  const control = await context.api.as('superuser').impersonate(other.table, other.id)
  if (!control.ok) throw new BlockedError(`a superuser could not impersonate: ${control.status}`)
  const { token } = sessionIn(control)
  // A superuser requested this token, but it has only the permissions of the record.
  if (token !== undefined)
    await expectRejected(context.api.withToken(token, 'impersonated'), 'the token of an impersonation')
})

check('impersonate.api-key-refused', async (context) => {
  const account = await newAccount(context)
  const locked = context.table('locked')
  const { key } = await context.apiKeys.make({ tables: [locked], actions: ['list', 'view'] })
  const api = context.api.withToken(key, 'key')
  expectSuccess(await api.list(locked), 'a request in the scope of the key')
  const whole = await unlessPrevented(() =>
    context.apiKeys.make({ tables: [account.table], actions: everyAction }),
  )
  const keys = whole === undefined ? [api] : [api, context.api.withToken(whole.key, 'key')]
  for (const byKey of keys)
    for (const table of namesOf(account.table, account.record)) {
      const response = await byKey.impersonate(table, account.id)
      await expectNoSession(context, account.table, response, 'an impersonation by an API key')
    }
  const control = await context.api.as('superuser').impersonate(account.table, account.id)
  expectAccepted(control, account, 'an impersonation by a superuser')
})

check('impersonate.missing-record', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  expectSuccess(await root.impersonate(account.table, account.id), 'an impersonation')
  const gone = await newAccount(context)
  await deleteAccount(context, { ...gone, api: root })
  const elsewhere = context.hasTable('owned') ? [await ownedBy(context, account)] : []
  for (const id of [gone.id, ...elsewhere.map((record) => record.id), NO_RECORD]) {
    // Ids may be unique only within a table: an id of another table may be that of a foreign account here. Only an id
    // that was the run's own and is not given again, or that no account has, is impersonated.
    if (id === gone.id ? isReusable(id) : !isRejected(await root.view(account.table, id))) continue
    for (const table of namesOf(account.table, account.record)) {
      const response = await root.impersonate(table, id)
      await expectNoSession(context, account.table, response, 'an impersonation of an id that no record has')
    }
  }
  await expectInOwnTable(context, account)
})

/** An account is impersonated under the name of its own table, not of another one that has no record with its id. */
async function expectInOwnTable(context: CheckContext, { id, table }: Account): Promise<void> {
  const root = context.api.as('superuser')
  for (const role of ['staff', 'named']) {
    if (!context.hasTable(role)) continue
    const other = context.table(role)
    // A short id may be given to a record of the other table at any moment.
    const isAbsent = async () => isRejected(await root.view(other, id))
    if (other.name === table.name || !(await isAbsent())) continue
    const response = await root.impersonate(other, id)
    if (await isAbsent())
      await expectNoSession(
        context,
        table,
        response,
        `an impersonation of an id of ${table.name} in ${other.name}`,
      )
  }
}
