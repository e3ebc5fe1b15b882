import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { equals, idsOf } from '../../shared/lists/shared-records.ts'
import { walk } from '../../shared/lists/walk.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { pageSize } from './page-size.ts'

/**
 * All pages of the table for superusers contain each record once. Only if one list contains exactly the records that match:
 * how it is read is left open.
 */
export async function expectLockedCovered(context: CheckContext): Promise<void> {
  const { hasTable, makeMany, table, unique } = context
  if (!hasTable('locked')) return
  const { requested: perPage, size } = await pageSize(context, 2)
  if (size > 2) return
  const locked = table('locked')
  const title = unique('locked')
  const made = await unlessPrevented(() => makeMany(locked, [{ title }, { title }, { title }]))
  if (made === undefined) return
  const ids = idsOf(made).sort()
  const filter = equals(context, locked, 'title', title)
  const list = async (query: Query) => listOf(await ablest(context).list(locked, { filter, ...query }))
  const whole = await unlessPrevented(() => list({}))
  if (whole === undefined || idsOf(whole.items).sort().join() !== ids.join()) return
  const pages = await walk(list, { perPage }, ids.length)
  expectEqual(
    pages.flatMap(({ items }) => idsOf(items)).sort(),
    ids,
    `the ids on all pages of ${perPage} in ${locked.name}`,
  )
}
