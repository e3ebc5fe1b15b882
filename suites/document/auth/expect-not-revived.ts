import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount } from '../../shared/auth/accounts.ts'
import { expectDead } from '../../shared/auth/expect-session.ts'
import { deleteAccount, signedInIfPossible } from '../../shared/auth/sessions.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * The token of a deleted account stays rejected when a new account gets the same id: it belongs to someone else. Judged
 * where a client may give an id, and one again that was deleted: both are left open.
 */
export async function expectNotRevived(context: CheckContext): Promise<void> {
  const me = await signedInIfPossible(context)
  if (me === undefined) return
  const isDeleted = await unlessPrevented(async () => {
    await deleteAccount(context, me)
    return true
  })
  if (isDeleted === undefined) return
  await expectDead(context, me, 'after its record was deleted')
  const next = await unlessPrevented(() => newAccount(context, 'members', { id: me.id }))
  if (next?.id === me.id)
    await expectDead(context, me, 'after its record was deleted and a new one got its id')
}
