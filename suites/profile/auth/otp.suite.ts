/** One-time codes in particular (standard profile). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type Account, newAccount, newEmail } from '../../shared/auth/accounts.ts'
import { byOtp, newOtp } from '../../shared/auth/email-flows.ts'
import { expectAlive, expectDead, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { mailTo } from '../../shared/auth/mailed.ts'
import { otherCode } from '../../shared/auth/other-code.ts'
import { post } from '../../shared/auth/post.ts'
import { requestOtp } from '../../shared/auth/request-flows.ts'
import { recordIn } from '../../shared/auth/session-in.ts'
import { byPassword, sessionOf, signedIn } from '../../shared/auth/sessions.ts'
import { fieldErrorCodes } from '../../shared/records/field-errors.ts'
import { tableById } from '../../shared/records/table-by-id.ts'
import { expectAlike } from './expect-alike.ts'

const VALIDATION = 'validation_required'

check('request-otp.status', async (context) => {
  const me = await signedIn(context)
  for (const api of [context.api, me.api]) {
    const response = await requestOtp({ ...context, api }, me)
    expectStatus(response, 200, 'a request for a code')
    expectEqual(
      Object.keys(objectBody(response)),
      ['otpId'],
      'the keys of the response to a request for a code',
    )
  }
})

check('request-otp.off', async (context) => {
  const account = await newAccount(context, 'staff')
  expectStatus(await requestOtp(context, account), 403, 'a request for a code where codes are disabled')
  const response = await byOtp(context, account, { otpId: 'nosuchcode00000', code: '123456' })
  expectStatus(response, 403, 'a sign-in by code where codes are disabled')
})

check('request-otp.invalid', async (context) => {
  const account = await newAccount(context)
  const send = (body: Body) => post(context.api, account.table, 'request-otp', body)
  for (const [email, code] of [
    [undefined, VALIDATION],
    ['', VALIDATION],
    ['no address', 'validation_is_email'],
  ] as const) {
    await context.rejects({
      control: () => send({ email: account.email }),
      attempt: () => send({ email }),
      status: 400,
      data: { email: code },
    })
  }
})

check('enumeration.otp', async (context) => {
  const account = await newAccount(context)
  const known = await requestOtp(context, account)
  const stranger = { ...account, email: newEmail(context) }
  const unknown = await requestOtp(context, stranger)
  const again = await requestOtp(context, stranger)
  expectSuccess(known, 'a request for a code')
  expectAlike(unknown, again, known, 'the response for an unknown address')
})

check('otp.unknown-silent', async (context) => {
  const account = await newAccount(context)
  const email = newEmail(context)
  const response = await requestOtp(context, { ...account, email })
  expectStatus(response, 200, 'a request for an unknown address')
  const otpId = String(objectBody(response).otpId)
  // An email to another account, requested later, has arrived. One to the unknown address would have arrived too.
  await newOtp(context, account)
  expectThat(
    await context.mail.silent({ to: email }),
    'an email was sent to an unknown address',
    'none',
    email,
  )
  expectStatus(
    await byOtp(context, account, { otpId, code: '123456' }),
    400,
    'a sign-in with the otpId for an unknown address',
  )
})

check('otp.digits', async (context) => {
  const account = await signedIn(context)
  // The session of the account and the identifier of its table make no difference.
  const byId = { table: tableById(account.table, account.record), email: account.email }
  const request = () => requestOtp({ ...context, api: account.api }, byId)
  const { received } = await mailTo(context, account.email, request)
  const code = context.mail.code(received, 6)
  expectThat(/^\d{6}$/.test(code), 'the code does not have six digits', 'six digits', code.length)
})

check('otp.missing', async (context) => {
  const { api, table } = context
  const empty = await post(api, table('members'), 'auth-with-otp', {})
  expectStatus(empty, 400, 'a sign-in by code with an empty body')
  expectEqual(
    fieldErrorCodes(empty),
    { otpId: VALIDATION, password: VALIDATION },
    'the error codes of a sign-in by code with an empty body',
  )
  for (const [body, key] of [
    [{ otpId: 'x' }, 'password'],
    [{ password: '123456' }, 'otpId'],
  ] as const) {
    const response = await post(api, table('members'), 'auth-with-otp', body)
    expectStatus(response, 400, `a sign-in by code without ${key}`)
    expectEqual(
      fieldErrorCodes(response),
      { [key]: VALIDATION },
      `the error codes of a sign-in by code without ${key}`,
    )
  }
})

check('otp.refused', async (context) => {
  const account = await newAccount(context)
  const otp = await newOtp(context, account)
  const responses = [
    await byOtp(context, account, { ...otp, code: otherCode(otp.code) }),
    await byOtp(context, account, { ...otp, otpId: 'nosuchcode00000' }),
  ]
  expectSignedIn(await byOtp(context, account, otp), account, 'the emailed code')
  const used = await newOtp(context, account)
  const byId = { table: tableById(account.table, account.record) }
  expectSignedIn(await byOtp(context, byId, used), account, 'the emailed code, under the table’s id')
  for (const response of [
    ...responses,
    await byOtp(context, account, otp),
    await byOtp(context, account, used),
  ]) {
    expectStatus(response, 400, 'a sign-in with a wrong code')
    expectEqual(objectBody(response).data, {}, 'data of the response to a wrong code')
  }
})

check('otp.attempts', async (context) => {
  const account = await newAccount(context)
  const counting = { api: context.api.counting() }
  // Counted together: otherwise each new code would allow five more attempts.
  const [one, two] = [await newOtp(context, account), await newOtp(context, account)]
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const otp = attempt % 2 === 0 ? one : two
    const response = await byOtp(counting, account, { ...otp, code: otherCode(otp.code) })
    expectStatus(response, 400, `attempt ${attempt} with a wrong code`)
  }
  for (const otp of [one, two])
    expectStatus(
      await byOtp(counting, account, otp),
      429,
      'a sign-in with a correct code after five attempts',
    )
  const other = await newAccount(context)
  expectSignedIn(
    await byOtp(context, other, await newOtp(context, other)),
    other,
    'the code of another record',
  )
})

check('otp.several-open', async (context) => {
  const account = await signedIn(context)
  // The second is requested by the account itself, which is sent the code as a guest would be.
  const [first, second] = [
    await newOtp(context, account),
    await newOtp({ ...context, api: account.api }, account),
  ]
  expectThat(first.otpId !== second.otpId, 'two requests return the same identifier', 'two', first.otpId)
  for (const otp of [first, second])
    expectStatus(
      await byOtp(context, account, { ...otp, code: otherCode(otp.code) }),
      400,
      'a sign-in with a wrong code',
    )
  expectSignedIn(await byOtp(context, account, first), account, 'the earlier code')
})

check('otp.most-open', async (context) => {
  const account = await newAccount(context)
  const ids = new Set<string>()
  for (let n = 0; n < 10; n += 1) ids.add((await newOtp(context, account)).otpId)
  const after = await context.mail.count()
  const response = await requestOtp(context, account)
  expectStatus(response, 200, 'the eleventh request')
  expectThat(
    ids.has(String(objectBody(response).otpId)),
    'the eleventh request returns a new identifier',
    'one of the ten',
    response.text,
  )
  expectThat(
    await context.mail.silent({ to: account.email, after }),
    'the eleventh request sends an email',
    'none',
    account.email,
  )
})

/** The record of a sign-in by code that must succeed. */
async function signInByCode(context: CheckContext, account: Account): Promise<Body> {
  const response = await byOtp(context, account, await newOtp(context, account))
  expectSignedIn(response, account, 'a sign-in by code')
  return recordIn(response, 'a sign-in by code')
}

