import { expectEqual, expectSuccess, objectBody } from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { fieldOf } from '../../shared/lists/shared-records.ts'

/**
 * An update or delete of the id of a `plain` record in another table, in which no record has this id, leaves the record
 * as it was. The response is left open.
 */
export async function expectOutOfReach(
  context: CheckContext,
  other: TableRef,
  id: string,
  title: string,
): Promise<void> {
  const { api, table, mayExist, unique } = context
  const plain = table('plain')
  // A short id may be given to another client's record of the other table at any moment.
  if (isReusable(id)) return
  if ((await ablest(context).view(other, id)).ok) return
  const elsewhere = { [fieldOf(plain, 'title')]: unique('elsewhere') }
  for (const [what, operation, send] of [
    ['an update', 'updateRecord', () => api.update(other, id, elsewhere)],
    ['a delete', 'deleteRecord', () => api.delete(other, id)],
  ] as const) {
    if (!mayExist(operation)) continue
    await send()
    const view = await api.view(plain, id)
    expectSuccess(view, `a view after ${what} of the id in another table`)
    expectEqual(objectBody(view).title, title, `title after ${what} of the id in another table`)
  }
}
