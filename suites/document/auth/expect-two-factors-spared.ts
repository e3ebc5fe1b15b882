import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { type Account, accountWith, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { confirmReset } from '../../shared/auth/confirm-flows.ts'
import { flowToken } from '../../shared/auth/email-flows.ts'
import { expectSignedIn } from '../../shared/auth/expect-session.ts'

import { accountByPassword, byPassword, firstSignIn, isVerifiedFirst } from '../../shared/auth/sessions.ts'
import { verify } from '../../shared/auth/verify.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** The password of the account with two factors. */
const THEIRS = 'What only the namesake knows, No. 9'

/**
 * A reset spares the account with the same address in the table with two factors. There, what shows that a password is right
 * is an `mfaId`, if a wrong password gets none. Whether an address may have accounts of both tables is left open.
 */
export async function expectTwoFactorsSpared(context: CheckContext): Promise<void> {
  if (!context.hasTable('mfa')) return
  const isRight = async (account: Account, password: string = account.password) =>
    mfaIdIn(await byPassword(context, { ...account, password })) !== undefined
  const pair = await unlessPrevented(async () => {
    const member = await accountByPassword(context)
    const account = await accountWith(context, member.email, THEIRS, 'mfa')
    if (await isVerifiedFirst(context, 'mfa')) await verify(context, account)
    // Both have a password of their own.
    expectSignedIn(await firstSignIn(context, member), member, 'a sign-in of the other account')
    const isShown = !(await isRight(account, OTHER_PASSWORD)) && (await isRight(account))
    return isShown ? { member, account } : undefined
  })
  if (pair === undefined) return
  const { member, account } = pair
  // How often an account gets an email is left open.
  const isReset = await unlessPrevented(async () => {
    const proof = await flowToken(context, 'password-reset', member)
    return (await confirmReset(context, member, proof, OTHER_PASSWORD)).ok
  })
  if (isReset !== true) return
  const whose = 'of the account with the same address in the table with two factors'
  // The right one first: wrong attempts may lock an account.
  expectThat(await isRight(account), `after a reset, the password ${whose} is wrong`, 'an `mfaId`', 'none')
  const isNew = await isRight(account, OTHER_PASSWORD)
  expectThat(!isNew, `a reset also sets the password ${whose}`, 'a rejection', 'an `mfaId`')
}
