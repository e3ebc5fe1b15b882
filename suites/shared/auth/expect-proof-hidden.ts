import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { Account } from './accounts.ts'
import { unlessTooMany } from './mailed.ts'
import { revealsWord, shownOf } from './reveals.ts'
import { sessionToken } from './session-in.ts'
import { byPassword, type SignedIn, withSession } from './sessions.ts'

/**
 * A record does not show the proof that was emailed to its address: its owner would need no email, and others could use it.
 *
 * @param account with its session if a sign-in could end it. Otherwise it signs in, if its password suffices
 */
export async function expectProofHidden(
  context: CheckContext,
  account: Account | SignedIn,
  proof: string,
): Promise<void> {
  const { table, id } = account
  const signIn = 'api' in account ? undefined : await unlessTooMany(byPassword(context, account))
  const token = signIn && sessionToken(signIn)
  const me = 'api' in account ? account : token && withSession(context, account, token)
  const views = [await context.api.view(table, id), me && (await me.api.view(table, id))]
  for (const response of [signIn, ...views])
    if (response)
      expectThat(
        !revealsWord(response, proof),
        'the record contains the proof that was emailed',
        'no proof',
        shownOf(response),
      )
}
