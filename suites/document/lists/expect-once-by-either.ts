import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { overridesForm } from '../../../harness/wire/query-text.ts'
import { equals, idsOf } from '../../shared/lists/shared-records.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * A filter that finds a record in two ways lists it once. How conditions are joined is left open: the form of the profile
 * is sent, and only a list that contains the record is judged.
 */
export async function expectOnceByEither(context: CheckContext): Promise<void> {
  if (overridesForm(context.binding, 'filter')) return
  const { api, make, table, unique } = context
  const plain = table('plain')
  const title = unique('either')
  const made = await unlessPrevented(() => make(plain, { title }))
  if (made === undefined) return
  const { id } = made
  const byId = equals(context, plain, 'id', id)
  for (const other of [byId, equals(context, plain, 'title', title)]) {
    const filter = `${byId} || ${other}`
    const response = await api.list(plain, { filter })
    const list = response.ok ? await unlessPrevented(async () => listOf(response)) : undefined
    if (list === undefined) continue
    const ids = idsOf(list.items)
    const times = ids.filter((each) => each === id).length
    expectThat(times <= 1, `a list with ${filter} contains a record ${times} times`, 'each record once', ids)
    if (times === 1 && ids.length === 1 && list.perPage > 1)
      expectEqual(list.totalItems, 1, `totalItems of a list with ${filter}`)
  }
}
