import { expectThat, isRejected } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type SignedIn, signedInIfPossible, viewedAccount } from '../../shared/auth/sessions.ts'

/**
 * A request without a token does not act as the one before it, which had one: a server may keep its caller in a global variable.
 * Who may update accounts is left open, so it is judged only where another account may not.
 */
export async function expectNoGuestUpdate(context: CheckContext, me: SignedIn): Promise<void> {
  // Someone stands in for guests there.
  if (me.table.as !== undefined) return
  const rename = (api: Api, name: string) => api.update(me.table, me.id, { name })
  const stranger = await signedInIfPossible(context)
  if (stranger === undefined || !isRejected(await rename(stranger.api, context.unique('stranger')))) return
  if (!(await rename(me.api, context.unique('own'))).ok) return
  const name = context.unique('guest')
  if (!(await rename(context.api, name)).ok) return
  const { name: shown } = await viewedAccount(context, me)
  expectThat(
    shown !== name,
    'a guest updates an account, after a request of that account',
    'no change',
    shown,
  )
}
