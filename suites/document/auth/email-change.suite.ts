/** Change of an address (document 4.2). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectSuccess } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import {
  type Account,
  addressOf,
  newAccount,
  newEmail,
  OTHER_PASSWORD,
  roleByAddress,
} from '../../shared/auth/accounts.ts'
import { confirmChange } from '../../shared/auth/confirm-flows.ts'
import { changeToken, requestedChange } from '../../shared/auth/email-flows.ts'
import { expectProofHidden } from '../../shared/auth/expect-proof-hidden.ts'
import { expectNoToken, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { unlessTooMany } from '../../shared/auth/mailed.ts'
import { askForChange } from '../../shared/auth/request-flows.ts'
import { byPassword, firstSignIn, type SignedIn, sessionOf, signedIn } from '../../shared/auth/sessions.ts'
import { namesOf } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { confirmForged, confirmReturned, fewForgeries, otherProofs, RETURNED } from './confirm-forged.ts'
import { expectEmailFollowed } from './expect-email-followed.ts'
import { elsewhere } from './flow-elsewhere.ts'
import {
  changeSteps,
  confirmLate,
  expectAskedElsewhere,
  expectNewerProof,
  expectOtherTableSpared,
} from './flow-steps.ts'
import { recordBySignIn } from './record-by-sign-in.ts'

/** An account of another auth table that has signed in, and the proof that gives it another address. */
const changeElsewhere = (context: CheckContext) =>
  elsewhere(context, async (role) => {
    const other = await signedIn(context, role)
    const to = newEmail(context)
    return { other, to, proof: await changeToken(context, other, to) }
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
  await expectSenderSpared(context)
})

/** A proof of one account, sent with the session of another: its address stays. The confirmation may be rejected. */
async function expectSenderSpared(context: CheckContext): Promise<void> {
  const [me, sender] = [await signedIn(context), await signedIn(context)]
  const proof = await unlessTooMany(unlessPrevented(() => changeToken(context, me, newEmail(context))))
  if (proof === undefined) return
  const confirm = () => sender.api.confirmEmailChange(me.table, { token: proof, password: me.password })
  await unlessTooMany(unlessPrevented(confirm))
  const what = '`email` of an account whose session was sent with the proof of another one'
  await expectAddress(context, sender, what)
}
