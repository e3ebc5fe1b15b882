import { isDeepStrictEqual } from 'node:util'
import { expectEqual } from '../../../harness/judging/expect.ts'
import { ourValues } from '../../../harness/target/mapped-table.ts'
import type { Api, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ConfirmationKind, TableRef } from '../../../harness/vocabulary/target.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import {
  type Account,
  newAccount,
  newEmail,
  newUsername,
  OTHER_PASSWORD,
} from '../../shared/auth/accounts.ts'
import { confirmFlow } from '../../shared/auth/confirm-flows.ts'
import {
  byOtp,
  changeToken,
  emailFlows,
  flowToken,
  newOtpUnlessTooMany,
} from '../../shared/auth/email-flows.ts'
import { unlessTooMany } from '../../shared/auth/mailed.ts'
import { sessionIn, sessionToken } from '../../shared/auth/session-in.ts'
import {
  byPassword,
  impersonationOf,
  type SignedIn,
  sessionOf,
  signedInIfPossible,
  withSession,
} from '../../shared/auth/sessions.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** Fields of an account that an update leaves as they are if it does not send them. */
const KEPT = ['email', 'verified', 'username', 'name'] as const

/**
 * Updates of an account by its owner and by a superuser, and of another record by the account, leave the fields that they
 * do not send, and so does a sign-in. Who may update and see them is left open: what is rejected says nothing.
 */
export async function expectAccountKept(context: CheckContext): Promise<void> {
  const { api, knows, unique } = context
  const fields = { name: unique('name'), username: newUsername(context) }
  const me = (await signedInIfPossible(context, 'members', fields)) ?? (await signedInIfPossible(context))
  if (me === undefined) return
  const root = knows('superuser') ? api.as('superuser') : undefined
  await root?.update(me.table, me.id, { verified: true })
  await expectKept(me.api, me, { name: unique('owner') }, 'its owner')
  if (root !== undefined) await expectKept(root, me, { verified: true }, 'a superuser')
  await expectRankKept(context, me)
  // Last: it may end the session of the account.
  await expectKeptBySignIn(context, me)
  await expectKeptByCodeAlone(context)
  for (const flow of emailFlows) await expectKeptByFlow(context, flow)
}

/**
 * What a flow confirms is neither a name nor a username. Which flows there are, and who may view an account, is left open.
 */
async function expectKeptByFlow(context: CheckContext, flow: ConfirmationKind): Promise<void> {
  if (!context.has('mail')) return
  const fields = { name: context.unique('name'), username: newUsername(context) }
  const me =
    (await signedInIfPossible(context, 'members', fields)) ??
    (await signedInIfPossible(context, 'members', { name: fields.name }))
  if (me === undefined) return
  const view = ({ api }: SignedIn) => ablest(context, api).view(me.table, me.id)
  await setAgain(context, me)
  const before = await view(me)
  // A server may send no email to an account that is already verified.
  if (!before.ok || (flow === 'verification' && recordOf(before).verified === true)) return
  const to = newEmail(context)
  const confirmed = unlessPrevented(async () => {
    const proof = await (flow === 'email-change'
      ? changeToken(context, me, to)
      : flowToken(context, flow, me))
    const { ok } = await confirmFlow(context, flow, me, proof)
    if (!ok) return undefined
    const password = flow === 'password-reset' ? OTHER_PASSWORD : me.password
    const signIn = { ...me, password, email: flow === 'email-change' ? to : me.email }
    // The flow may have ended the session.
    return view(context.knows('superuser') ? me : await sessionOf(context, signIn))
  })
  const after = await unlessTooMany(confirmed)
  if (after?.ok !== true) return
  const [shown, now] = [recordOf(before), recordOf(after)]
  for (const field of ['name', 'username'] as const)
    if (shown[field] === fields[field])
      expectEqual(now[field], shown[field], `${field} of an account after ${flow}`)
  expectGivenKept(me.table, shown, now, flow)
}

/** A record of another table, which the account updates. */
async function expectRankKept(context: CheckContext, me: SignedIn): Promise<void> {
  const { api, hasTable, table, make, unique } = context
  if (!hasTable('related')) return
  const related = table('related')
  const record = await unlessPrevented(() => make(related, { name: unique('ranked'), rank: 3 }))
  if (record === undefined || !(await me.api.update(related, record.id, { name: unique('ranked') })).ok)
    return
  const view = await api.view(related, record.id)
  if (record.rank === 3 && view.ok)
    expectEqual(recordOf(view).rank, 3, 'rank after an update of name by a signed-in user')
}