check('otp.verifies', async (context) => {
  const account = await newAccount(context)
  expectEqual((await signInByCode(context, account)).verified, true, 'verified after a sign-in by code')
})

check('otp.takeover-safe', async (context) => {
  const me = await signedIn(context)
  await signInByCode(context, me)
  await expectDead(context, me, 'that was issued before the address was verified')
  expectStatus(
    await byPassword(context, me),
    400,
    'a sign-in with the password from before the address was verified',
  )
})

check('otp.verified-keeps', async (context) => {
  const account = await newAccount(context, 'members', { verified: true })
  const me = await sessionOf(context, account)
  await signInByCode(context, me)
  await expectAlive(context, me, 'of a verified record after a sign-in by code')
  expectSignedIn(await byPassword(context, me), me, 'the password of a verified record')
})

check('otp.other-table', async (context) => {
  const [one, other] = [await newAccount(context), await newAccount(context, 'passwordless')]
  const otp = await newOtp(context, one)
  await context.rejects({
    control: async () => byOtp(context, other, await newOtp(context, other)),
    attempt: () => byOtp(context, other, otp),
    status: 400,
  })
  expectSignedIn(await byOtp(context, one, otp), one, 'the code in its own table')
})

check('otp.meets-auth-rule', async (context) => {
  const account = await newAccount(context, 'gated')
  expectStatus(await byPassword(context, account), 403, 'a password sign-in of an unverified record')
  await signInByCode(context, account)
})

check('otp.email-ends', async (context) => {
  const account = await newAccount(context, 'members', { verified: true })
  const otp = await newOtp(context, account)
  const email = newEmail(context)
  const root = context.api.as('superuser')
  expectSuccess(await root.update(account.table, account.id, { email }), 'an email change')
  expectStatus(
    await byOtp(context, account, otp),
    400,
    'a sign-in with a code that was emailed to the old address',
  )
  await signInByCode(context, { ...account, email })
})
