/** One-time codes and several factors (document 4.2, 5). */

import { check } from '../../harness/check.ts'
import { expectThat } from '../../harness/judging/expect.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { byOtp, mailTo, newOtp, otherCode, requestOtp } from './mailed.ts'
import {
  type Account,
  byPassword,
  expectLetIn,
  expectNoToken,
  expectSession,
  expectSignedIn,
  newAccount,
  sessionIn,
} from './world.ts'

check('otp.mails-code', async (context) => {
  const account = await newAccount(context)
  const { received } = await mailTo(context, account.email, () => requestOtp(context, account))
  context.mail.code(received)
})

check('otp.sign-in', async (context) => {
  const account = await newAccount(context)
  expectSession(await byOtp(context, account, await newOtp(context, account)), account, 'a sign-in by code')
})

check('otp.two-steps', async (context) => {
  const account = await newAccount(context)
  const { reply, received } = await mailTo(context, account.email, () => requestOtp(context, account))
  const code = context.mail.code(received)
  expectThat(
    !reply.text.includes(`"${code}"`) && sessionIn(reply).token === undefined,
    'the first step gives away the code or a token',
    'neither',
    Object.keys(reply.body ?? {}),
  )
})

check('otp.once', async (context) => {
  const account = await newAccount(context)
  const otp = await newOtp(context, account)
  await context.rejects({
    control: () => byOtp(context, account, otp),
    attempt: () => byOtp(context, account, otp),
  })
})

check('otp.wrong-code', async (context) => {
  const account = await newAccount(context)
  const otp = await newOtp(context, account)
  expectNoToken(await byOtp(context, account, { ...otp, code: otherCode(otp.code) }), 'a wrong code')
  expectLetIn(await byOtp(context, account, otp), account, 'the mailed code')
})

check('otp.other-account', async (context) => {
  const [one, other] = [await newAccount(context), await newAccount(context)]
  const [mine, theirs] = [await newOtp(context, one), await newOtp(context, other)]
  expectNoToken(
    await byOtp(context, one, { ...mine, code: otherThan(mine.code, theirs.code) }),
    'the code of another account',
  )
  expectLetIn(await byOtp(context, one, mine), one, 'the own code')
})

/** Codes are short: two may be alike, and then another one stands in. */
function otherThan(mine: string, theirs: string): string {
  return mine === theirs ? otherCode(mine) : theirs
}

/** The answer of a first factor: an mfaId and nothing to go on with. */
async function firstStep(context: CheckContext, account: Account): Promise<string> {
  const reply = await byPassword(context, account)
  const { mfaId } = (reply.body ?? {}) as { mfaId?: unknown }
  expectThat(
    typeof mfaId === 'string' && mfaId !== '',
    'the first factor gives no `mfaId`',
    'a text',
    reply.text,
  )
  return mfaId
}

check('auth.mfa-id', async (context) => {
  await firstStep(context, await newAccount(context, 'mfa'))
})

check('mfa.first-step-no-token', async (context) => {
  expectNoToken(await byPassword(context, await newAccount(context, 'mfa')), 'the first of two factors')
})

check('mfa.second-factor', async (context) => {
  const account = await newAccount(context, 'mfa')
  const mfaId = await firstStep(context, account)
  const reply = await byOtp(context, account, await newOtp(context, account), { mfaId })
  expectSession(reply, account, 'the second factor')
})

check('mfa.id-required', async (context) => {
  const account = await newAccount(context, 'mfa')
  const mfaId = await firstStep(context, account)
  expectNoToken(
    await byOtp(context, account, await newOtp(context, account)),
    'a second factor without `mfaId`',
  )
  const reply = await byOtp(context, account, await newOtp(context, account), { mfaId })
  expectLetIn(reply, account, 'the second factor with it')
})

check('mfa.two-different', async (context) => {
  const account = await newAccount(context, 'mfa')
  const mfaId = await firstStep(context, account)
  const { email: identity, password, table } = account
  expectNoToken(
    await context.api.authWithPassword(table, { identity, password, mfaId }),
    'the same factor twice',
  )
})

check('mfa.other-account', async (context) => {
  const [one, other] = [await newAccount(context, 'mfa'), await newAccount(context, 'mfa')]
  const [mine, theirs] = [await firstStep(context, one), await firstStep(context, other)]
  const reply = await byOtp(context, one, await newOtp(context, one), { mfaId: theirs })
  expectNoToken(reply, 'the `mfaId` of another account')
  const control = await byOtp(context, one, await newOtp(context, one), { mfaId: mine })
  expectLetIn(control, one, 'the own `mfaId`')
})

check('mfa.off', async (context) => {
  const account = await newAccount(context)
  const reply = await byPassword(context, account)
  expectSignedIn(reply, account, 'a sign-in where one factor is enough')
})