/** @param api of who updates the account and views it before and after */
async function expectKept(api: Api, { table, id }: SignedIn, sent: Body, who: string): Promise<void> {
  const before = await api.view(table, id)
  if (!before.ok || !(await api.update(table, id, sent)).ok) return
  const after = await api.view(table, id)
  if (!after.ok) return
  const [shown, now] = [recordOf(before), recordOf(after)]
  for (const field of KEPT)
    if (!(field in sent) && shown[field] !== undefined)
      expectEqual(now[field], shown[field], `${field} after an update of an account by ${who}`)
}

/** Fields of an account that only a client sets. Whether a sign-in verifies an account is left open. */
const SET_BY_CLIENTS = KEPT.filter((field) => field !== 'verified')

/** What the target file says that each account needs, as it was sent. */
function givenTo(table: TableRef): [field: string, value: unknown][] {
  const isWhole = (value: unknown) => typeof value !== 'string' || !value.includes('{unique}')
  return Object.entries(ourValues(table)).filter(
    ([field, value]) => !KEPT.some((each) => each === field) && isWhole(value),
  )
}

/**
 * What the account got at its sign-up, set again where something has changed it since: a first sign-in may have been
 * enough. Who may update an account is left open.
 */
async function setAgain(context: CheckContext, { table, id, api }: SignedIn): Promise<void> {
  const given = Object.fromEntries(givenTo(table))
  if (Object.keys(given).length > 0) await ablest(context, api).update(table, id, given)
}

/** Values of a sign-up that an account showed stay: a server may show others in a form of its own. */
function expectGivenKept(table: TableRef, before: WireRecord, now: WireRecord, what: string): void {
  for (const [field, value] of givenTo(table))
    if (isDeepStrictEqual(before[field], value))
      expectEqual(now[field], value, `${field} of an account after ${what}`)
}

/** The account with a session by code; undefined where there is none: which tables have codes is left open. */
async function sessionByCode(context: CheckContext, account: Account): Promise<SignedIn | undefined> {
  const otp = await newOtpUnlessTooMany(context, account)
  const response = otp && (await unlessTooMany(byOtp(context, account, otp)))
  const token = response && sessionIn(response).token
  return token === undefined ? undefined : withSession(context, account, token)
}

/**
 * The same where accounts have no passwords. Only a superuser can view them before. The first code of an account that is not
 * verified may change it.
 */
async function expectKeptByCodeAlone(context: CheckContext): Promise<void> {
  if (!context.hasTable('passwordless') || !context.knows('superuser')) return
  const name = context.unique('name')
  const account = await unlessPrevented(() => newAccount(context, 'passwordless', { name, verified: true }))
  if (account === undefined) return
  const view = () => context.api.as('superuser').view(account.table, account.id)
  const before = await view()
  if (!before.ok || recordOf(before).name !== name) return
  if ((await sessionByCode(context, account)) === undefined) return
  const after = await view()
  if (after.ok) expectEqual(recordOf(after).name, name, 'name of an account after a sign-in by code alone')
}

/** Another sign-in and an impersonation are not updates. Who may view an account is left open. */
async function expectKeptBySignIn(context: CheckContext, me: SignedIn): Promise<void> {
  const view = ({ api }: SignedIn) => ablest(context, api).view(me.table, me.id)
  await setAgain(context, me)
  const before = await view(me)
  const token = sessionToken(await byPassword(context, me))
  if (token === undefined || !before.ok) return
  // The sign-in may have ended the session before.
  const now = withSession(context, me, token)
  const expectSame = async (what: string, viewer = now) => {
    const after = await view(viewer)
    if (!after.ok) return
    for (const field of SET_BY_CLIENTS)
      expectEqual(recordOf(after)[field], recordOf(before)[field], `${field} of an account after ${what}`)
    expectGivenKept(me.table, recordOf(before), recordOf(after), what)
  }
  await expectSame('another sign-in')
  const signedInByCode = await sessionByCode(context, me)
  if (signedInByCode !== undefined) await expectSame('a sign-in by code', signedInByCode)
  if ((await impersonationOf(context, me)) !== undefined) await expectSame('an impersonation')
}
