/** Tokens in the Authorization header (document 1, 5). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectSuccess,
  expectThat,
  isRejected,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { Api, ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { newAccount, OTHER_PASSWORD, PASSWORD, passwordBody } from '../../shared/auth/accounts.ts'
import { signedInWithOneId } from '../../shared/auth/accounts-of-one-id.ts'
import { showsRecord } from '../../shared/auth/does.ts'
import { byOtp, emailFlows, flowProof, newOtp } from '../../shared/auth/email-flows.ts'
import { expectClosed } from '../../shared/auth/expect-closed.ts'
import { expectPowerless, lockedPlace, ownedPlace, type Place } from '../../shared/auth/expect-powerless.ts'
import { expectRefreshOffered } from '../../shared/auth/expect-refresh-offered.ts'
import {
  expectDead,
  expectNoSession,
  refreshedIfPossible,
  tokenAfterRefresh,
} from '../../shared/auth/expect-session.ts'
import { requestOtp } from '../../shared/auth/request-flows.ts'
import { isLikeToken, sessionIn, stringsIn } from '../../shared/auth/session-in.ts'
import {
  deleteAccount,
  expectGuarded,
  impersonationOf,
  isAlive,
  ownedBy,
  type SignedIn,
  sessionOf,
  signedIn,
  signedInAmongOthers,
  signedInIfPossible,
  updatesItself,
} from '../../shared/auth/sessions.ts'
import { tamperings } from '../../shared/auth/tampering.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { listById, recordsWith } from '../../shared/lists/shared-records.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectNoGuestUpdate } from './expect-no-guest-update.ts'
import { expectNotKeptForGuests } from './expect-not-kept-for-guests.ts'
import { expectSameIdSpared } from './expect-same-id-spared.ts'

/** Two signed-in members, each with a record that no one else sees. */
async function twoOwners(context: CheckContext) {
  const [one, other] = [await signedIn(context), await signedIn(context)]
  const [ofOne, ofOther] = [await ownedBy(context, one), await ownedBy(context, other)]
  await expectAdmitted(context, one, ofOne)
  return { one, other, ofOne, ofOther }
}

type Owner = Pick<Awaited<ReturnType<typeof twoOwners>>, 'one' | 'ofOne'>

/**
 * Who may read a table is left open. If a token is accepted elsewhere, and rejected here in another way than no token, the
 * rejection says nothing about the token.
 *
 * @throws UntestableError if no account sees the record
 */
async function expectAdmitted(context: CheckContext, me: SignedIn, mine: WireRecord): Promise<void> {
  const { api, table } = context
  const owned = table('owned')
  const own = await me.api.view(owned, mine.id)
  if (own.status !== 403 || (await api.view(owned, mine.id)).status === 403) return
  const stranger = await signedIn(context)
  for (const reader of [me, stranger]) if (await sees(context, reader.api, owned, mine)) return
  if (!(await isRefreshed(me))) return
  throw new UntestableError(
    `${owned.name} shows no account its own records (${responseSummary(own, 100)}), but its token is accepted elsewhere`,
    'tables: map the role "owned" to a table whose records their owner may read, or to false',
  )
}

/** Whether a refresh accepts the token, as that of its own account. */
async function isRefreshed({ api, table, id }: SignedIn): Promise<boolean> {
  const refresh = await api.authRefresh(table)
  return refresh.ok && sessionIn(refresh).recordId === id
}

/**
 * Who may write to a table is left open. A rejection says nothing about a token that a refresh accepts.
 *
 * @throws UntestableError if the account may not do what the response rejects
 */
async function expectPermitted(
  { table }: CheckContext,
  me: SignedIn,
  response: ApiResponse,
  what: string,
): Promise<void> {
  if (!isRejected(response) || response.status === 401) return
  if (!(await isRefreshed(me))) return
  throw new UntestableError(
    `${table('owned').name} rejects ${what} (${responseSummary(response, 100)}), but the token is accepted elsewhere`,
    'tables: map the role "owned" to a table in which accounts create, change and delete their own records, or to false',
  )
}

