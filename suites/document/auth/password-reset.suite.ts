/** Reset of a password (document 4.2). */

import { check } from '../../../harness/check.ts'
import { expectSuccess } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type Account, newAccount, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { confirmReset } from '../../shared/auth/confirm-flows.ts'
import { flowToken, requestedProof } from '../../shared/auth/email-flows.ts'
import { expectProofHidden } from '../../shared/auth/expect-proof-hidden.ts'
import { expectNoToken, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { unlessTooMany } from '../../shared/auth/mailed.ts'
import { namesakes } from '../../shared/auth/namesakes.ts'
import { accountByPassword, byPassword, firstSignIn, signedIn } from '../../shared/auth/sessions.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { confirmForged, confirmReturned, fewForgeries, otherProofs, RETURNED } from './confirm-forged.ts'
import { expectTwoFactorsSpared } from './expect-two-factors-spared.ts'
import { elsewhere } from './flow-elsewhere.ts'
import { confirmLate, expectNewerProof, expectOtherTableSpared, resetSteps } from './flow-steps.ts'

/** An account of another auth table that has signed in, and the proof that resets its password. */
const resetElsewhere = (context: CheckContext) =>
  elsewhere(context, async (role) => {
    const other = await signedIn(context, role)
    return { other, proof: await flowToken(context, 'password-reset', other) }
  })

/** Resets the password and gives the account as it is now. */
async function reset(
  context: CheckContext,
  account: Account,
  password: string = OTHER_PASSWORD,
): Promise<Account> {
  const token = await flowToken(context, 'password-reset', account)
  expectSuccess(await confirmReset(context, account, token, password), 'confirm-password-reset')
  return { ...account, password }
}

check('password-reset.confirms', async (context) => {
  const account = await accountByPassword(context)
  const now = await reset(context, account)
  expectSignedIn(await firstSignIn(context, now), account, 'a sign-in with the new password')
  await expectNewerProof(context, resetSteps(context, await newAccount(context)))
  const staff = await resetElsewhere(context)
  if (staff === undefined) return
  const { other, proof } = staff
  if (!(await confirmReset(context, other, proof, OTHER_PASSWORD)).ok) return
  const response = await firstSignIn(context, { ...other, password: OTHER_PASSWORD })
  expectSignedIn(response, other, 'a sign-in with the new password in another auth table')
})

check('password-reset.old-ends', async (context) => {
  const account = await newAccount(context)
  expectSuccess(await firstSignIn(context, account), 'a sign-in before the reset')
  await reset(context, account)
  expectNoToken(await byPassword(context, account), 'the old password')
  const staff = await resetElsewhere(context)
  if (staff === undefined) return
  const { other, proof } = staff
  if (!(await confirmReset(context, other, proof, OTHER_PASSWORD)).ok) return
  expectNoToken(await byPassword(context, other), 'the old password in another auth table')
})

check('password-reset.proof-required', async (context) => {
  const account = await accountByPassword(context)
  const requested = await requestedProof(context, 'password-reset', account)
  if (
    await confirmReturned(requested, (returned) => confirmReset(context, account, returned, OTHER_PASSWORD))
  )
    expectSignedIn(await firstSignIn(context, account), account, `a sign-in after resets with ${RETURNED}`)
  await confirmForged(namesOf(account.table, account.record), requested, (table, forged) =>
    confirmReset(context, { table }, forged, OTHER_PASSWORD),
  )
  for (const other of await otherProofs(context, account))
    await confirmReset(context, account, other, OTHER_PASSWORD)
  expectSignedIn(await firstSignIn(context, account), account, 'a sign-in after forged resets')
  await expectProofHidden(context, account, requested.token)
  const staff = await resetElsewhere(context)
  if (staff === undefined) return
  const { other, proof } = staff
  for (const forged of fewForgeries(proof)) await confirmReset(context, other, forged, OTHER_PASSWORD)
  const response = await firstSignIn(context, other)
  expectSignedIn(response, other, 'a sign-in after forged resets in another auth table')
})

check('password-reset.own-record', async (context) => {
  const both = await namesakes(context)
  const [one, other] = [both?.member ?? (await accountByPassword(context)), await newAccount(context)]
  await confirmLate(context, resetSteps(context, one))
  const now = { ...one, password: OTHER_PASSWORD }
  expectSignedIn(await firstSignIn(context, now), one, 'a sign-in with the new password')
  expectSignedIn(await firstSignIn(context, other), other, 'a sign-in of another account after the reset')
  const theirs = await byPassword(context, { ...other, password: OTHER_PASSWORD })
  expectNoToken(theirs, 'the new password for another account')
  if (both !== undefined) {
    const { staff } = both
    const what = 'an account of another auth table with the same address, after the reset,'
    expectSignedIn(await firstSignIn(context, staff), staff, `a sign-in of ${what}`)
    const response = await byPassword(context, { ...staff, password: OTHER_PASSWORD })
    expectNoToken(response, `a sign-in of ${what} with the new password`)
  }
  await expectTwoFactorsSpared(context)
  // Two flows at once, each with a password of its own.
  const pair = await Promise.all(
    [other, await newAccount(context)].map((account, at) =>
      reset(context, account, `${OTHER_PASSWORD} ${at}`),
    ),
  )
  for (const account of pair)
    expectSignedIn(
      await firstSignIn(context, account),
      account,
      'the password of one of two concurrent resets',
    )
  await expectOtherTableSpared(context, (me) => resetSteps(context, me))
  await expectNamedSpared(context)
})

/** A proof of one account, sent with the address of another: its password stays. The confirmation may be rejected. */
async function expectNamedSpared(context: CheckContext): Promise<void> {
  const [mine, theirs] = [await newAccount(context), await newAccount(context)]
  const proof = await unlessTooMany(unlessPrevented(() => flowToken(context, 'password-reset', mine)))
  if (proof === undefined) return
  const confirm = () => confirmReset(context, mine, proof, OTHER_PASSWORD, { email: theirs.email })
  await unlessTooMany(unlessPrevented(confirm))
  const what = 'an account whose address was sent with the proof of another one'
  expectSignedIn(await firstSignIn(context, theirs), theirs, `a sign-in of ${what}`)
  const response = await byPassword(context, { ...theirs, password: OTHER_PASSWORD })
  expectNoToken(response, `a sign-in of ${what}, with the password that was sent,`)
}
