/** The second steps of verification and password reset (standard profile, gap `mail.flows`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type Account, newAccount, newEmail, OTHER_PASSWORD, PASSWORD } from '../../shared/auth/accounts.ts'
import { confirmReset, confirmVerification } from '../../shared/auth/confirm-flows.ts'
import { flowToken } from '../../shared/auth/email-flows.ts'
import { expectAlive, expectDead, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { post } from '../../shared/auth/post.ts'
import { requestFlow } from '../../shared/auth/request-flows.ts'
import { recordIn } from '../../shared/auth/session-in.ts'
import { byPassword, signedIn } from '../../shared/auth/sessions.ts'
import { withOtherSignature } from '../../shared/auth/tampering.ts'
import { fieldErrorCodes } from '../../shared/records/field-errors.ts'

async function verified(context: CheckContext, account: Account): Promise<unknown> {
  const response = await byPassword(context, account)
  return recordIn(response, 'a sign-in').verified
}

check('verification.confirm-status', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'verification', account)
  for (const time of ['first', 'second'])
    expectStatus(await confirmVerification(context, account, token), 204, `the ${time} confirmation`)
  expectEqual(await verified(context, account), true, '`verified` after a confirmation')
})

check('verification.invalid-token', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'verification', account)
  for (const [wrong, code] of [
    ['nonsense', 'validation_invalid_token_claims'],
    [withOtherSignature(token), 'validation_invalid_token'],
  ] as const) {
    const response = await confirmVerification(context, account, wrong)
    expectStatus(response, 400, 'a confirmation with a wrong token')
    expectEqual(fieldErrorCodes(response), { token: code }, 'the error codes of a wrong token')
  }
  expectStatus(
    await confirmVerification(context, account, token),
    204,
    'a confirmation with the emailed token',
  )
})

check('verification.verified-silent', async (context) => {
  const account = await newAccount(context, 'members', { verified: true })
  expectStatus(await requestFlow(context, 'verification', account), 204, 'a request for a verified record')
  await flowToken(context, 'verification', await newAccount(context))
  expectThat(
    await context.mail.silent({ to: account.email }),
    'an email was sent to a verified record',
    'none',
    account.email,
  )
})

check('verification.keeps-sessions', async (context) => {
  const me = await signedIn(context)
  const token = await flowToken(context, 'verification', me)
  expectStatus(await confirmVerification(context, me, token), 204, 'a verification')
  await expectAlive(context, me, 'after the verification')
})

check('verification.email-ends', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'verification', account)
  const email = newEmail(context)
  const root = context.api.as('superuser')
  expectSuccess(await root.update(account.table, account.id, { email }), 'an email change')
  const response = await confirmVerification(context, account, token)
  expectStatus(response, 400, 'a confirmation with a token that was emailed to the old address')
  expectEqual(
    await verified(context, { ...account, email }),
    false,
    '`verified` after a rejected confirmation',
  )
})

check('password-reset.off', async (context) => {
  const account = await newAccount(context, 'passwordless')
  expectStatus(
    await requestFlow(context, 'password-reset', account),
    400,
    'a reset where passwords are disabled',
  )
})

check('password-reset.confirm-status', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'password-reset', account)
  const response = await confirmReset(context, account, token, OTHER_PASSWORD)
  expectStatus(response, 204, 'a completed reset')
  expectEqual(response.text, '', 'the body of the response to a reset')
})

check('password-reset.invalid-password', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'password-reset', account)
  const whole = { token, password: OTHER_PASSWORD, passwordConfirm: OTHER_PASSWORD }
  const send = (body: Body) => post(context.api, account.table, 'confirm-password-reset', body)
  for (const [change, field, code] of [
    [{ password: undefined }, 'password', 'validation_required'],
    [{ passwordConfirm: undefined }, 'passwordConfirm', 'validation_required'],
    [{ passwordConfirm: PASSWORD }, 'passwordConfirm', 'validation_values_mismatch'],
    [{ password: 'short', passwordConfirm: 'short' }, 'password', 'validation_length_out_of_range'],
  ] as const) {
    const response = await send({ ...whole, ...change })
    expectStatus(response, 400, 'a reset to an invalid password')
    expectEqual(fieldErrorCodes(response)[field], code, `data.${field}.code`)
  }
  expectStatus(await send(whole), 204, 'a reset with a valid password and the same token')
})

check('password-reset.invalid-token', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'password-reset', account)
  for (const wrong of ['nonsense', withOtherSignature(token)]) {
    const response = await confirmReset(context, account, wrong, OTHER_PASSWORD)
    expectStatus(response, 400, 'a confirmation with a wrong token')
    expectEqual(
      fieldErrorCodes(response),
      { token: 'validation_invalid_token' },
      'the error codes of a wrong token',
    )
  }
  expectStatus(
    await confirmReset(context, account, token, OTHER_PASSWORD),
    204,
    'a confirmation with the emailed token',
  )
})

check('password-reset.once', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'password-reset', account)
  await context.rejects({
    control: () => confirmReset(context, account, token, OTHER_PASSWORD),
    attempt: () => confirmReset(context, account, token, 'a third, long secret'),
    status: 400,
  })
  expectSignedIn(
    await byPassword(context, { ...account, password: OTHER_PASSWORD }),
    account,
    'a sign-in with the first new password',
  )
})

check('password-reset.ends-sessions', async (context) => {
  const me = await signedIn(context)
  const token = await flowToken(context, 'password-reset', me)
  await expectAlive(context, me, 'before the reset')
  expectSuccess(await confirmReset(context, me, token, OTHER_PASSWORD), 'a reset')
  await expectDead(context, me, 'after the reset')
})

check('password-reset.verifies', async (context) => {
  const account = await newAccount(context)
  const token = await flowToken(context, 'password-reset', account)
  expectEqual(await verified(context, account), false, '`verified` before the reset')
  expectSuccess(await confirmReset(context, account, token, OTHER_PASSWORD), 'a reset')
  expectEqual(
    await verified(context, { ...account, password: OTHER_PASSWORD }),
    true,
    '`verified` after the reset',
  )
})
