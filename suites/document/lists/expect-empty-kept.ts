import { expectEqual } from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { equals, idsOf, sortBy } from '../../shared/lists/shared-records.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * Lists in the order of a field contain a record whose value is empty. Judged only if a condition on its id lists it without
 * an order: which conditions and orders a list takes is left open.
 */
export async function expectEmptyKept(context: CheckContext): Promise<void> {
  const { api, table, unknownForms } = context
  if (unknownForms.includes('filter')) return
  await withEmptyTitle(context, async (id) => {
    if (id === undefined) return
    const plain = table('plain')
    const filter = equals(context, plain, 'id', id)
    const factsOf = async (query: Query) => {
      const response = await api.list(plain, { filter, ...query })
      if (!response.ok) return undefined
      const { items, totalItems, totalPages } = listOf(response)
      return { ids: idsOf(items), totals: [totalItems, totalPages] }
    }
    const usual = await factsOf({})
    if (usual === undefined || usual.ids.length !== 1 || usual.ids[0] !== id) return
    for (const direction of ['ascending', 'descending'] as const) {
      const sorted = await factsOf({ sort: sortBy(context, plain, 'title', direction) })
      if (sorted !== undefined)
        expectEqual(sorted, usual, `the ids and totals in ${direction} order of a record with an empty title`)
    }
  })
}

/**
 * Does something while a record of `plain` has an empty title. It gets the id of the record; undefined if the server takes
 * no empty title. Afterwards, the record has a title again, which shows whose it is.
 */
export async function withEmptyTitle(
  { api, make, mayExist, table, unique }: CheckContext,
  use: (id: string | undefined) => Promise<void>,
): Promise<void> {
  const plain = table('plain')
  const record = mayExist('updateRecord')
    ? await unlessPrevented(() => make(plain, { title: unique('full') }))
    : undefined
  // Without its title, nothing shows whose the record is: a short id may be another record's by then.
  const id = record === undefined || isReusable(record.id) ? undefined : record.id
  const isEmpty = id !== undefined && (await api.update(plain, id, { title: '' })).ok
  try {
    await use(isEmpty ? id : undefined)
  } finally {
    // What prevents it must not hide what was found.
    if (isEmpty) await api.update(plain, id, { title: unique('full') }).catch(() => undefined)
  }
}
