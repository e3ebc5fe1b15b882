import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ownedBy, type SignedIn, signedIn } from '../../shared/auth/sessions.ts'
import { equals } from '../../shared/lists/shared-records.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * Where each account sees only its own records, totals do not count those of others: they match no list
 * that the account may see. Only a list that shows the caller's record on a page with room for more is judged: then no
 * record follows.
 */
export async function expectHiddenUncounted(context: CheckContext): Promise<void> {
  if (!context.hasTable('owned') || !context.hasTable('members')) return
  const title = context.unique('owned')
  const me = await owners(context, title)
  if (me === undefined) return
  const owned = context.table('owned')
  for (const query of [{ filter: equals(context, owned, 'title', title) }, {}]) {
    // Where others may see the records, one may be created between the count and the page.
    const response = await me.api.undisturbed(() => me.api.list(owned, query))
    if (!response.ok) continue
    const { items, perPage, totalItems } = listOf(response)
    const isWhole = items.length > 0 && items.length < perPage
    if (isWhole)
      expectEqual(totalItems, items.length, 'totalItems of a table with records that the caller does not see')
  }
}

/** One of two accounts that own records with this title. Undefined if there are none: another check's finding. */
function owners(context: CheckContext, title: string): Promise<SignedIn | undefined> {
  return unlessPrevented(async () => {
    const [me, other] = [await signedIn(context), await signedIn(context)]
    for (const owner of [me, other, other]) await ownedBy(context, owner, title)
    return me
  })
}
