import { expectEqual } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { pageAfter } from '../../shared/lists/walk.ts'
import { listOf } from '../../shared/records/record-of.ts'

/** What is asked for, so that few pages are left. Which sizes a server gives is left open. */
const perPage = 200
/** How often a total is read that differs from before: another client may write between its count and its page. */
const attempts = 3

/**
 * How many more records the whole table counts than it lists, by its last page alone. Undefined: that page is not known,
 * or rejected.
 */
async function uncounted(context: CheckContext): Promise<number | undefined> {
  const { api, table, unknownForms } = context
  return api.undisturbed(async () => {
    const large = await api.list(table('plain'), { perPage })
    const first = large.ok ? large : await api.list(table('plain'))
    if (!first.ok) return undefined
    const start = listOf(first)
    const isOnly = start.items.length < start.perPage
    if (!isOnly && unknownForms.includes('page number')) return undefined
    const before = isOnly ? 0 : start.totalPages - 1
    const query = { page: pageAfter(start, before), ...(large.ok && { perPage }) }
    const last = isOnly ? first : await api.list(table('plain'), query)
    if (!last.ok) return undefined
    const { items, totalItems, perPage: size, totalPages } = listOf(last)
    if (totalPages !== start.totalPages || items.length > size) return undefined
    return totalItems - before * size - items.length
  })
}

/** A batch that fails leaves the total of a table as it was, compared with the records that the table lists. */
export async function expectTotalKept(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const { create, update } = subRequests(api)
  const before = await uncounted(context)
  if (before === undefined) return
  const title = unique('uncounted')
  await api.batch([
    create(table('plain'), { title }),
    create(table('plain'), { title }),
    update(table('plain'), NO_RECORD, { title }),
  ])
  let after = await uncounted(context)
  for (let tried = 1; tried < attempts && after !== before; tried += 1) after = await uncounted(context)
  if (after !== undefined)
    expectEqual(after, before, 'by how much totalItems exceeds the listed records after a batch that failed')
}
