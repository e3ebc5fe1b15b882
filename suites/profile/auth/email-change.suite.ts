/** Change of address (standard profile, gaps `mail.flows` and `auth.statuses`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, newEmail, PASSWORD } from '../../shared/auth/accounts.ts'
import { confirmChange } from '../../shared/auth/confirm-flows.ts'
import { changeToken } from '../../shared/auth/email-flows.ts'
import { expectAlive, expectDead, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { mailsTogether } from '../../shared/auth/mailed.ts'
import { post } from '../../shared/auth/post.ts'
import { requestChange } from '../../shared/auth/request-flows.ts'
import { recordIn } from '../../shared/auth/session-in.ts'
import { byPassword, type SignedIn, signedIn } from '../../shared/auth/sessions.ts'
import { withOtherSignature } from '../../shared/auth/tampering.ts'
import { fieldErrorCodes } from '../../shared/records/field-errors.ts'
import { tableById } from '../../shared/records/table-by-id.ts'

/** A person who requested a new address, with the token that was emailed to it. */
async function requested(
  context: CheckContext,
  role = 'members',
): Promise<SignedIn & { to: string; mailed: string }> {
  const me = await signedIn(context, role)
  const to = newEmail(context)
  return { ...me, to, mailed: await changeToken(context, me, to) }
}

check('email-change.request-status', async (context) => {
  const response = await requestChange(await signedIn(context), newEmail(context))
  expectStatus(response, 204, 'a request for an email change')
  expectEqual(response.text, '', 'the body of the response to a request for an email change')
})

check('email-change.request-guest', async (context) => {
  const [me, colleague] = [await signedIn(context), await signedIn(context, 'staff')]
  for (const [api, status] of [
    [context.api, 401],
    [context.api.withToken('nonsense', 'bogus'), 401],
    [colleague.api, 403],
    [context.api.as('superuser'), 403],
  ] as const) {
    await context.rejects({
      control: () => requestChange(me, newEmail(context)),
      attempt: () => requestChange({ table: me.table, api }, newEmail(context)),
      status,
    })
  }
})

check('email-change.request-invalid', async (context) => {
  const me = await signedIn(context)
  for (const [to, code] of [
    [undefined, 'validation_required'],
    ['no address', 'validation_is_email'],
    [me.email, 'validation_not_in_invalid'],
  ] as const) {
    await context.rejects({
      control: () => requestChange(me, newEmail(context)),
      attempt: () => post(me.api, me.table, 'request-email-change', { newEmail: to }),
      status: 400,
      data: { newEmail: code },
    })
  }
})

check('email-change.to-new-address', async (context) => {
  const [me, other] = [await signedIn(context), await signedIn(context)]
  const { email } = me
  const byId = { ...me, table: tableById(me.table, me.record) }
  const [to, othersNew] = [newEmail(context), newEmail(context)]
  await mailsTogether(
    context,
    { to, send: () => requestChange(byId, to) },
    { to: othersNew, send: () => requestChange(other, othersNew) },
  )
  expectThat(await context.mail.silent({ to: email }), 'an email was sent to the old address', 'none', email)
})

check('email-change.taken', async (context) => {
  const [me, other] = [await signedIn(context), await newAccount(context)]
  const after = await context.mail.count()
  const free = await requestChange(me, newEmail(context))
  const taken = await requestChange(me, other.email)
  expectEqual([taken.status, taken.text], [free.status, free.text], 'the response for an address in use')
  expectThat(
    await context.mail.silent({ to: other.email, after }),
    'an email was sent to an address in use',
    'none',
    other.email,
  )
})

check('email-change.taken-meanwhile', async (context) => {
  const me = await requested(context)
  await newAccount(context, 'members', { email: me.to })
  const response = await confirmChange(context, me, me.mailed)
  expectStatus(response, 400, 'a confirmation of an address that was taken in the meantime')
  expectSignedIn(await byPassword(context, me), me, 'a sign-in with the old address')
})

check('email-change.confirm-missing', async ({ api, table }) => {
  const response = await post(api, table('members'), 'confirm-email-change', {})
  expectStatus(response, 400, 'a confirmation with an empty body')
  expectEqual(
    fieldErrorCodes(response),
    { token: 'validation_required', password: 'validation_required' },
    'the error codes of a confirmation with an empty body',
  )
})

check('email-change.confirm-password', async (context) => {
  const me = await requested(context)
  const response = await confirmChange(context, { ...me, password: 'wrong password' }, me.mailed)
  expectStatus(response, 400, 'a confirmation with a wrong password')
  expectEqual(
    fieldErrorCodes(response),
    { password: 'validation_invalid_password' },
    'the error codes of a wrong password',
  )
  expectStatus(await confirmChange(context, me, me.mailed), 204, 'a confirmation with the correct password')
})

check('email-change.invalid-token', async (context) => {
  const me = await requested(context)
  for (const [wrong, code] of [
    ['nonsense', 'validation_invalid_token_payload'],
    [withOtherSignature(me.mailed), 'validation_invalid_token'],
  ] as const) {
    const response = await confirmChange(context, me, wrong)
    expectStatus(response, 400, 'a confirmation with a wrong token')
    expectEqual(fieldErrorCodes(response).token, code, 'data.token.code for a wrong token')
  }
  expectStatus(await confirmChange(context, me, me.mailed), 204, 'a confirmation with the emailed token')
})

check('email-change.confirm-status', async (context) => {
  const me = await requested(context)
  const response = await confirmChange(context, me, me.mailed)
  expectStatus(response, 204, 'an email change')
  expectEqual(response.text, '', 'the body of the response to an email change')
})

check('email-change.once', async (context) => {
  const me = await requested(context)
  await context.rejects({
    control: () => confirmChange(context, me, me.mailed),
    attempt: () => confirmChange(context, me, me.mailed),
    status: 400,
  })
})

check('email-change.ends-sessions', async (context) => {
  const me = await requested(context)
  await expectAlive(context, me, 'before the change')
  expectStatus(await confirmChange(context, me, me.mailed), 204, 'an email change')
  await expectDead(context, me, 'after the address was changed')
})

check('email-change.verifies', async (context) => {
  const me = await requested(context)
  expectStatus(await confirmChange(context, me, me.mailed), 204, 'an email change')
  const response = await byPassword(context, { ...me, email: me.to, password: PASSWORD })
  expectSignedIn(response, me, 'a sign-in with the new address')
  expectEqual(
    recordIn(response, 'a sign-in with the new address').verified,
    true,
    '`verified` after the change',
  )
})

check('email-change.other-table', async (context) => {
  const colleague = await requested(context, 'staff')
  const response = await confirmChange(
    context,
    { ...colleague, table: context.table('members') },
    colleague.mailed,
  )
  expectStatus(response, 400, 'a confirmation with a token of another table')
  expectEqual(
    fieldErrorCodes(response).token,
    'validation_token_collection_mismatch',
    'data.token.code for a token of another table',
  )
  expectStatus(
    await confirmChange(context, colleague, colleague.mailed),
    204,
    'a confirmation with the token in its own table',
  )
})
