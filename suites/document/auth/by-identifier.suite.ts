/** Sign-in and email endpoints under the identifier of a table instead of its name (document 1, 4.2). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import { addressOf, newAccount, newEmail, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { confirmChange, confirmReset, confirmVerification } from '../../shared/auth/confirm-flows.ts'
import { byOtp, changeToken, flowToken, newOtp } from '../../shared/auth/email-flows.ts'
import { expectRefreshOffered } from '../../shared/auth/expect-refresh-offered.ts'
import { expectAccepted, expectSignedIn, expectToken } from '../../shared/auth/expect-session.ts'
import { admittedPerson, byProvider } from '../../shared/auth/oauth.ts'
import { expectCodeSuffices } from '../../shared/auth/password-suffices.ts'
import { recordIn, signedInId } from '../../shared/auth/session-in.ts'
import {
  accountByPassword,
  accountTableById,
  accountToSignIn,
  byPassword,
  firstSignIn,
  isAlive,
  sessionOf,
  signedIn,
  viewedAccount,
} from '../../shared/auth/sessions.ts'
import { tableById } from '../../shared/records/table-by-id.ts'

check('refresh.table-by-id', async (context) => {
  const account = await newAccount(context)
  const byId = await accountTableById(context, account)
  // Where an account has one session at a time, this sign-in must be the last.
  const me = await sessionOf(context, account)
  const response = await me.api.authRefresh(byId)
  await expectRefreshOffered(context, account.table, response)
  expectAccepted(response, me, 'a refresh under the table’s id')
})

check('otp.table-by-id', async (context) => {
  const account = await accountToSignIn(context)
  const byId = { ...account, table: await accountTableById(context, account) }
  const response = await byOtp(context, byId, await newOtp(context, byId))
  await expectCodeSuffices(context, account, response)
  expectAccepted(response, account, 'a sign-in by code under the table’s id')
})

check('oauth2.table-by-id', async (context) => {
  const table = context.table('oauth')
  const person = await admittedPerson(context)
  const byName = await byProvider(context, person)
  const id = signedInId(byName, 'a sign-in through the provider')
  const own = await expectToken(context, table, byName, 'a sign-in through the provider')
  const api = context.api.withToken(own, 'user')
  const byId = tableById(table, await viewedAccount(context, { table, id, api }))
  const response = await byProvider(context, person, { table: byId })
  expectAccepted(response, { id }, 'a sign-in through the provider under the table’s id')
  const first = await byProvider(context, await admittedPerson(context), { table: byId })
  const what = 'a first sign-in through the provider under the table’s id'
  const token = await expectToken(context, table, first, what)
  expectThat(
    await isAlive(context, { table, token }),
    'its token belongs to no account',
    'accepted',
    'rejected',
  )
})

check('impersonate.table-by-id', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  const control = await root.impersonate(account.table, account.id)
  if (!control.ok) throw new BlockedError(`a superuser could not impersonate: ${control.status}`)
  const response = await root.impersonate(await accountTableById(context, account), account.id)
  expectAccepted(response, account, 'an impersonation under the table’s id')
})

check('flow.table-by-id', async (context) => {
  const me = await newAccount(context)
  await firstSignIn(context, me)
  const byId = { ...me, table: await accountTableById(context, me) }
  const own = async (email: string, password: string) => {
    const response = await byPassword(context, { ...me, email, password })
    return recordIn(response, 'a sign-in of the account')
  }
  // A server may send no email to an account that is already verified.
  if ((await own(me.email, me.password)).verified !== true) {
    const proof = await flowToken(context, 'verification', byId)
    expectSuccess(
      await confirmVerification(context, byId, proof),
      'confirm-verification under the table’s id',
    )
    expectEqual((await own(me.email, me.password)).verified, true, '`verified` after that flow')
  }
  // Each with an account of its own: a server may limit the emails to one.
  const to = newEmail(context)
  const session = { ...(await signedIn(context)), table: byId.table }
  const change = await changeToken(context, session, to)
  expectSuccess(await confirmChange(context, session, change), 'confirm-email-change under the table’s id')
  expectEqual(
    addressOf((await own(to, me.password)).email),
    addressOf(to),
    '`email` after a change under the table’s id',
  )
  const other = await accountByPassword(context)
  const reset = await flowToken(context, 'password-reset', { ...other, table: byId.table })
  const response = await confirmReset(context, byId, reset, OTHER_PASSWORD)
  expectSuccess(response, 'confirm-password-reset under the table’s id')
  const signed = await firstSignIn(context, { ...other, password: OTHER_PASSWORD })
  expectSignedIn(signed, other, 'a sign-in with the new password')
})
