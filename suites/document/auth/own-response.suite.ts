/** Sign-ins and refreshes at the same time are not mixed up (document 2.5, 4.2). */

import { objectsOf } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import { expectEqual, objectBody } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { isAboutPermission } from '../../../spec/status-range.ts'
import { type Account, newAccount } from '../../shared/auth/accounts.ts'
import { byOtp, newOtp } from '../../shared/auth/email-flows.ts'
import { expectRefreshOffered } from '../../shared/auth/expect-refresh-offered.ts'
import { expectAccepted } from '../../shared/auth/expect-session.ts'
import { recordIn, sessionIn } from '../../shared/auth/session-in.ts'
import { firstSignIn } from '../../shared/auth/sessions.ts'

const AT_ONCE = 4

check('auth.own-answer', async (context) => {
  context.needsAtOnce()
  const accounts: Account[] = []
  for (let count = 0; count < AT_ONCE; count += 1) accounts.push(await newAccount(context))
  const responses = await Promise.all(accounts.map((account) => firstSignIn(context, account)))
  expectEqual(
    responses.map((response) => recordIn(response, 'a sign-in').id),
    accounts.map(({ id }) => id),
    'the ids in concurrent sign-ins',
  )
  const refreshes = await Promise.all(
    responses.map((response) => {
      const { token = '' } = sessionIn(response)
      return context.api.withToken(token, 'user').authRefresh(context.table('members'))
    }),
  )
  for (const [at, response] of refreshes.entries()) {
    await expectRefreshOffered(context, context.table('members'), response)
    expectAccepted(response, accounts[at] ?? { id: '' }, 'a refresh among others')
  }
  if (context.has('mail') && context.has('otp')) await expectOwnCodes(context, accounts.slice(0, 2))
  if (context.has('impersonation') && context.knows('superuser'))
    await expectOwnImpersonations(context, accounts.slice(0, 2))
})

/** Codes that are requested at once and used at once sign in the accounts that they were emailed to. */
async function expectOwnCodes(context: CheckContext, accounts: readonly Account[]): Promise<void> {
  const codes = await Promise.all(accounts.map((account) => newOtp(context, account)))
  const responses = await Promise.all(
    accounts.map((account, at) => byOtp(context, account, codes[at] ?? { otpId: '', code: '' })),
  )
  for (const [at, account] of accounts.entries()) {
    const response = responses[at]
    if (response !== undefined) expectAccepted(response, account, 'a sign-in by code among others')
  }
}

async function expectOwnImpersonations(context: CheckContext, accounts: readonly Account[]): Promise<void> {
  const root = context.api.as('superuser')
  const responses = await Promise.all(accounts.map(({ table, id }) => root.impersonate(table, id)))
  for (const [at, account] of accounts.entries()) {
    const response = responses[at]
    if (!response?.ok) continue
    expectAccepted(response, account, 'an impersonation among others')
    const shown = objectsOf(response.body).find(({ id }) => id === account.id)?.verified
    const view = await root.view(account.table, account.id)
    // Whether superusers may view accounts is left open.
    if (isAboutPermission(view.status)) continue
    const { verified } = objectBody(view)
    if (shown !== undefined) expectEqual(shown, verified, '`verified` in an impersonation')
  }
}