/** Whether a view or a list shows a record to a client. Either may be rejected; how is left open. */
async function sees(context: CheckContext, api: Api, table: TableRef, record: WireRecord): Promise<boolean> {
  const responses = [await api.view(table, record.id), await listById(context, api, table, record.id)]
  return responses.some((response) => showsRecord(response, record))
}

/** A view and a list both show a record that only the token's owner may see. */
async function expectSeen(context: CheckContext, api: Api, table: TableRef, { id }: WireRecord) {
  const view = await api.view(table, id)
  expectThat(view.ok, 'the owner does not see its own record', 'the record', view.status)
  const listed = await recordsWith(context, table, 'id', id, api)
  expectThat(
    listed.some((item) => item.id === id),
    'the owner does not find its own record in a list',
    'the record',
  )
}

/** Of two sessions, each is refreshed for its own account: all that shows whose a token is where no table is for owners only. */
async function expectOwnSessions(context: CheckContext): Promise<void> {
  const owners = [await signedIn(context), await signedIn(context)]
  for (const me of owners) await tokenAfterRefresh(context, me)
}

check('auth.token-header', async (context) => {
  if (!context.hasTable('owned')) return expectOwnSessions(context)
  const { one, ofOne } = await twoOwners(context)
  await expectSeen(context, one.api, context.table('owned'), ofOne)
})

/**
 * The superuser's token as it is, and behind the name of a scheme: a server that takes only the second form leaves the run
 * without its superuser, and so without accounts. Judged where a guest may not list a table.
 */
async function expectNoScheme(context: CheckContext): Promise<void> {
  const { api, hasTable, knows, table } = context
  const token = knows('superuser') ? await context.tokenOf('superuser') : undefined
  if (token === undefined) return
  for (const role of ['locked', 'owned', 'members', 'staff'].filter((each) => hasTable(each))) {
    const list = async (headers: Record<string, string>) =>
      (await api.raw({ method: 'GET', path: api.path.records(table(role)), headers })).ok
    if ((await list({})) || (await list({ authorization: token }))) continue
    expectThat(
      !(await list({ authorization: `Bearer ${token}` })),
      'the token of the superuser is accepted only with "Bearer " before it',
      'the token alone',
      'a rejection of the token alone',
    )
  }
}

check('auth.token-as-is', async (context) => {
  await expectNoScheme(context)
  if (!context.hasTable('owned')) {
    const me = await signedIn(context)
    const path = context.api.path.auth(me.table, 'auth-refresh')
    const refresh = await context.api.raw({ method: 'POST', path, headers: { authorization: me.token } })
    await expectRefreshOffered(context, me.table, refresh)
    return expectSuccess(refresh, 'a refresh with the token alone')
  }
  const { one, ofOne } = await twoOwners(context)
  const bare = { authorization: one.token }
  const path = context.api.path.record(context.table('owned'), ofOne.id)
  await expectGuarded(context, context.table('owned'), ofOne.id)
  expectSuccess(await context.api.raw({ method: 'GET', path, headers: bare }), 'a view with the token alone')
  const refresh = await context.api.withToken(one.token, 'user').authRefresh(one.table)
  expectSuccess(refresh, 'a refresh with the token alone')
})

check('auth.no-token', async (context) => {
  if (!context.hasTable('owned')) {
    const me = await signedIn(context)
    await expectNotKeptForGuests(context, me)
    await expectNoGuestUpdate(context, me)
    await tokenAfterRefresh(context, me)
    return expectNoGuestSession(context, me)
  }
  const { one, ofOne } = await twoOwners(context)
  const owned = context.table('owned')
  await expectSeen(context, one.api, owned, ofOne)
  await expectNotKeptForGuests(context, one)
  expectThat(
    !(await sees(context, context.api, owned, ofOne)),
    `a guest sees a record of ${owned.name}, in which only owners see theirs (role "owned")`,
    'a rejection',
    'seen',
  )
  await expectNotMixedUp(context, one, ofOne)
  await expectNoGuestUpdate(context, one)
  await expectNoGuestSession(context, one)
})

