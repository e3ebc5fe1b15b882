/** Email flows (document 4.2). */

import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  ExpectationError,
  expectEqual,
  expectSuccess,
  isRejected,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ConfirmationKind } from '../../../harness/vocabulary/target.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import {
  type Account,
  addressOf,
  newAccount,
  newEmail,
  OTHER_PASSWORD,
  roleByAddress,
} from '../../shared/auth/accounts.ts'
import {
  askForChange,
  askForProof,
  byOtp,
  changeToken,
  confirmChange,
  confirmFlow,
  confirmReset,
  confirmVerification,
  emailFlows,
  flowProof,
  flowToken,
  mailTo,
  NO_PROOF,
  newOtpUnlessTooMany,
  rehearse,
  requestedChange,
  requestedProof,
  unlessTooMany,
} from '../../shared/auth/email-flows.ts'
import { expectProofHidden } from '../../shared/auth/expect-proof-hidden.ts'
import { expectNoToken, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { namesakes } from '../../shared/auth/namesakes.ts'
import { sessionToken } from '../../shared/auth/session-in.ts'
import {
  accountByPassword,
  byPassword,
  firstSignIn,
  type SignedIn,
  sessionOf,
  signedIn,
  updatesItself,
  viewedAccount,
} from '../../shared/auth/sessions.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { isPrevention, unlessPrevented } from '../../shared/unless-prevented.ts'
import {
  confirmForged,
  confirmReturned,
  fewForgeries,
  otherProofs,
  returnedProofs,
} from './confirm-forged.ts'
import { expectEmailFollowed } from './expect-email-followed.ts'
import { expectNotVerifiedBySignIn } from './expect-not-verified-by-sign-in.ts'
import { expectTwoFactorsSpared } from './expect-two-factors-spared.ts'
import {
  changeSteps,
  confirmLate,
  expectAskedElsewhere,
  expectNewerProof,
  expectOtherTableSpared,
  resetSteps,
  verificationSteps,
} from './flow-steps.ts'
import { recordBySignIn } from './record-by-sign-in.ts'

check('flow.request-changes-nothing', async (context) => {
  for (const flow of emailFlows) {
    const me = await signedIn(context)
    const { verified } = await viewedAccount(context, me)
    const step = `the first step of ${flow}`
    try {
      // A server may send no email to an account that is already verified.
      if (flow === 'verification' && verified === true) await askForProof(context, flow, me)
      else await flowProof(context, flow, me)
    } catch (error) {
      // A server that changes the account at once needs no email.
      if (!isPrevention(error)) throw error
      const changed = await violationOf(() => expectUnchanged(context, me, [verified], step))
      throw changed ?? error
    }
    await expectUnchanged(context, me, [verified], step)
  }
})

check('flow.own-step-only', async (context) => {
  for (const flow of emailFlows) {
    const me = await signedIn(context)
    const { verified } = await viewedAccount(context, me)
    // A server may send no email to an account that is already verified.
    if (flow === 'verification' && verified === true) continue
    const to = newEmail(context)
    const isOfChange = flow === 'email-change'
    const token = isOfChange ? await changeToken(context, me, to) : await flowToken(context, flow, me)
    for (const other of emailFlows) {
      if (other === flow) continue
      // The account waits for a proof of that flow, too.
      await begin(context, other, me)
      await confirmFlow(context, other, me, token)
    }
    // Any step may complete the flow of the proof itself.
    const mayBecome = flow === 'verification' ? [verified, true] : [verified]
    await expectUnchanged(context, me, mayBecome, `the other flows with the proof of ${flow}`).catch(
      async (error: unknown) => {
        if (!(error instanceof ExpectationError)) throw error
        const isOwn =
          isOfChange && sessionToken(await byPassword(context, { ...me, email: to })) !== undefined
        if (!isOwn) throw error
      },
    )
  }
})

/**
 * Sends the first step of a flow, and reads its email if the run can: it has what the second step takes with a proof. A server may
 * send no email to an account that is already verified.
 *
 * @returns the response; undefined if there were too many requests
 */
async function begin(
  context: CheckContext,
  flow: ConfirmationKind,
  me: SignedIn,
): Promise<ApiResponse | undefined> {
  const isChange = flow === 'email-change'
  const to = isChange ? newEmail(context) : me.email
  let first: ApiResponse | undefined
  const send = async () => {
    first = await (isChange ? askForChange(me, to) : askForProof(context, flow, me))
    return first
  }
  const isDone = flow === 'verification' && me.record.verified === true
  if (isDone || !context.has('mail')) await unlessTooMany(send())
  else {
    await unlessTooMany(rehearse(context, flow, me.table.role))
    const read = async () => context.mail.token((await mailTo(context, to, send, me.email)).received, flow)
    await unlessTooMany(unlessPrevented(read))
  }
  return first
}

check('flow.made-up', async (context) => {
  for (const flow of emailFlows) {
    const me = await signedIn(context)
    const first = await begin(context, flow, me)
    // What the first step itself changes is the finding of another check.
    const before = await unlessPrevented(() => recordBySignIn(context, me))
    if (before === undefined || addressOf(before.email) !== addressOf(me.email)) continue
    const returned = first === undefined || isRejected(first) ? [] : returnedProofs(first)
    for (const made of [...returned, NO_PROOF, me.id, me.email, '123456'])
      await confirmFlow(context, flow, me, made)
    await expectUnchanged(context, me, [before.verified], `confirmations of ${flow} with made-up proofs`)
  }
})

/** What an expectation finds; undefined if it holds, or if something else prevents it. */
async function violationOf(expectation: () => Promise<void>): Promise<ExpectationError | undefined> {
  try {
    await expectation()
  } catch (error) {
    if (error instanceof ExpectationError) return error
    if (!isPrevention(error)) throw error
  }
  return undefined
}

async function expectUnchanged(
  context: CheckContext,
  me: Account,
  verified: readonly unknown[],
  after: string,
): Promise<void> {
  const record = await recordBySignIn(context, me)
  expectEqual(
    [addressOf(record.email), record.verified],
    [addressOf(me.email), verified.includes(record.verified) ? record.verified : verified[0]],
    `address and verification after ${after}`,
  )
}

const RETURNED = 'strings from the response to the first step'

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

/**
 * An account of another auth table, for which a flow can be confirmed. Undefined: there is no such table, or no emails for
 * its accounts, which is tried once a run.
 */
async function elsewhere<T>(
  context: CheckContext,
  make: (role: string) => Promise<T>,
): Promise<T | undefined> {
  const role = 'staff'
  if (!context.hasTable(role)) return undefined
  const hasFlows = await context.once('emails for accounts of another auth table', async () => {
    const token = await unlessPrevented(async () =>
      flowToken(context, 'password-reset', await newAccount(context, role)),
    )
    return token !== undefined
  })
  return hasFlows ? unlessPrevented(() => make(role)) : undefined
}

/** An account of another auth table that is not verified, and the proof that verifies it. */
const verificationElsewhere = (context: CheckContext) =>
  elsewhere(context, async (role) => {
    const other = await unverified(context, role)
    return { other, proof: await flowToken(context, 'verification', other) }
  })

/** An account of another auth table that has signed in, and the proof that resets its password. */
const resetElsewhere = (context: CheckContext) =>
  elsewhere(context, async (role) => {
    const other = await signedIn(context, role)
    return { other, proof: await flowToken(context, 'password-reset', other) }
  })

/** An account of another auth table that has signed in, and the proof that gives it another address. */
const changeElsewhere = (context: CheckContext) =>
  elsewhere(context, async (role) => {
    const other = await signedIn(context, role)
    const to = newEmail(context)
    return { other, to, proof: await changeToken(context, other, to) }
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
})

/** Changes the address and gives the account as it is now. */
async function change(context: CheckContext, me: SignedIn, to: string): Promise<Account> {
  const token = await changeToken(context, me, to)
  const response = await confirmChange(context, me, token)
  if (response.status >= 500) throw new BlockedError('confirm-email-change caused a server error')
  expectSuccess(response, 'confirm-email-change')
  return { ...me, email: to }
}

async function expectAddress(context: CheckContext, account: Account, what: string): Promise<void> {
  expectEqual(addressOf((await recordBySignIn(context, account)).email), addressOf(account.email), what)
}

check('email-change.confirms', async (context) => {
  const [me, first] = [await signedIn(context), newEmail(context)]
  const now = await expectEmailFollowed(context, me, first, () => change(context, me, first))
  await expectAddress(context, now, '`email` after the flow')
  await expectChangedAgain(context, now)
  await expectNewerProof(context, changeSteps(context, await signedIn(context), newEmail(context)))
  const staff = await changeElsewhere(context)
  if (staff === undefined) return
  const { other, to, proof } = staff
  if (!(await confirmChange(context, other, proof)).ok) return
  await expectAddress(context, { ...other, email: to }, '`email` after the flow in another auth table')
})

/** The document does not say how often an address may be changed: a second confirmed change takes effect as well. */
async function expectChangedAgain(context: CheckContext, account: Account): Promise<void> {
  const again = await unlessPrevented(async () => {
    const me = await sessionOf(context, account)
    const to = newEmail(context)
    return { me, to, proof: await changeToken(context, me, to) }
  })
  if (again === undefined) return
  const { me, to, proof } = again
  if (!(await confirmChange(context, me, proof)).ok) return
  await expectAddress(context, { ...me, email: to }, '`email` after the flow of a second change')
}

check('email-change.identity-follows', async (context) => {
  const before = await signedIn(context, roleByAddress(context))
  const now = await change(context, before, newEmail(context))
  expectSignedIn(await firstSignIn(context, now), now, 'the new address')
  expectNoToken(await byPassword(context, before), 'the old address')
  const wrong = await byPassword(context, { ...now, password: OTHER_PASSWORD })
  expectNoToken(wrong, 'a wrong password with the new address')
})

check('email-change.proof-required', async (context) => {
  const me = await signedIn(context)
  const requested = await requestedChange(context, me, newEmail(context))
  if (await confirmReturned(requested, (returned) => confirmChange(context, me, returned)))
    await expectAddress(context, me, `\`email\` after confirmations with ${RETURNED}`)
  await confirmForged(namesOf(me.table, me.record), requested, (table, forged) =>
    confirmChange(context, { ...me, table }, forged),
  )
  for (const other of await otherProofs(context, me)) await confirmChange(context, me, other)
  await expectProofHidden(context, me, requested.token)
  await expectAddress(context, me, '`email` after forged confirmations')
  await expectOwnAddress(context)
  const staff = await changeElsewhere(context)
  if (staff === undefined) return
  const { other, proof } = staff
  for (const forged of fewForgeries(proof)) await confirmChange(context, other, forged)
  await expectAddress(context, other, '`email` after forged confirmations in another auth table')
})

/** The proof for one address does not set another address that was requested later. It may have no effect at all. */
async function expectOwnAddress(context: CheckContext): Promise<void> {
  const me = await signedIn(context)
  const [first, second] = [newEmail(context), newEmail(context)]
  const proof = await unlessPrevented(() => changeToken(context, me, first))
  if (proof === undefined) return
  const asked = await unlessTooMany(askForChange(me, second))
  if (asked?.ok !== true) return
  await confirmChange(context, me, proof)
  const response = await byPassword(context, { ...me, email: second })
  expectNoToken(response, 'an address whose email was not used, after the proof of another one,')
}

check('email-change.own-record', async (context) => {
  const [me, other] = [await signedIn(context), await newAccount(context)]
  const to = newEmail(context)
  await confirmLate(context, changeSteps(context, me, to))
  await expectAddress(context, { ...me, email: to }, '`email` of the record itself')
  const pair = [await signedIn(context), await signedIn(context)].map((one) => ({
    one,
    email: newEmail(context),
  }))
  const tokens = await Promise.all(pair.map(({ one, email }) => changeToken(context, one, email)))
  const responses = await Promise.all(
    pair.map(({ one }, at) => confirmChange(context, one, tokens[at] ?? '')),
  )
  for (const response of responses) expectSuccess(response, 'one of two concurrent confirmations')
  for (const { one, email } of pair)
    await expectAddress(context, { ...one, email }, '`email` after two concurrent changes')
  await expectAddress(context, other, '`email` of another record')
  const next = newEmail(context)
  await expectOtherTableSpared(context, (me) => changeSteps(context, me, next))
  await expectAskedElsewhere(context)
})
