/** Sign-ins with several factors (document 4.2). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectThat, isRejected } from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type MfaId, mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { type Account, newAccount, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { byOtp, newOtp, newOtpIfPossible, newOtpUnlessTooMany } from '../../shared/auth/email-flows.ts'
import { expectAsGuests, expectCarriedOn } from '../../shared/auth/expect-as-by-password.ts'
import {
  expectDead,
  expectNoOtherToken,
  expectNoSession,
  expectSession,
  expectSignedIn,
} from '../../shared/auth/expect-session.ts'
import { byProvider, newProviderPerson } from '../../shared/auth/oauth.ts'
import { otherCode } from '../../shared/auth/other-code.ts'
import { sessionIn } from '../../shared/auth/session-in.ts'
import {
  accountToSignIn,
  byPassword,
  firstSignIn,
  passwordStep,
  rejectsUnverified,
  withSession,
} from '../../shared/auth/sessions.ts'
import { offersProvider } from '../../shared/auth/sign-in-by-provider.ts'
import { verify } from '../../shared/auth/verify.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** The response to a first factor: an mfaId, and nothing that continues a session. */
async function firstStep(context: CheckContext, account: Account): Promise<MfaId> {
  const response = await passwordStep(context, account)
  const mfaId = mfaIdIn(response)
  // The table may be configured for another identity than the address.
  if (mfaId === undefined && isRejected(response) && !(await rejectsUnverified(context, account, response)))
    throw new BlockedError(
      `${account.table.name} rejects the address and password of a new account like a wrong password: ${responseSummary(response, 100)}`,
    )
  expectThat(
    mfaId !== undefined,
    'the first factor returns no `mfaId`',
    'a string or a number',
    response.text,
  )
  return mfaId
}

check('auth.mfa-id', async (context) => {
  await firstStep(context, await accountToSignIn(context, 'mfa'))
})

check('mfa.first-step-no-token', async (context) => {
  const account = await accountToSignIn(context, 'mfa')
  for (const table of namesOf(account.table, account.record)) {
    const response = await byPassword(context, { ...account, table })
    await expectNoSession(context, account.table, response, 'the first of two factors')
    await expectNoOtherToken(context, account, response, 'the first of two factors', [mfaIdIn(response)])
  }
  const otp = await newOtpIfPossible(context, account)
  if (otp !== undefined) {
    const response = await byOtp(context, account, otp)
    const what = 'a code as the first of two factors'
    await expectNoSession(context, account.table, response, what)
    await expectNoOtherToken(context, account, response, what, [mfaIdIn(response)])
  }
  await expectNotByProvider(context)
})

/**
 * If an account needs two factors, a sign-in by a provider is only one of them. The document does not say which tables
 * have a provider, or whether it signs in an existing account with the person's address. A new account may need only
 * one factor.
 */
async function expectNotByProvider(context: CheckContext): Promise<void> {
  if (!offersProvider(context)) return
  const verified = context.knows('superuser') ? { verified: true } : {}
  const attempt = await unlessPrevented(async () => {
    const person = newProviderPerson(context)
    const account = await newAccount(context, 'mfa', { email: person.email, ...verified })
    await firstStep(context, account)
    return { account, response: await byProvider(context, person, { table: account.table }) }
  })
  if (attempt === undefined) return
  const { account, response } = attempt
  if (sessionIn(response).recordId === account.id)
    await expectNoSession(context, account.table, response, 'a provider as the first of two factors')
}

check('mfa.second-factor', async (context) => {
  const account = await accountToSignIn(context, 'mfa')
  const mfaId = await firstStep(context, account)
  const response = await byOtp(context, account, await newOtp(context, account), { mfaId })
  const token = await expectSession(context, response, account, 'the second factor')
  const me = withSession(context, account, token)
  await expectAsGuests(context, me, 'two factors')
  await expectCarriedOn(context, me, 'two factors')
  await expectCodeFirst(context)
})

/**
 * A code that returns an `mfaId` is a first factor: with the `mfaId`, the password signs in. The account is verified: a
 * first code may end the password of one that is not.
 */
async function expectCodeFirst(context: CheckContext): Promise<void> {
  const account = await newAccount(context, 'mfa')
  if (!(await verify(context, account))) return
  const mfaId = await codeAsFirst(context, account)
  if (mfaId === undefined) return
  const { table, email: identity, password } = account
  const response = await context.api.authWithPassword(table, { identity, password, mfaId })
  await expectSession(context, response, account, 'a password as the second factor')
}

/** The `mfaId` that a code as the first factor returns. The document does not say whether a code can be the first. */
async function codeAsFirst(context: CheckContext, account: Account): Promise<MfaId | undefined> {
  const otp = await newOtpIfPossible(context, account)
  return otp && mfaIdIn(await byOtp(context, account, otp))
}