/** Among many concurrent requests, the ones without a token: a thread or a connection may still have the token of another. */
const concurrently = 12

async function expectNotMixedUp({ api, table }: CheckContext, me: SignedIn, mine: WireRecord): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const clients = Array.from({ length: concurrently }, (_, at) => (at % 2 === round ? me.api : api))
    await Promise.all(
      clients.map(async (client) => {
        const response = await client.view(table('owned'), mine.id)
        const isShown = client === api && showsRecord(response, mine)
        const what = 'among concurrent requests, one of a guest shows a record that only its owner may see'
        expectThat(!isShown, what, 'a rejection', 'shown')
      }),
    )
  }
}

async function expectNoGuestSession(context: CheckContext, { table, record }: SignedIn): Promise<void> {
  for (const each of namesOf(table, record)) {
    const response = await context.api.authRefresh(each)
    await expectNoSession(context, table, response, 'a refresh without a token')
  }
}

check('auth.token-altered', async (context) => {
  if (!context.hasTable('owned')) {
    const me = await signedIn(context)
    const token = await tokenAfterRefresh(context, me)
    for (const [how, altered] of tamperings(token))
      for (const table of namesOf(me.table, me.record)) {
        const refresh = await context.api.withToken(altered, 'tampered').authRefresh(table)
        await expectNoSession(context, me.table, refresh, `a refresh with ${how}`)
      }
    return
  }
  const { one, ofOne } = await twoOwners(context)
  const owned = context.table('owned')
  await expectSeen(context, one.api, owned, ofOne)
  for (const [how, token] of tamperings(one.token)) {
    const api = context.api.withToken(token, 'tampered')
    expectThat(
      !(await sees(context, api, owned, ofOne)),
      `a token is accepted with ${how}`,
      'a rejection',
      'accepted',
    )
    await expectNoSession(context, one.table, await api.authRefresh(one.table), `a refresh with ${how}`)
  }
  const altered = tamperings(one.token).map(([, token]) => context.api.withToken(token, 'tampered'))
  for (const byId of namesOf(one.table, one.record).slice(1))
    for (const api of altered)
      await expectNoSession(
        context,
        one.table,
        await api.authRefresh(byId),
        'a refresh with an altered token',
      )
  await expectPowerless(context, altered, 'an altered token', ownedPlace(context, one))
  for await (const given of otherTokens(context, { one, ofOne })) await expectUnalterable(given)
})

/** A token, and a function that returns whether a client with this token, or another string, has its access. */
interface Given {
  name: string
  token: string | undefined
  isAccepted(token: string): Promise<boolean>
}

/**
 * Tokens that do not come from a password sign-in to the first auth table: a server may process them in other code.
 * Each is used before the next one is requested, since a sign-in may end the previous session.
 */
async function* otherTokens(context: CheckContext, { one, ofOne }: Owner): AsyncGenerator<Given> {
  const { api, has, hasTable, knows, table } = context
  const shows = (role: string, record: WireRecord) => async (token: string) =>
    showsRecord(await api.withToken(token, 'user').view(table(role), record.id), record)
  const mine = shows('owned', ofOne)
  const root = knows('superuser') ? await context.tokenOf('superuser') : undefined
  const locked = hasTable('locked')
    ? await unlessPrevented(() => context.make(table('locked'), { title: context.unique('root') }))
    : undefined
  if (locked !== undefined)
    yield { name: 'the token of a superuser', token: root, isAccepted: shows('locked', locked) }
  if (hasTable('staff')) {
    const token = (await refreshedIfPossible(context, 'staff'))?.token
    const isAccepted = (each: string) => isAlive(context, { table: table('staff'), token: each })
    yield { name: 'a token of another auth table', token, isAccepted }
  }
  const refreshed = await unlessPrevented(() => tokenAfterRefresh(context, one))
  yield { name: 'the token of a refresh', token: refreshed, isAccepted: mine }
  const impersonated = await impersonationOf(context, one)
  yield { name: 'the token of an impersonation', token: impersonated, isAccepted: mine }
  if (!has('mail') || !has('otp')) return
  const byCode = await unlessPrevented(async () => byOtp(context, one, await newOtp(context, one)))
  const token = byCode && sessionIn(byCode).token
  yield { name: 'the token of a sign-in by code', token, isAccepted: mine }
}

