/** What all email flows have in common (document 4.2). */

import { check } from '../../../harness/check.ts'
import { ExpectationError, expectEqual, isRejected } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ConfirmationKind } from '../../../harness/vocabulary/target.ts'
import { type Account, addressOf, newAccount, newEmail } from '../../shared/auth/accounts.ts'
import { confirmFlow, NO_PROOF } from '../../shared/auth/confirm-flows.ts'
import { changeToken, emailFlows, flowProof, flowToken, rehearse } from '../../shared/auth/email-flows.ts'
import { mailTo, unlessTooMany } from '../../shared/auth/mailed.ts'
import {
  askForChange,
  askForProof,
  isResetForVerified,
  verifyForReset,
} from '../../shared/auth/request-flows.ts'
import { sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, type SignedIn, sessionOf, signedIn, viewedAccount } from '../../shared/auth/sessions.ts'
import { verify } from '../../shared/auth/verify.ts'
import { isPrevention, unlessPrevented } from '../../shared/unless-prevented.ts'
import { returnedProofs } from './confirm-forged.ts'
import { recordBySignIn } from './record-by-sign-in.ts'

check('flow.request-changes-nothing', async (context) => {
  for (const flow of emailFlows) {
    const me = await signedIn(context)
    if (flow === 'password-reset') await verifyForReset(context, me)
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
  await expectVerifiedKept(context)
})

/** A request for another address leaves a verified account verified. Whether a run can verify an account is left open. */
async function expectVerifiedKept(context: CheckContext): Promise<void> {
  const me = await unlessPrevented(async () => {
    const account = await newAccount(context)
    return (await unlessTooMany(verify(context, account))) ? sessionOf(context, account) : undefined
  })
  const before = me && (await unlessPrevented(() => recordBySignIn(context, me)))
  if (me === undefined || before?.verified !== true) return
  if (!(await unlessTooMany(askForChange(me, newEmail(context))))?.ok) return
  await expectUnchanged(context, me, [true], 'the first step of email-change of a verified account')
}

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
    // Any step may complete the flow of the proof itself, and a reset may need a verified account.
    const mayBeVerified = flow === 'verification' || (await isResetForVerified(context, me.table.role))
    const mayBecome = mayBeVerified ? [verified, true] : [verified]
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
