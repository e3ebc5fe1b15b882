import { isRejected, objectBody } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { Account } from '../../shared/auth/accounts.ts'
import { passwordHindrance } from '../../shared/auth/password-suffices.ts'
import { recordIn, sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, rejectsUnverified, unverified } from '../../shared/auth/sessions.ts'

/** The record as a sign-in returns it to its owner. If a password alone need not sign in: as a superuser views it. */
export async function recordBySignIn(context: CheckContext, account: Account): Promise<WireRecord> {
  const response = await byPassword(context, account)
  if (sessionToken(response) !== undefined) return recordIn(response, 'a sign-in of the account')
  const isUnverified = async () => isRejected(response) && rejectsUnverified(context, account, response)
  const hindrance =
    (await passwordHindrance(context, account.table, response)) ??
    ((await isUnverified()) ? unverified(account, response) : undefined)
  if (context.knows('superuser') && hindrance !== undefined) {
    const view = await context.api.as('superuser').view(account.table, account.id)
    if (view.ok) return objectBody(view) as WireRecord
  }
  if (hindrance !== undefined) throw hindrance
  return recordIn(response, 'a sign-in of the account')
}
