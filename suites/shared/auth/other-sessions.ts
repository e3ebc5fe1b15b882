import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, newAccount, newUsername } from './accounts.ts'
import { byOtp, newOtpIfPossible } from './email-flows.ts'
import { refreshedIfPossible } from './expect-session.ts'
import { admittedPerson, byProvider } from './oauth.ts'
import { sessionIn, shownIn } from './session-in.ts'
import { byPassword, type SignedIn, sessionOf, signedIn, withSession } from './sessions.ts'

/** A session, and how it began, for messages: `a code`. */
export interface OtherSession {
  by: string
  me: SignedIn
}

/**
 * Sessions that did not begin with a password alone, each of a new account: a server may know them another way. What
 * prevents one of them is the finding of another check.
 */
export async function otherSessions(context: CheckContext): Promise<OtherSession[]> {
  const { has, hasTable } = context
  const ways: [by: string, make: () => Promise<SignedIn | undefined>][] = [
    ['a refresh', () => refreshedIfPossible(context, 'members')],
    ['a code', () => byCode(context, 'members')],
    ['two factors', async () => (has('mfa') && hasTable('mfa') ? byCode(context, 'mfa') : undefined)],
    ['a provider', async () => (has('oauth2') && hasTable('oauth') ? sessionByProvider(context) : undefined)],
  ]
  const sessions: OtherSession[] = []
  for (const [by, make] of ways) {
    const me = await unlessPrevented(make)
    if (me !== undefined) sessions.push({ by, me })
  }
  return sessions
}

/** Roles of auth tables with ordinary accounts, but for `members`. */
const otherRoles = ['staff', 'named', 'gated', 'oauth', 'shortlived', 'passwordless'] as const

/** Sessions of the other auth tables, each of a new account that is verified if it can be. */
export async function sessionsElsewhere(context: CheckContext): Promise<SignedIn[]> {
  const verified = context.knows('superuser') ? { verified: true } : {}
  const make = async (role: (typeof otherRoles)[number]) => {
    if (role === 'passwordless') return byCode(context, role)
    if (role !== 'named') return signedIn(context, role, verified)
    const username = newUsername(context)
    return sessionOf(context, { ...(await newAccount(context, role, { username })), email: username })
  }
  const sessions: SignedIn[] = []
  for (const role of otherRoles) {
    const me = context.hasTable(role) ? await unlessPrevented(() => make(role)) : undefined
    if (me !== undefined) sessions.push(me)
  }
  return sessions
}

/** By a code alone or, where two factors are required, after the password. */
async function byCode(
  context: CheckContext,
  role: 'members' | 'mfa' | 'passwordless',
): Promise<SignedIn | undefined> {
  const account = await newAccount(context, role)
  const mfaId = role === 'mfa' ? mfaIdIn(await byPassword(context, account)) : undefined
  const otp = await newOtpIfPossible(context, account)
  if (otp === undefined) return undefined
  const response = await byOtp(context, account, otp, mfaId === undefined ? {} : { mfaId })
  const { token } = sessionIn(response)
  return token === undefined ? undefined : withSession(context, account, token)
}

/** A session of a new person who signs in through the identity provider. */
export async function sessionByProvider(context: CheckContext): Promise<SignedIn | undefined> {
  const response = await byProvider(context, await admittedPerson(context))
  const { token, recordId: id } = sessionIn(response)
  if (token === undefined || id === undefined) return undefined
  const record = { ...shownIn(response), id }
  const account: Account = { table: context.table('oauth'), record, id, email: '', password: '' }
  return withSession(context, account, token)
}