/** Judges nothing if the token is not accepted unaltered, or if any string is accepted. */
async function expectUnalterable({ name, token, isAccepted }: Given): Promise<void> {
  // A word before a token may be written in other letters.
  if (token === undefined || !isLikeToken(token)) return
  if (!(await isAccepted(token)) || (await isAccepted('nonsense'))) return
  for (const [how, altered] of tamperings(token))
    expectThat(!(await isAccepted(altered)), `${name} is accepted with ${how}`, 'a rejection', 'accepted')
}

/**
 * A session does not act as an account of another auth table that has the same id. Judged where an account may update
 * itself, and others may not.
 */
async function expectNotAsSameId(context: CheckContext): Promise<void> {
  const pair = await signedInWithOneId(context)
  const stranger = pair && (await signedInIfPossible(context))
  if (pair === undefined || stranger === undefined) return
  const [member, staff] = pair
  await expectNotOwnedBySameId(context, pair, stranger)
  const renames = ({ api }: SignedIn) => updatesItself(context, { ...staff, api })
  if (!(await renames(staff)) || (await renames(stranger))) return
  expectThat(
    !(await renames(member)),
    'a session updates an account of another auth table with the same id',
    'a rejection',
    'accepted',
  )
}

/** Nor does it reach what the account of the other table owns. */
async function expectNotOwnedBySameId(
  context: CheckContext,
  [member, staff]: readonly [SignedIn, SignedIn],
  stranger: SignedIn,
): Promise<void> {
  if (!context.hasTable('owned')) return
  const owned = context.table('owned')
  const mine = await unlessPrevented(() => ownedBy(context, member))
  if (mine === undefined || !(await sees(context, member.api, owned, mine))) return
  // Whatever every account sees there shows nothing.
  if (await sees(context, stranger.api, owned, mine)) return
  expectThat(
    !(await sees(context, staff.api, owned, mine)),
    'a session sees what an account of another auth table with the same id owns',
    'a rejection',
    'seen',
  )
}

check('auth.token-own-record', async (context) => {
  await expectNotAsSameId(context)
  if (!context.hasTable('owned')) return expectOwnSessions(context)
  const { one, other, ofOne, ofOther } = await twoOwners(context)
  const owned = context.table('owned')
  const seen = async ({ api }: SignedIn) => [
    await sees(context, api, owned, ofOne),
    await sees(context, api, owned, ofOther),
  ]
  expectEqual(await seen(one), [true, false], 'the records that the first owner sees')
  expectEqual(await seen(other), [false, true], 'the records that the second owner sees')
})

check('auth.token-repeats', async (context) => {
  const me = await signedIn(context)
  const owned = context.table('owned')
  for (let round = 0; round < 2; round += 1) {
    const expectDone = async (response: ApiResponse, what: string) => {
      // Only what the token could do before can end.
      if (round === 0) await expectPermitted(context, me, response, what)
      expectSuccess(response, what)
    }
    const created = await me.api.create(owned, { title: context.unique('title'), owner: me.id })
    await expectDone(created, `a create with a token${round === 0 ? '' : ' that was used before'}`)
    const { id } = await context.created(owned, created, me.api)
    await expectAdmitted(context, me, { id })
    await expectSeen(context, me.api, owned, { id })
    await expectDone(
      await me.api.update(owned, id, { title: context.unique('changed') }),
      'an update with the same token',
    )
    await expectDone(await me.api.delete(owned, id), 'a delete with the same token')
  }
  // Last: the document does not say that a refresh keeps the token alive.
  const refresh = await me.api.authRefresh(me.table)
  await expectRefreshOffered(context, me.table, refresh)
  expectSuccess(refresh, 'a refresh with the same token')
})

