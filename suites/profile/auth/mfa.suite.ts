/** Several factors in particular (standard profile, gap `mfa.second-step`). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type Account, newAccount, OTHER_PASSWORD, passwordBody } from '../../shared/auth/accounts.ts'
import { byOtp, newOtp } from '../../shared/auth/email-flows.ts'
import { expectSignedIn } from '../../shared/auth/expect-session.ts'
import { byProvider, newProviderPerson } from '../../shared/auth/oauth.ts'
import { otherCode } from '../../shared/auth/other-code.ts'
import { post } from '../../shared/auth/post.ts'
import { byPassword } from '../../shared/auth/sessions.ts'

function mfaIdOf(response: ApiResponse): string {
  const { mfaId } = (response.body ?? {}) as { mfaId?: unknown }
  if (typeof mfaId !== 'string')
    throw new BlockedError(`the first factor returned no mfaId: ${response.status}`)
  return mfaId
}

/** A new account with two factors, its first one given. */
async function begun(context: CheckContext): Promise<Account & { mfaId: string }> {
  const account = await newAccount(context, 'mfa')
  return { ...account, mfaId: mfaIdOf(await byPassword(context, account)) }
}

/** The second factor, a fresh code, with this body. */
async function second(context: CheckContext, account: Account, extra: Body): Promise<ApiResponse> {
  return byOtp(context, account, await newOtp(context, account), extra)
}

function withPassword({ api }: CheckContext, { table, email, password }: Account, extra: Body) {
  return post(api, table, 'auth-with-password', { identity: email, password, ...extra })
}

check('mfa.challenge', async (context) => {
  const response = await byPassword(context, await newAccount(context, 'mfa'))
  expectStatus(response, 401, 'the first factor')
  expectEqual(Object.keys(objectBody(response)), ['mfaId'], 'the keys of the response to a first factor')
  if (!context.knows('superuser')) return
  const verified = await newAccount(context, 'mfa', { verified: true })
  expectStatus(await byPassword(context, verified), 401, 'the first factor of a verified account')
})

check('mfa.code-first', async (context) => {
  // Two accounts, so that each needs an `mfaId` of its own.
  for (const account of [await newAccount(context, 'mfa'), await newAccount(context, 'mfa')]) {
    const first = await second(context, account, {})
    expectStatus(first, 401, 'a code as the first factor')
    expectSignedIn(
      await withPassword(context, account, { mfaId: mfaIdOf(first) }),
      account,
      'the password as the second factor',
    )
  }
})

check('mfa.provider', async (context) => {
  const account = await newAccount(context, 'mfa')
  const person = newProviderPerson(context, { email: account.email })
  const atProvider = (extra: Body) => byProvider(context, person, { table: account.table, extra })
  const first = await atProvider({})
  expectStatus(first, 401, 'a provider as the first factor')
  expectSignedIn(
    await second(context, account, { mfaId: mfaIdOf(first) }),
    account,
    'a code after the provider',
  )
  const code = await second(context, account, {})
  expectSignedIn(await atProvider({ mfaId: mfaIdOf(code) }), account, 'a provider after the code')
})

check('mfa.in-query', async (context) => {
  const account = await begun(context)
  const { otpId, code } = await newOtp(context, account)
  const body = { otpId, password: code, mfaId: 'nosuchfactor000' }
  const response = await context.api.authWithOtp(account.table, body, { mfaId: account.mfaId })
  expectSignedIn(response, account, 'a second factor with the mfaId in the query')
})

check('mfa.once', async (context) => {
  const account = await begun(context)
  const { mfaId } = account
  await context.rejects({
    control: () => second(context, account, { mfaId }),
    attempt: () => second(context, account, { mfaId }),
    status: 400,
  })
})

check('mfa.unknown', async (context) => {
  const account = await begun(context)
  expectStatus(
    await second(context, account, { mfaId: 'nosuchfactor000' }),
    400,
    'a second factor with an unknown mfaId',
  )
  for (const mfaId of [1, true, ['x']])
    expectStatus(
      await withPassword(context, account, { mfaId }),
      400,
      'a second factor with an mfaId that is not a string',
    )
  expectSignedIn(
    await second(context, account, { mfaId: account.mfaId }),
    account,
    'a second factor with the correct mfaId',
  )
})

check('mfa.same-method', async (context) => {
  const account = await begun(context)
  const { mfaId } = account
  expectStatus(
    await withPassword(context, account, { mfaId }),
    400,
    'a second factor by the same method as the first',
  )
  expectSignedIn(
    await second(context, account, { mfaId }),
    account,
    'a second factor by another method afterwards',
  )
})

check('mfa.other-record', async (context) => {
  const [one, other] = [await begun(context), await begun(context)]
  expectStatus(
    await second(context, one, { mfaId: other.mfaId }),
    400,
    'a second factor with the mfaId of another record',
  )
  // A stolen password must not be enough together with a code that was sent to the thief.
  const mine = mfaIdOf(await second(context, one, {}))
  expectStatus(
    await withPassword(context, other, { mfaId: mine }),
    400,
    'a password with the code of another account',
  )
  for (const account of [one, other])
    expectSignedIn(
      await second(context, account, { mfaId: account.mfaId }),
      account,
      'a second factor with its own mfaId',
    )
})

check('mfa.several-open', async (context) => {
  const account = await begun(context)
  const later = mfaIdOf(await byPassword(context, account))
  expectThat(later !== account.mfaId, 'two first factors return the same mfaId', 'two', later)
  expectSignedIn(
    await second(context, account, { mfaId: account.mfaId }),
    account,
    'a second factor with the earlier mfaId',
  )
})

check('mfa.wrong-first-refused', async (context) => {
  const account = await newAccount(context, 'mfa')
  mfaIdOf(await byPassword(context, account))
  const response = await byPassword(context, { ...account, password: 'wrong password' })
  expectStatus(response, 400, 'a wrong first factor')
  expectThat(!response.text.includes('mfaId'), 'a wrong first factor returns an mfaId', 'none', response.text)
})

check('mfa.wrong-second-refused', async (context) => {
  const account = await begun(context)
  const otp = await newOtp(context, account)
  const { mfaId } = account
  expectStatus(
    await byOtp(context, account, { ...otp, code: otherCode(otp.code) }, { mfaId }),
    400,
    'a wrong second factor',
  )
  expectSignedIn(await byOtp(context, account, otp, { mfaId }), account, 'the correct second factor')
})

check('mfa.code-consumed', async (context) => {
  const account = await begun(context)
  const otp = await newOtp(context, account)
  expectStatus(
    await byOtp(context, account, otp, { mfaId: 'nosuchfactor000' }),
    400,
    'a correct code with an unknown mfaId',
  )
  const { mfaId } = account
  expectStatus(
    await byOtp(context, account, otp, { mfaId }),
    400,
    'the same code again, with the correct mfaId,',
  )
  expectSignedIn(await second(context, account, { mfaId }), account, 'a second factor with a new code')
})

check('mfa.password-ends', async (context) => {
  const account = await begun(context)
  const { table, id, mfaId } = account
  const root = context.api.as('superuser')
  const body = passwordBody(context, OTHER_PASSWORD)
  expectSuccess(await root.update(table, id, body), 'a password change')
  expectStatus(
    await second(context, account, { mfaId }),
    400,
    'a second factor with an mfaId from before the password change',
  )
  const now = { ...account, password: OTHER_PASSWORD }
  const fresh = mfaIdOf(await byPassword(context, now))
  expectSignedIn(await second(context, now, { mfaId: fresh }), now, 'an mfaId from after the password change')
})
