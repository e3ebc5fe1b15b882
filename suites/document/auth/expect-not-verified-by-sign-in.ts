import { expectEqual, objectBody } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount } from '../../shared/auth/accounts.ts'
import { byPassword } from '../../shared/auth/sessions.ts'

/** A sign-in by password does not show that the address is the client's. Only a superuser sees the account before it. */
export async function expectNotVerifiedBySignIn(context: CheckContext): Promise<void> {
  if (!context.knows('superuser')) return
  const account = await newAccount(context)
  const view = () => context.api.as('superuser').view(account.table, account.id)
  const before = await view()
  if (!before.ok || objectBody(before).verified !== false) return
  await byPassword(context, account)
  expectEqual(objectBody(await view()).verified, false, '`verified` after a sign-in by password')
}
