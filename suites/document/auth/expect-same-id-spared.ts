import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { signedInWithOneId } from '../../shared/auth/accounts-of-one-id.ts'
import { confirmReset } from '../../shared/auth/confirm-flows.ts'
import { flowToken } from '../../shared/auth/email-flows.ts'
import { refreshedIfPossible } from '../../shared/auth/expect-session.ts'
import { deleteAccount, isAlive, type SignedIn } from '../../shared/auth/sessions.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * What may end the sessions of an account ends none of the account of another auth table with the same id: a server may find
 * sessions by that id alone. Judged where sessions of the other table can be refreshed.
 */
export async function expectSameIdSpared(context: CheckContext): Promise<void> {
  const acts: Record<string, (me: SignedIn) => Promise<void>> = {
    'a password reset': (me) => reset(context, me),
    'the delete': (me) => deleteAccount(context, me),
  }
  for (const [what, act] of Object.entries(acts)) {
    const [member, staff] = (await signedInWithOneId(context)) ?? []
    if (member === undefined || staff === undefined) return
    if ((await refreshedIfPossible(context, 'staff')) === undefined) return
    await unlessPrevented(() => act(member))
    expectThat(
      await isAlive(context, staff),
      `${what} of an account ends the session of an account of another auth table with the same id`,
      'accepted',
      'a rejection',
    )
  }
}

async function reset(context: CheckContext, me: SignedIn): Promise<void> {
  if (!context.has('mail')) return
  await confirmReset(context, me, await flowToken(context, 'password-reset', me), OTHER_PASSWORD)
}
