import { UntestableError } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'

/** A page size that a list requests, and the one that the server then gives: its bounds are left open. */
export interface PageSize {
  requested: number
  size: number
}

/** Sizes that are requested one after the other until one is accepted. */
const candidates = [1, 2, 3, 5, 10, 20, 25, 30, 50, 100]

/** Records that a check may create to fill a page and begin the next. */
const largest = 60

/**
 * One of the smallest page sizes that the server gives: what a check would call size 1, 2, 3 on a server without bounds.
 *
 * @param which from 1
 * @param role of the table. @default 'plain'
 * @throws UntestableError if even the smallest page holds more than a check fills
 */
export async function pageSize(context: CheckContext, which: number, role = 'plain'): Promise<PageSize> {
  const { requested: smallest } = await accepted(context, 1, candidates, role)
  return accepted(context, which, [smallest + which - 1, smallest], role)
}

function accepted(
  context: CheckContext,
  which: number,
  sizes: readonly number[],
  role: string,
): Promise<PageSize> {
  const { api, once, table } = context
  return once(`page size ${which} of ${sizes.join(' ')} in ${role}`, async () => {
    let response = await api.list(table(role))
    let requested = 1
    for (const perPage of sizes) {
      const tried = await api.list(table(role), { perPage })
      if (!tried.ok) continue
      requested = perPage
      response = tried
      break
    }
    const size = sizeShown(listOf(response)) ?? requested
    if (size > largest)
      throw new UntestableError(
        `the smallest page of ${table(role).name} contains ${size} records, more than a check creates`,
        'make the server accept a smaller page size',
      )
    return { requested, size }
  })
}

function sizeShown({ perPage }: ListBody): number | undefined {
  return Number.isInteger(perPage) && perPage > 0 ? perPage : undefined
}

/**
 * Number of records with which a check sees on this server what `count` records on pages of `perPage` would show: the
 * same number of full pages if that is affordable, and the same number of records on the last.
 */
export function recordsFor({ size }: PageSize, count: number, perPage: number): number {
  if (size === perPage) return count
  const full = Math.ceil(count / perPage) - 1
  const rest = count - full * perPage
  const most = size > 10 ? 1 : 2
  return Math.min(full, most) * size + (rest === perPage ? size : Math.min(rest, size))
}
