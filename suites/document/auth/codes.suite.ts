/** One-time codes (document 4.2, 5). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectThat, isRejected } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type Account, newAccount, newEmail, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { accountsOfOneId, expectOfSameTable } from '../../shared/auth/accounts-of-one-id.ts'
import { confirmChange, confirmReset, NO_PROOF } from '../../shared/auth/confirm-flows.ts'
import {
  byOtp,
  changeToken,
  codeIn,
  flowToken,
  newOtp,
  newOtpIfPossible,
  newOtpUnlessTooMany,
  type Otp,
  otpIdIn,
  otpIn,
} from '../../shared/auth/email-flows.ts'
import { expectAsByPassword, expectSameById } from '../../shared/auth/expect-as-by-password.ts'
import { expectNotRevealed } from '../../shared/auth/expect-not-revealed.ts'
import { expectProofHidden } from '../../shared/auth/expect-proof-hidden.ts'
import {
  expectAccepted,
  expectNoSession,
  expectNoToken,
  expectSession,
} from '../../shared/auth/expect-session.ts'
import { mailTo, secondMail, unlessTooMany } from '../../shared/auth/mailed.ts'
import { codeAsNumber, commonCodes, longerCodes, otherCode } from '../../shared/auth/other-code.ts'
import { expectCodeSuffices } from '../../shared/auth/password-suffices.ts'
import { post } from '../../shared/auth/post.ts'
import { requestOtp } from '../../shared/auth/request-flows.ts'
import { reveals } from '../../shared/auth/reveals.ts'
import { sentBackIn, sessionIn, shownIn } from '../../shared/auth/session-in.ts'
import {
  accountToSignIn,
  sessionOf,
  signedInIfPossible,
  updatesItself,
  withSession,
} from '../../shared/auth/sessions.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

check('otp.mails-code', async (context) => {
  const account = await newAccount(context)
  const { received } = await mailTo(context, account.email, () => requestOtp(context, account))
  context.mail.code(received)
})

check('otp.sign-in', async (context) => {
  const account = await accountToSignIn(context)
  const byPasswordToo = await unlessPrevented(() => sessionOf(context, account))
  // Another one is newer when the code signs in.
  await unlessPrevented(() => newAccount(context))
  const mayUpdate = byPasswordToo !== undefined && (await updatesItself(context, byPasswordToo))
  const response = await byOtp(context, account, await newOtp(context, account))
  await expectCodeSuffices(context, account, response)
  const given = await expectSession(context, response, account, 'a sign-in by code')
  const me = withSession(context, account, given)
  expectThat(
    !mayUpdate || (await updatesItself(context, me)),
    'a session by code cannot update its own record, but a session by password can',
    'accepted',
    'a rejection',
  )
  await expectNewerCode(context)
  await expectCodesOfTwo(context)
  await expectCodesAfterFlows(context)
  // An account that is not verified may lose its password to a sign-in by code.
  const verified = await unlessPrevented(() => newAccount(context, 'members', { verified: true }))
  const otp = verified && (await newOtpIfPossible(context, verified))
  if (verified === undefined || otp === undefined) return
  const { token } = sessionIn(await byOtp(context, verified, otp))
  if (token === undefined) return
  const session = withSession(context, verified, token)
  await expectAsByPassword(context, session, 'code')
  await expectSameById(context, session, 'code')
})

/**
 * The newer of two codes signs in. The document does not say whether there is a newer code, or whether it ends the
 * older one. If both codes are equal, the same email may have arrived twice: the code may then belong to the older
 * identifier.
 */
async function expectNewerCode(context: CheckContext): Promise<void> {
  const account = await accountToSignIn(context)
  const older = await newOtpIfPossible(context, account)
  if (older === undefined) return
  const newer = await secondMail(context, 'code', account.email, () => requestOtp(context, account))
  if (newer === undefined) return
  const otp = otpIn(context, newer)
  let response = await byOtp(context, account, otp)
  if (sessionIn(response).token === undefined && otp.code === older.code)
    response = await byOtp(context, account, older)
  expectAccepted(response, account, 'a sign-in by the newer of two codes')
}