/** Both factors sign in. A new account is used, since a wrong attempt may have ended the earlier factors. */
async function expectBothFactors(context: CheckContext): Promise<void> {
  const account = await accountToSignIn(context, 'mfa')
  const mfaId = await firstStep(context, account)
  const response = await byOtp(context, account, await newOtp(context, account), { mfaId })
  if (!response.ok) throw new BlockedError(`both factors do not sign in: ${response.status}`)
}

check('mfa.id-required', async (context) => {
  const { table: named, record } = await accountToSignIn(context, 'mfa')
  for (const table of namesOf(named, record)) {
    const account = await accountToSignIn(context, 'mfa')
    await firstStep(context, account)
    const response = await byOtp(context, { table }, await newOtp(context, account))
    await expectNoSession(context, named, response, 'a second factor without `mfaId`')
  }
  const account = await accountToSignIn(context, 'mfa')
  const mfaId = await firstStep(context, account)
  const madeUp = { mfaId: typeof mfaId === 'number' ? Number(otherCode(String(mfaId))) : otherCode(mfaId) }
  const response = await byOtp(context, account, await newOtp(context, account), madeUp)
  await expectNoSession(context, named, response, 'a second factor with an `mfaId` that was made up')
  await expectBothFactors(context)
})

check('mfa.two-different', async (context) => {
  const account = await accountToSignIn(context, 'mfa')
  const mfaId = await firstStep(context, account)
  const { email: identity, password, record } = account
  for (const table of namesOf(account.table, record)) {
    const response = await context.api.authWithPassword(table, { identity, password, mfaId })
    await expectNoSession(context, account.table, response, 'the same factor twice')
  }
  await expectNotTwoCodes(context, account)
  await expectBothFactors(context)
})

/** Two codes count as one factor. The document does not say whether a code can be the first factor. */
async function expectNotTwoCodes(context: CheckContext, account: Account): Promise<void> {
  const first = await newOtpIfPossible(context, account)
  const second = first && (await newOtpUnlessTooMany(context, account))
  const mfaId = first && mfaIdIn(await byOtp(context, account, first))
  if (mfaId === undefined || second === undefined) return
  const response = await byOtp(context, account, second, { mfaId })
  await expectNoSession(context, account.table, response, 'two codes')
}

check('mfa.other-account', async (context) => {
  const [one, other] = [await accountToSignIn(context, 'mfa'), await accountToSignIn(context, 'mfa')]
  const theirs = await firstStep(context, other)
  await firstStep(context, one)
  const response = await byOtp(context, one, await newOtp(context, one), { mfaId: theirs })
  await expectNoSession(context, one.table, response, 'the `mfaId` of another account')
  await expectBothFactors(context)
})

check('mfa.wrong-first', async (context) => {
  const account = await accountToSignIn(context, 'mfa')
  const wrong = await byPassword(context, { ...account, password: OTHER_PASSWORD })
  await expectNoSession(context, account.table, wrong, 'a wrong first factor')
  const mfaId = mfaIdIn(wrong)
  if (mfaId !== undefined) {
    const response = await byOtp(context, account, await newOtp(context, account), { mfaId })
    await expectNoSession(context, account.table, response, 'a second factor after a wrong first one')
  }
  await expectBothFactors(context)
})

check('mfa.wrong-second', async (context) => {
  const account = await accountToSignIn(context, 'mfa')
  const mfaId = await firstStep(context, account)
  const otp = await newOtp(context, account)
  const wrong = await byOtp(context, account, { ...otp, code: otherCode(otp.code) }, { mfaId })
  await expectNoSession(context, account.table, wrong, 'a wrong second factor')
  await firstStep(context, account)
  // The wrong attempt may have ended the first factor, and so may the newer one.
  const response = await byOtp(context, account, otp, { mfaId })
  if (!response.ok) await expectBothFactors(context)
  await expectNoWrongPassword(context)
})

/** A wrong password does not count as the second factor either. */
async function expectNoWrongPassword(context: CheckContext): Promise<void> {
  const account = await accountToSignIn(context, 'mfa')
  const mfaId = await codeAsFirst(context, account)
  if (mfaId === undefined) return
  const { table, email: identity } = account
  const wrong = await context.api.authWithPassword(table, { identity, password: OTHER_PASSWORD, mfaId })
  await expectNoSession(context, table, wrong, 'a wrong password as the second factor')
}

check('mfa.id-no-token', async (context) => {
  const account = await accountToSignIn(context, 'mfa')
  const token = String(await firstStep(context, account))
  await expectDead(context, { table: account.table, token }, 'that is an `mfaId`')
})

check('mfa.off', async (context) => {
  const account = await newAccount(context)
  const response = await firstSignIn(context, account)
  expectSignedIn(response, account, 'a sign-in where one factor is enough')
})