check('auth.user-token', async (context) => {
  if (!context.hasTable('owned')) {
    const me = await signedInAmongOthers(context)
    await tokenAfterRefresh(context, me)
    return void (await tokenAfterRefresh(context, await sessionOf(context, me)))
  }
  const { one, other, ofOne, ofOther } = await twoOwners(context)
  const owned = context.table('owned')
  // Signed in again, one is older than another account, and the other one is newer.
  for (const [me, { id }] of [
    [one, ofOne],
    [other, ofOther],
  ] as const) {
    await expectGuarded(context, owned, id)
    expectSuccess(await me.api.view(owned, id), 'a view with the token of a sign-in')
    const again = await sessionOf(context, me)
    expectSuccess(await again.api.view(owned, id), 'a view with the token of another sign-in')
  }
})

check('auth.superuser-token', async ({ api, table, make, unique }) => {
  const { id } = await make(table('locked'), { title: unique('title') })
  await expectClosed({ api, table }, { id })
  expectSuccess(await api.as('superuser').view(table('locked'), id), 'a view with the token of a superuser')
  expectSuccess(await api.as('superuser').list(table('locked')), 'a list with the token of a superuser')
})

check('auth.deleted-ends-session', async (context) => {
  const me = await signedIn(context)
  // The precondition is that the token can be refreshed; the session may then continue with another token.
  const token = await tokenAfterRefresh(context, me)
  const api = context.api.withToken(token, 'user')
  const impersonated = await impersonationOf(context, me)
  const tokens = [...new Set([me.token, token, ...(impersonated === undefined ? [] : [impersonated])])]
  const creates = await creatingForItself(context, me.id)
  const reads = await guardedReads(context, tokens)
  await deleteAccount(context, { ...me, api })
  for (const { name, isAccepted } of reads)
    expectThat(
      !(await isAccepted()),
      `a token lists ${name} after its record was deleted`,
      'a rejection',
      'a list',
    )
  for (const each of tokens) await expectDead(context, { ...me, token: each }, 'after its record was deleted')
  const clients = tokens.map((each) => context.api.withToken(each, 'user'))
  for (const each of clients)
    expectThat(
      creates === undefined || !(await creates(each)),
      'a token creates a record after its own record was deleted',
      'a rejection',
      'a record',
    )
  const who = 'the token of a deleted record'
  await expectPowerless(context, clients, who, lockedPlace(context))
  await expectPowerless(context, clients, who, await placeOfAnother(context))
  await expectEndedByOthers(context)
})

/** Records of another account: a record of the one that was deleted could have kept it from being deleted. */
async function placeOfAnother(context: CheckContext): Promise<Place | undefined> {
  const other = await unlessPrevented(() => newAccount(context))
  return other && ownedPlace(context, other)
}

/** The same where an impersonation or a batch deleted the record. Who may do that is left open. */
async function expectEndedByOthers(context: CheckContext): Promise<void> {
  const { api, has, knows, mayExist } = context
  if (!knows('superuser')) return
  const deletes: Record<string, (me: SignedIn) => Promise<unknown>> = {
    'an impersonation': async (me) => {
      const token = await impersonationOf(context, me)
      if (token !== undefined) await api.withToken(token, 'impersonated').delete(me.table, me.id)
    },
    'a batch': async ({ table, id }) => {
      if (!has('batch') || !mayExist('batch')) return
      await api.as('superuser').batch([subRequests(api).remove(table, id)])
    },
  }
  for (const [by, remove] of Object.entries(deletes)) {
    const me = await signedInIfPossible(context)
    if (me === undefined) return
    await unlessPrevented(() => remove(me))
    if ((await api.as('superuser').view(me.table, me.id)).ok) continue
    const when = `after ${by} deleted its record`
    await expectDead(context, me, when)
    const place = lockedPlace(context)
    const record = place && (await unlessPrevented(place.make))
    if (place === undefined || record === undefined) continue
    const isSeen = await sees(context, me.api, place.table, record)
    const isOpen = isSeen && (await sees(context, api, place.table, record))
    expectThat(!isSeen || isOpen, `a token reads what guests do not see ${when}`, 'a rejection', 'seen')
  }
}