/** The codes of two accounts both sign in: a request or a sign-in of one account does not affect the other. */
async function expectCodesOfTwo(context: CheckContext): Promise<void> {
  const pair: [Account, Otp][] = []
  for (let count = 0; count < 2; count += 1) {
    const account = await accountToSignIn(context)
    const otp = await newOtpIfPossible(context, account)
    if (otp === undefined) return
    pair.push([account, otp])
  }
  for (const [account, otp] of pair)
    expectAccepted(
      await byOtp(context, account, otp),
      account,
      'a sign-in by code while another account has one',
    )
}

/**
 * After a password reset or a change of address, an account still gets codes that sign in. Not judged if no emails can
 * be read, or if an unverified account gets no code: the document does not say whether it does.
 */
async function expectCodesAfterFlows(context: CheckContext): Promise<void> {
  const flows: Record<string, (account: Account) => Promise<Account | undefined>> = {
    'a reset': async (account) => {
      const proof = await flowToken(context, 'password-reset', account)
      const { ok } = await confirmReset(context, account, proof, OTHER_PASSWORD)
      return ok ? account : undefined
    },
    'a change of address': async (account) => {
      const email = newEmail(context)
      const me = await sessionOf(context, account)
      const { ok } = await confirmChange(context, me, await changeToken(context, me, email))
      return ok ? { ...account, email } : undefined
    },
  }
  for (const [flow, run] of Object.entries(flows)) {
    const now = await unlessPrevented(async () => run(await accountToSignIn(context)))
    const otp = now && (await newOtpUnlessTooMany(context, now))
    if (now === undefined || otp === undefined) continue
    expectAccepted(await byOtp(context, now, otp), now, `a sign-in by code after ${flow}`)
  }
}

check('otp.two-steps', async (context) => {
  const given: boolean[] = []
  // Twice: an identifier or a time may contain the digits of a code by coincidence.
  for (let turn = 0; turn < 2; turn += 1) {
    const account = await newAccount(context)
    const { response, received } = await mailTo(context, account.email, () => requestOtp(context, account))
    const code = await codeIn(context, account, received)
    expectNoToken(response, 'the first step')
    given.push(reveals(response, code))
    await expectProofHidden(context, account, code)
  }
  expectThat(
    given.includes(false),
    'the first step reveals the code',
    'no code',
    'a code in each of two emails',
  )
})

check('otp.made-up', async (context) => {
  const account = await accountToSignIn(context)
  const first = await requestOtp(context, account)
  const otpId = otpIdIn(first) ?? NO_PROOF
  const words = isRejected(first) ? [] : wordsIn(first.body)
  const returned = [...new Set(words)].filter((word) => word !== otpId && word !== account.email)
  const attempts: [code: string, what: string][] = [
    ...returned
      .slice(0, mostReturned)
      .map((word): [string, string] => [word, 'a value from the response to the first step']),
    [NO_PROOF, 'a made-up one-time code'],
    ['123456', 'a made-up one-time code'],
  ]
  for (const [code, what] of attempts)
    await expectNoSession(context, account.table, await byOtp(context, account, { otpId, code }), what)
})

/** Values of a response that are tried as the code: an account may have few attempts. */
const mostReturned = 2

/** Strings and numbers of a response that may be a code. A word without digits may be in any message, also of a rejection. */
function wordsIn(body: unknown): string[] {
  return sentBackIn(body).filter((word) => /^(?=.*\d)[A-Za-z\d -]{4,12}$/.test(word))
}

