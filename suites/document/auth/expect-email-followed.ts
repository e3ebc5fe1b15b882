import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { type Account, addressOf, newAccount, newEmail } from '../../shared/auth/accounts.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { equals } from '../../shared/lists/shared-records.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * Lists show the address that an account has now, and filters find the account by it and no longer by the former one. Who
 * sees addresses, and whether a filter takes one, is left open: only a client whose filter distinguished the two before the
 * change is judged, and only if a view shows it the new one.
 *
 * @param change gives the account the address `to`. Its result is returned
 */
export async function expectEmailFollowed<T>(
  context: CheckContext,
  { table, id, email }: Account,
  to: string,
  change: () => Promise<T>,
): Promise<T> {
  const api = ablest(context)
  const itemBy = async (field: string, value: string): Promise<WireRecord | undefined> => {
    const items = await unlessPrevented(async () =>
      itemsOf(await api.list(table, { filter: equals(context, table, field, value) })),
    )
    return items?.find((item) => item.id === id)
  }
  const isFiltered = context.mayExist('viewRecord') && !context.unknownForms.includes('filter')
  const before = isFiltered ? await itemBy('email', email) : undefined
  const distinguished = before !== undefined && (await itemBy('email', to)) === undefined
  const result = await change()
  if (!distinguished) return result
  const view = await api.view(table, id)
  const { email: viewed } = (view.ok ? view.body : {}) as WireRecord
  if (addressOf(viewed) !== addressOf(to)) return result
  const former = await itemBy('email', email)
  expectThat(former === undefined, 'a filter finds an account by its former address', 'no record', former)
  const byId = await itemBy('id', id)
  if (byId === undefined) return result
  const found = await itemBy('email', to)
  expectThat(found !== undefined, 'a filter does not find an account by its new address', to, 'no record')
  if (addressOf(before.email) !== addressOf(email)) return result
  for (const item of [byId, found])
    expectEqual(addressOf(item.email), addressOf(to), '`email` in a list, after it was changed')
  return result
}

/** The same for an update by a superuser. Whether it can change an address is left open. */
export async function expectUpdatedEmailFollowed(context: CheckContext): Promise<void> {
  const { api, hasTable, knows, mayExist } = context
  if (!hasTable('members') || !knows('superuser') || !mayExist('updateRecord')) return
  const account = await unlessPrevented(() => newAccount(context))
  if (account === undefined) return
  const email = newEmail(context)
  await expectEmailFollowed(context, account, email, () =>
    api.as('superuser').update(account.table, account.id, { email }),
  )
}
