import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { confirmFlow } from '../../shared/auth/confirm-flows.ts'
import { emailFlows, flowProof } from '../../shared/auth/email-flows.ts'
import { shownIn } from '../../shared/auth/session-in.ts'
import { byPassword, type SignedIn, signedInIfPossible, viewOfAccount } from '../../shared/auth/sessions.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * `created` of an account is the same after another sign-in and after each email flow, which change the record but are not
 * updates by a client.
 */
export async function expectCreatedKept(
  context: CheckContext,
  me: SignedIn,
  pause: () => Promise<void>,
): Promise<void> {
  await pause()
  const again = shownIn(await byPassword(context, me)).created
  if (again !== undefined) expectEqual(again, me.record.created, '`created` after another sign-in')
  if (!context.has('mail')) return
  // Each with an account of its own: a server may limit the emails to one.
  for (const flow of emailFlows) {
    const account = await signedInIfPossible(context)
    if (account?.record.created === undefined) return
    // A server may send no email to an account that is already verified.
    if (flow === 'verification' && account.record.verified === true) continue
    const done = await unlessPrevented(async () =>
      confirmFlow(context, flow, account, await flowProof(context, flow, account)),
    )
    const view = done?.ok ? await viewOfAccount(context, account) : undefined
    if (view?.ok)
      expectEqual(recordOf(view).created, account.record.created, `\`created\` after the flow ${flow}`)
  }
}