check('otp.once', async (context) => {
  const account = await accountToSignIn(context)
  const otp = await newOtp(context, account)
  const first = await byOtp(context, account, otp)
  await expectCodeSuffices(context, account, first)
  if (!first.ok) throw new BlockedError(`the code does not sign in: ${first.status}`)
  await expectUsedUp(context, account, otp, first)
  const newer = await unlike(otp, () => newOtpUnlessTooMany(context, account))
  if (newer !== undefined) {
    const again = await byOtp(context, account, { ...newer, code: otp.code })
    const what = 'a code that has signed in before, with the identifier of a newer one,'
    await expectNoSession(context, account.table, again, what)
  }
  await expectUsedUpOnceVerified(context)
  await byOtp(context, account, { ...otp, code: otherCode(otp.code) })
  const last = await byOtp(context, account, otp)
  await expectNoSession(context, account.table, last, 'a code that has signed in before, after a wrong one,')
})

/** No client can sign in with a used code, by any name of the table. */
async function expectUsedUp(
  context: CheckContext,
  account: Account,
  otp: Otp,
  first: ApiResponse,
): Promise<void> {
  const { token } = sessionIn(first)
  const signed = token === undefined ? [] : [context.api.withToken(token, 'user')]
  for (const api of [context.api, ...signed])
    for (const table of namesOf(account.table, { ...account.record, ...shownIn(first) })) {
      const again = await byOtp({ api }, { table }, otp)
      await expectNoSession(context, account.table, again, 'a code that has signed in before')
    }
}

/** The same for an account whose address was verified before: the first code of another one may verify it. */
async function expectUsedUpOnceVerified(context: CheckContext): Promise<void> {
  const account = await unlessPrevented(() => newAccount(context, 'members', { verified: true }))
  const otp = account && (await newOtpUnlessTooMany(context, account))
  if (account === undefined || otp === undefined) return
  const first = await byOtp(context, account, otp)
  if (first.ok) await expectUsedUp(context, account, otp, first)
}

/** In fewer than one of 10 ** 9 runs, codes that are equal by coincidence are mistaken for the same one. */
const COINCIDENCE_DIGITS = 9

/**
 * A code that differs from the given one. Codes are short, so two may be equal by coincidence: another one is then requested.
 * If all of them are equal, it is not a coincidence, and the last one is returned although it is the same code.
 */
async function unlike<T extends Otp | undefined>({ code }: Otp, make: () => Promise<T>): Promise<T> {
  // Of a long code only a few signs count: it may consist of a few words.
  const digits = Math.max(1, Math.min(4, code.replace(/[^\p{L}\p{N}]/gu, '').length))
  let made = await make()
  for (let equal = 1; made?.code === code && equal * digits <= COINCIDENCE_DIGITS; equal += 1)
    made = await make()
  return made
}

/**
 * A code signs in. A new account is used: a wrong attempt may have ended the codes of the previous one, and the
 * document does not say how soon an account gets another code.
 */
async function expectFreshCode(context: CheckContext): Promise<void> {
  const account = await accountToSignIn(context)
  const response = await byOtp(context, account, await newOtp(context, account))
  await expectCodeSuffices(context, account, response)
  if (!response.ok) throw new BlockedError(`a code of the account does not sign in: ${response.status}`)
}

check('otp.wrong-code', async (context) => {
  const account = await accountToSignIn(context)
  const otp = await newOtp(context, account)
  const other = await signedInIfPossible(context)
  // Few: a server may limit the wrong attempts.
  const [byName = account.table, byId = byName] = namesOf(account.table, {
    ...other?.record,
    ...account.record,
  })
  const attempts = [
    { api: context.api, table: byName, code: otherCode(otp.code, 'last') },
    { api: context.api, table: byName, code: otp.code.slice(0, Math.ceil(otp.code.length / 2)) },
    { api: context.api, table: byId, code: otherCode(otp.code) },
    { api: other?.api ?? context.api, table: byName, code: otherCode(otp.code, 'first') },
  ]
  const responses: ApiResponse[] = []
  for (const { api, table, code } of attempts) {
    const wrong = await byOtp({ api }, { table }, { ...otp, code })
    await expectNoSession(context, account.table, wrong, 'a wrong code')
    responses.push(wrong)
  }
  expectNotRevealed(responses, otp.code, 'a wrong code')
  await unlessTooMany(requestOtp(context, account))
  // A wrong attempt may have ended the code, and so may the newer one.
  const response = await byOtp(context, account, otp)
  if (!response.ok) await expectFreshCode(context)
  await expectNoLongerCode(context)
  await expectNoCommonCode(context)
})

