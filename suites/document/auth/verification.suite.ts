/** Verification of an address (document 4.2). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess, UntestableError } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { type Account, addressOf, newAccount, newEmail } from '../../shared/auth/accounts.ts'
import { confirmVerification } from '../../shared/auth/confirm-flows.ts'
import { byOtp, flowToken, newOtpUnlessTooMany, requestedProof } from '../../shared/auth/email-flows.ts'
import { expectProofHidden } from '../../shared/auth/expect-proof-hidden.ts'
import { sessionOf, updatesItself } from '../../shared/auth/sessions.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { confirmForged, confirmReturned, fewForgeries, otherProofs, RETURNED } from './confirm-forged.ts'
import { expectNotVerifiedBySignIn } from './expect-not-verified-by-sign-in.ts'
import { elsewhere } from './flow-elsewhere.ts'
import { confirmLate, expectNewerProof, expectOtherTableSpared, verificationSteps } from './flow-steps.ts'
import { recordBySignIn } from './record-by-sign-in.ts'

/** An account that is not verified yet. @throws UntestableError if accounts are verified at once */
async function unverified(context: CheckContext, role = 'members'): Promise<Account> {
  const account = await newAccount(context, role)
  const { verified } = await recordBySignIn(context, account)
  if (verified !== true) return account
  throw new UntestableError(
    'new accounts are already verified (allowed), so a verification changes nothing',
    'tables: map the role "members" to a table whose new accounts are not verified',
  )
}

/** An account of another auth table that is not verified, and the proof that verifies it. */
const verificationElsewhere = (context: CheckContext) =>
  elsewhere(context, async (role) => {
    const other = await unverified(context, role)
    return { other, proof: await flowToken(context, 'verification', other) }
  })

check('verification.confirms', async (context) => {
  const account = await unverified(context)
  const token = await flowToken(context, 'verification', account)
  expectSuccess(await confirmVerification(context, account, token), 'confirm-verification')
  expectEqual((await recordBySignIn(context, account)).verified, true, '`verified` after the flow')
  await expectStaysVerified(context, account)
  await expectVerifiedAfterCode(context, account)
  await expectNewerProof(context, verificationSteps(context, await unverified(context)))
  const staff = await verificationElsewhere(context)
  if (staff === undefined || !(await confirmVerification(context, staff.other, staff.proof)).ok) return
  const { verified } = await recordBySignIn(context, staff.other)
  expectEqual(verified, true, '`verified` after the flow in another auth table')
})

/** An update of another field by the account itself leaves `verified` as it is. Whether it may update itself is left open. */
async function expectStaysVerified(context: CheckContext, account: Account): Promise<void> {
  const me = await unlessPrevented(() => sessionOf(context, account))
  if (me === undefined || !(await updatesItself(context, me))) return
  const { verified } = await recordBySignIn(context, account)
  expectEqual(verified, true, '`verified` after the flow and an update of another field')
}

/** A code that signs the account in was emailed to the address: it shows once more that it is the account's. */
async function expectVerifiedAfterCode(context: CheckContext, account: Account): Promise<void> {
  const otp = await newOtpUnlessTooMany(context, account)
  if (otp === undefined || !(await byOtp(context, account, otp)).ok) return
  // Whether the password still signs in is the finding of another check.
  const record = await unlessPrevented(() => recordBySignIn(context, account))
  if (record !== undefined)
    expectEqual(record.verified, true, '`verified` after the flow and a sign-in by code')
}

/** A proof that was emailed to a former address says nothing of the one that the record has now (2.2). */
async function expectFormerUseless(context: CheckContext): Promise<void> {
  if (!context.mayExist('updateRecord')) return
  const account = await unverified(context)
  const proof = await flowToken(context, 'verification', account)
  const email = newEmail(context)
  // Whether an update can change the address is left open.
  if (!(await ablest(context).update(account.table, account.id, { email })).ok) return
  const now = { ...account, email }
  const before = await unlessPrevented(() => recordBySignIn(context, now))
  if (before?.verified !== false || addressOf(before.email) !== addressOf(email)) return
  await confirmVerification(context, now, proof)
  const { verified } = await recordBySignIn(context, now)
  expectEqual(verified, false, '`verified` after a confirmation with the proof of a former address')
}

check('verification.proof-required', async (context) => {
  await expectNotVerifiedBySignIn(context)
  const account = await unverified(context)
  const proof = await requestedProof(context, 'verification', account)
  await expectProofHidden(context, account, proof.token)
  if (await confirmReturned(proof, (returned) => confirmVerification(context, account, returned)))
    expectEqual(
      (await recordBySignIn(context, account)).verified,
      false,
      `\`verified\` after confirmations with ${RETURNED}`,
    )
  await confirmForged(
    namesOf(account.table, await recordBySignIn(context, account)),
    proof,
    (table, forged) => confirmVerification(context, { ...account, table }, forged),
  )
  for (const other of await otherProofs(context, account)) await confirmVerification(context, account, other)
  expectEqual(
    (await recordBySignIn(context, account)).verified,
    false,
    '`verified` after forged confirmations',
  )
  await expectFormerUseless(context)
  const staff = await verificationElsewhere(context)
  if (staff === undefined) return
  for (const forged of fewForgeries(staff.proof)) await confirmVerification(context, staff.other, forged)
  const { verified } = await recordBySignIn(context, staff.other)
  expectEqual(verified, false, '`verified` after forged confirmations in another auth table')
})

check('verification.own-record', async (context) => {
  const [one, other] = [await unverified(context), await newAccount(context)]
  await confirmLate(context, verificationSteps(context, one))
  expectEqual((await recordBySignIn(context, one)).verified, true, '`verified` of the record itself')
  expectEqual((await recordBySignIn(context, other)).verified, false, '`verified` of another record')
  const pair = [other, await newAccount(context)]
  const tokens = await Promise.all(pair.map((account) => flowToken(context, 'verification', account)))
  await Promise.all(pair.map((account, at) => confirmVerification(context, account, tokens[at] ?? '')))
  for (const account of pair)
    expectEqual(
      (await recordBySignIn(context, account)).verified,
      true,
      '`verified` after two concurrent confirmations',
    )
  await expectOtherTableSpared(context, (me) => verificationSteps(context, me))
})
