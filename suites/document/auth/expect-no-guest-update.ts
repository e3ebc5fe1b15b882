import { expectThat, isRejected } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type SignedIn, signedInIfPossible, viewedAccount } from '../../shared/auth/sessions.ts'

/**
 * A request without a token does not act as the one before it, which had one: a server may keep its caller in a global variable.
 * Who may update accounts is left open, so it is judged only where another account may not.
 */
export async function expectNoGuestUpdate(context: CheckContext, me: SignedIn): Promise<void> {
  const rename = async (api: Api, name: string) => !isRejected(await api.update(me.table, me.id, { name }))
  const stranger = await signedInIfPossible(context)
  if (stranger === undefined || (await rename(stranger.api, context.unique('stranger')))) return
  const name = context.unique('own')
  if (!(await rename(me.api, name))) return
  if (!(await rename(context.api, context.unique('guest')))) return
  const { name: shown } = await viewedAccount(context, me)
  expectThat(
    shown === undefined || shown === name,
    'a guest updates an account, after a request of that account',
    'no change',
    shown,
  )
}
