/** What happens at the same time, and what a stranger learns from many requests (standard profile). */

import { randomUUID } from 'node:crypto'
import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import {
  newAccount,
  newEmail,
  OTHER_PASSWORD,
  PASSWORD,
  passwordBody,
  signUpBody,
} from '../../shared/auth/accounts.ts'
import { byOtp, flowToken, newOtp, otpIdOf, otpIn } from '../../shared/auth/email-flows.ts'
import { mailsTogether } from '../../shared/auth/mailed.ts'
import { post } from '../../shared/auth/post.ts'
import { requestOtp } from '../../shared/auth/request-flows.ts'
import { sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, isAlive, signedIn } from '../../shared/auth/sessions.ts'
import { passingOf, responsesOf } from './expect-alike.ts'

const AT_ONCE = 4

/** Sends several requests before the first response. */
function atOnce(send: (turn: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => send(turn)))
}

function expectOne(responses: readonly ApiResponse[], what: string): ApiResponse {
  const [only, ...more] = responses.filter(({ ok }) => ok)
  const statuses = responses.map(({ status }) => status)
  expectThat(only !== undefined && more.length === 0, `${what}: not exactly one succeeds`, 'one', statuses)
  return only
}

check('otp.once-at-once', async (context) => {
  context.needsAtOnce()
  const [account, other] = [await newAccount(context), await newAccount(context)]
  const mails = await mailsTogether(
    context,
    { to: account.email, send: () => requestOtp(context, account) },
    { to: other.email, send: () => requestOtp(context, other) },
  )
  const [otp, otherOtp] = [otpIn(context, mails[0]), otpIn(context, mails[1])]
  expectOne(await atOnce(() => byOtp(context, account, otp)), 'sign-ins with one code')
  const signIn = await byOtp(context, other, otherOtp)
  expectSuccess(signIn, 'a sign-in with a code that was requested together with one of another account')
})

check('mfa.once-at-once', async (context) => {
  context.needsAtOnce()
  const account = await newAccount(context, 'mfa')
  const { mfaId } = ((await byPassword(context, account)).body ?? {}) as { mfaId?: unknown }
  if (typeof mfaId !== 'string') throw new BlockedError('the first factor returned no mfaId')
  const codes = []
  for (let count = 0; count < AT_ONCE; count += 1) codes.push(await newOtp(context, account))
  const responses = await Promise.all(codes.map((otp) => byOtp(context, account, otp, { mfaId })))
  expectOne(responses, 'second factors with one mfaId')
})

check('password-reset.once-at-once', async (context) => {
  context.needsAtOnce()
  // The account may also request it with its session.
  const account = await signedIn(context)
  const token = await flowToken({ ...context, api: account.api }, 'password-reset', account)
  const passwords = Array.from({ length: AT_ONCE }, (_, turn) => `${OTHER_PASSWORD} ${turn}`)
  const responses = await Promise.all(
    passwords.map((password) =>
      post(context.api, account.table, 'confirm-password-reset', {
        token,
        password,
        passwordConfirm: password,
      }),
    ),
  )
  const winner = responses.indexOf(expectOne(responses, 'confirmations with one link'))
  const signIn = await byPassword(context, { ...account, password: passwords[winner] ?? '' })
  expectSuccess(signIn, 'a sign-in with the password of the confirmation that succeeded')
})

check('account.email-unique-at-once', async (context) => {
  context.needsAtOnce()
  const email = newEmail(context)
  const table = context.table('members')
  const responses = await atOnce(() => context.api.create(table, signUpBody(context, { email })))
  expectOne(responses, 'sign-ups with one address')
})

check('token.password-ends-at-once', async (context) => {
  context.needsAtOnce()
  const account = await signedIn(context)
  const change = passwordBody(context, OTHER_PASSWORD, PASSWORD)
  const [changed, ...signIns] = await Promise.all([
    account.api.update(account.table, account.id, change),
    byPassword(context, account),
    byPassword(context, account),
    byPassword(context, account),
  ])
  expectSuccess(changed, 'a change of the password')
  const { table, email } = account
  const token = sessionToken(await byPassword(context, { table, email, password: OTHER_PASSWORD }))
  if (token === undefined || !(await isAlive(context, { table, token })))
    throw new BlockedError('the new password opens no session that can be refreshed')
  for (const response of signIns) {
    const old = sessionToken(response)
    const outlives = old !== undefined && (await isAlive(context, { table, token: old }))
    expectThat(
      !outlives,
      'a session opened with the old password outlives the change',
      'a rejection',
      'accepted',
    )
  }
})

/**
 * An address that no request has contained before. Clean-up cannot remove what a server keeps about an unknown address,
 * and a second run with the same seed would find it. So this address is the only value here that does not follow from
 * the seed.
 */
function strangerEmail(context: CheckContext): string {
  return `${randomUUID().slice(0, 8)}-${newEmail(context)}`
}

/** Requests twelve codes. */
async function requestTwelveCodes(context: CheckContext, email: string): Promise<ApiResponse[]> {
  const table = context.table('members')
  const responses: ApiResponse[] = []
  for (let turn = 0; turn < 12; turn += 1) responses.push(await requestOtp(context, { table, email }))
  return responses
}

/** The form of the responses to requests for codes, and how many different identifiers they have given so far. */
function identified(responses: readonly ApiResponse[], passing: ReadonlySet<string>): unknown {
  const seen = new Set<unknown>()
  return responses.map((response) => {
    seen.add(((response.body ?? {}) as { otpId?: unknown }).otpId)
    return { ...responsesOf(response, passing), identifiers: seen.size }
  })
}

/** Headers that differ between the responses to the same request, sent several times. */
function passingIn([one, again]: readonly ApiResponse[]): ReadonlySet<string> {
  return one === undefined || again === undefined ? new Set() : passingOf(one, again)
}

check('enumeration.otp-open', async (context) => {
  const { email } = await newAccount(context)
  expectSuccess(await requestOtp(context, { table: context.table('members'), email }), 'a request for a code')
  const unknown = strangerEmail(context)
  await requestOtp(context, { table: context.table('members'), email: unknown })
  const [strangers, own] = [
    await requestTwelveCodes(context, unknown),
    await requestTwelveCodes(context, email),
  ]
  const passing = passingIn(strangers)
  expectEqual(
    identified(strangers, passing),
    identified(own, passing),
    'the responses for an unknown address',
  )
})

async function guessing(context: CheckContext, email: string): Promise<ApiResponse[]> {
  const table = context.table('members')
  const otpId = otpIdOf(await requestOtp(context, { table, email }))
  const responses: ApiResponse[] = []
  const counting = { api: context.api.counting() }
  for (let turn = 0; turn < 7; turn += 1)
    responses.push(await byOtp(counting, { table }, { otpId, code: 'no code' }))
  return responses
}

check('enumeration.otp-attempts', async (context) => {
  const { email } = await newAccount(context)
  const [strangers, own] = [await guessing(context, strangerEmail(context)), await guessing(context, email)]
  const passing = passingIn(strangers)
  expectEqual(
    strangers.map((response) => responsesOf(response, passing)),
    own.map((response) => responsesOf(response, passing)),
    'the responses to wrong codes for an unknown address',
  )
})