/** For each token: a list that the token can read, and that a guest or a client with an invalid token cannot. */
async function guardedReads(
  { api, hasTable, mayExist, table }: CheckContext,
  tokens: readonly string[],
): Promise<{ name: string; isAccepted(): Promise<boolean> }[]> {
  if (!mayExist('listRecords')) return []
  for (const role of ['owned', 'members', 'plain']) {
    if (!hasTable(role)) continue
    const lists = async (as: Api) => (await as.list(table(role))).ok
    if ((await lists(api)) || (await lists(api.withToken('nonsense', 'bogus')))) continue
    const reads = []
    for (const token of tokens) {
      const isAccepted = () => lists(api.withToken(token, 'user'))
      if (await isAccepted()) reads.push({ name: table(role).name, isAccepted })
    }
    if (reads.length > 0) return reads
  }
  return []
}

/**
 * A create of a record that only its owner sees. Undefined: there is no table for it, or it would be accepted or rejected
 * with any token. Another account shows that: a record of this one could keep it from being deleted.
 */
async function creatingForItself(
  context: CheckContext,
  id: string,
): Promise<((api: Api) => Promise<boolean>) | undefined> {
  if (!context.hasTable('owned')) return undefined
  const owned = context.table('owned')
  const creates = async (as: Api, owner: string) =>
    (await as.create(owned, { title: context.unique('own'), owner })).ok
  const other = await signedIn(context)
  if ((await creates(context.api, other.id)) || !(await creates(other.api, other.id))) return undefined
  return (api) => creates(api, id)
}

/** The string is not a valid token: it neither reads what only its owner may see, nor continues a session. */
async function expectWorthless(context: CheckContext, { one, ofOne }: Owner, token: string, what: string) {
  const seen = await sees(context, context.api.withToken(token, 'proof'), context.table('owned'), ofOne)
  expectThat(!seen, `${what} is accepted as a token`, 'a rejection', 'accepted')
  await expectDead(context, { ...one, token }, `that is ${what}`)
}

check('token.other-kind', async (context) => {
  for (const flow of emailFlows) {
    const owner = await twoOwners(context)
    const { one, ofOne } = owner
    await expectSeen(context, one.api, context.table('owned'), ofOne)
    // A server may send no email to an account that is already verified.
    if (flow === 'verification' && one.record.verified === true) continue
    await expectWorthless(context, owner, await flowProof(context, flow, one), 'a value from an email')
  }
})

check('otp.id-no-token', async (context) => {
  const owner = await twoOwners(context)
  const response = await requestOtp(context, owner.one)
  expectSuccess(response, 'a request for a code')
  for (const text of stringsIn(response.body).filter(isLikeToken))
    await expectWorthless(context, owner, text, 'a value from the first step of a sign-in by code')
})

check('token.others-spared', async (context) => {
  const [other, one, gone] = [await signedIn(context), await signedIn(context), await signedIn(context)]
  // Whether an account may change its password here, and what that ends, is left open.
  await one.api.update(one.table, one.id, passwordBody(context, OTHER_PASSWORD, PASSWORD))
  await deleteAccount(context, gone)
  expectThat(
    await isAlive(context, other),
    'a token is rejected after the tokens of other records were ended',
    'accepted',
    'a rejection',
  )
  await expectSameIdSpared(context)
})
