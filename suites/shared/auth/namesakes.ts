import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, accountWith, newAccount } from './accounts.ts'
import { expectSignedIn } from './expect-session.ts'
import { firstSignIn } from './sessions.ts'

/** The password of the second of two namesakes. */
const THEIRS = 'What only the namesake knows, No. 4'

/**
 * Accounts of two auth tables with the same address and different passwords. Both can sign in. Undefined: there is one
 * such table, or an address may have one account in all of them.
 */
export function namesakes(context: CheckContext): Promise<{ member: Account; staff: Account } | undefined> {
  return unlessPrevented(async () => {
    if (!context.hasTable('staff')) return undefined
    const member = await newAccount(context)
    const staff = await accountWith(context, member.email, THEIRS, 'staff')
    for (const account of [member, staff])
      expectSignedIn(await firstSignIn(context, account), account, 'a sign-in of one of two namesakes')
    return { member, staff }
  })
}