/** A code that anyone would try first is not the code. Of another account: a server may limit the wrong attempts. */
async function expectNoCommonCode(context: CheckContext): Promise<void> {
  const account = await accountToSignIn(context)
  const otp = await newOtpUnlessTooMany(context, account)
  if (otp === undefined) return
  for (const code of commonCodes(otp.code)) {
    const wrong = await unlessTooMany(byOtp(context, account, { ...otp, code }))
    if (wrong === undefined) return
    await expectNoSession(
      context,
      account.table,
      wrong,
      `the code ${code}, which is not the one in the email,`,
    )
  }
}

/** A string that contains the code, or that is the same number, is not the code. Of another account: a server may limit the wrong attempts. */
async function expectNoLongerCode(context: CheckContext): Promise<void> {
  const account = await newAccount(context)
  const otp = await newOtpIfPossible(context, account)
  if (otp === undefined) return
  for (const code of longerCodes(otp.code)) {
    const wrong = await unlessTooMany(byOtp(context, account, { ...otp, code }))
    if (wrong === undefined) return
    await expectNoSession(context, account.table, wrong, 'a wrong code that contains the right one')
  }
  const asNumber = codeAsNumber(otp.code)
  const wrong = asNumber && (await unlessTooMany(byOtp(context, account, { ...otp, code: asNumber })))
  if (!wrong) return
  await expectNoSession(context, account.table, wrong, 'the right code as a number in another form')
}

check('otp.other-account', async (context) => {
  const one = await newAccount(context)
  const mine = await newOtp(context, one)
  const owners: string[] = []
  const theirs = await unlike(mine, async () => {
    const other = await newAccount(context)
    owners.push(other.id)
    return newOtp(context, other)
  })
  for (const table of namesOf(one.table, one.record)) {
    const response = await byOtp(context, { table }, { ...mine, code: theirs.code })
    // The document does not say that codes have identifiers: one may be found by itself, and sign its owner in.
    if (!owners.includes(String(sessionIn(response).recordId)))
      await expectNoSession(context, one.table, response, 'the code of another account')
  }
  await expectFreshCode(context)
  await expectNotWithoutStep(context)
  await expectNotOfSameId(context)
})

/**
 * A code signs in with the identifier of its first step alone. The document does not say that codes have identifiers: nothing
 * is expected where the code signs in without one, or where it is the address.
 */
async function expectNotWithoutStep(context: CheckContext): Promise<void> {
  const account = await accountToSignIn(context)
  const otp = await newOtpIfPossible(context, account)
  // Every sign is another one, and hexadecimal digits stay such.
  const otpId = otp && otherCode(otp.otpId).replaceAll('g', 'a').replaceAll('G', 'A')
  if (otp === undefined || otpId === undefined || otpId === otp.otpId || otpId.includes('@')) return
  const body = { password: otp.code }
  const without = await unlessTooMany(post(context.api, account.table, 'auth-with-otp', body))
  if (without === undefined || without.ok) return
  const response = await unlessTooMany(byOtp(context, account, { ...otp, otpId }))
  if (response === undefined) return
  await expectNoSession(context, account.table, response, 'a code with an identifier that was not returned')
}

/** A code does not sign in an account of another auth table that has the same id. */
async function expectNotOfSameId(context: CheckContext): Promise<void> {
  for (const role of ['staff', 'passwordless']) {
    const [member, other] = (await accountsOfOneId(context, role)) ?? []
    const otp = member && (await newOtpIfPossible(context, member))
    if (member === undefined || other === undefined || otp === undefined) continue
    const response = await byOtp(context, other, otp)
    expectOfSameTable(response, member, 'a sign-in under another table by code')
  }
}
