/**
 * The email flows as one kind of thing, for what is expected of each of them.
 *
 * @module
 */

import { BlockedError, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ConfirmationKind } from '../../../harness/vocabulary/target.ts'
import { type Account, addressOf, newEmail, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { signedInWithOneId } from '../../shared/auth/accounts-of-one-id.ts'
import { confirmFlow } from '../../shared/auth/confirm-flows.ts'
import { changeToken, flowToken } from '../../shared/auth/email-flows.ts'
import { secondMail, unlessTooMany } from '../../shared/auth/mailed.ts'
import { askForChange, askForProof } from '../../shared/auth/request-flows.ts'
import { sessionToken } from '../../shared/auth/session-in.ts'
import { firstSignIn, type SignedIn } from '../../shared/auth/sessions.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { recordBySignIn } from './record-by-sign-in.ts'

/** A flow of an account. */
export interface FlowSteps {
  flow: ConfirmationKind
  account: Account
  /** The address to which the first step sends its email. */
  to: string
  /** Sends the first step. */
  request(): Promise<ApiResponse>
  /** Sends the first step, and returns the proof in its email. */
  proof(): Promise<string>
  /** Whether the flow has had its effect. A server may return the same to a proof that does not count as to one that does. */
  isDone(): Promise<boolean>
}

export const verificationSteps = (context: CheckContext, account: Account): FlowSteps => ({
  flow: 'verification',
  account,
  to: account.email,
  request: () => askForProof(context, 'verification', account),
  proof: () => flowToken(context, 'verification', account),
  isDone: async () => (await recordBySignIn(context, account)).verified === true,
})

export const resetSteps = (context: CheckContext, account: Account): FlowSteps => ({
  flow: 'password-reset',
  account,
  to: account.email,
  request: () => askForProof(context, 'password-reset', account),
  proof: () => flowToken(context, 'password-reset', account),
  isDone: async () =>
    sessionToken(await firstSignIn(context, { ...account, password: OTHER_PASSWORD })) !== undefined,
})

export const changeSteps = (context: CheckContext, me: SignedIn, to: string): FlowSteps => ({
  flow: 'email-change',
  account: me,
  to,
  request: () => askForChange(me, to),
  proof: () => changeToken(context, me, to),
  isDone: async () => {
    const record = await unlessPrevented(() => recordBySignIn(context, { ...me, email: to }))
    return record !== undefined && addressOf(record.email) === addressOf(to)
  },
})

/**
 * The newer of two proofs completes its flow. The document does not say whether there is one, or whether it ends the
 * older.
 */
export async function expectNewerProof(
  context: CheckContext,
  { flow, account, to, request, proof, isDone }: FlowSteps,
): Promise<void> {
  if ((await unlessPrevented(proof)) === undefined) return
  let email = (await secondMail(context, flow, to, request))?.received
  while (email !== undefined) {
    const response = await confirmFlow(context, flow, account, context.mail.token(email, flow))
    expectSuccess(response, 'a confirmation with the newer of two proofs')
    if (await isDone()) return
    // This may be an older email that has come late.
    email = await context.mail.another({ to, after: email.number, kind: flow })
    expectThat(
      email !== undefined,
      'a confirmation with the newer of two proofs has no effect',
      'the same effect as with the only one',
      'none',
    )
  }
}

/**
 * Confirms with a proof after a newer one was requested, and then again with the same proof. The document does not say
 * whether a newer proof ends it, or how often a proof works: if it has no effect, the newer one is used.
 */
export async function confirmLate(context: CheckContext, steps: FlowSteps): Promise<void> {
  const { mail } = context
  let token = await steps.proof()
  const confirm = () => confirmFlow(context, steps.flow, steps.account, token)
  const after = await mail.count()
  await unlessTooMany(steps.request())
  let response = await confirm()
  if (!response.ok || !(await steps.isDone())) {
    const newer = await unlessPrevented(() => mail.waitFor({ to: steps.to, after }))
    if (newer !== undefined) token = mail.token(newer, steps.flow)
    response = await confirm()
  }
  if (!response.ok) throw new BlockedError(`no proof of the flow is accepted: ${response.status}`)
  await confirm()
}

/**
 * A proof has no effect on an account of another auth table that has the same id, whichever of both tables the
 * confirmation names.
 */
export async function expectOtherTableSpared(
  context: CheckContext,
  stepsOf: (me: SignedIn) => FlowSteps,
): Promise<void> {
  const pair = await signedInWithOneId(context)
  if (pair === undefined) return
  const [member, staff] = pair
  const [mine, theirs] = [stepsOf(member), stepsOf(staff)]
  if (await theirs.isDone()) return
  const proof = await unlessPrevented(mine.proof)
  if (proof === undefined) return
  for (const { table } of [staff, member]) await confirmFlow(context, mine.flow, { ...member, table }, proof)
  expectThat(
    !(await theirs.isDone()),
    `a confirmation (${mine.flow}) has an effect on an account of another auth table with the same id`,
    'none',
    'an effect',
  )
}

/**
 * A session that asks for another address under the name of another auth table does not change the account there that has
 * the same id. The request may be rejected, or be one for the session's own account.
 */
export async function expectAskedElsewhere(context: CheckContext): Promise<void> {
  const [member, staff] = (await signedInWithOneId(context)) ?? []
  if (member === undefined || staff === undefined) return
  const to = newEmail(context)
  const asked = await secondMail(context, 'email-change', to, () =>
    askForChange({ ...member, table: staff.table }, to),
  )
  if (asked === undefined) return
  const proof = context.mail.token(asked.received, 'email-change')
  for (const { table } of [staff, member])
    await confirmFlow(context, 'email-change', { ...member, table }, proof)
  expectThat(
    !(await changeSteps(context, staff, to).isDone()),
    'a session changes the address of an account of another auth table with the same id',
    'no effect',
    'an effect',
  )
}
