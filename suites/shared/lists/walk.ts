import { expectThat } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { ListBody } from '../records/record-of.ts'

/** The number of the page that comes `more` pages after this one. From which number on pages count is left open. */
export function pageAfter({ page }: ListBody, more: number): number {
  return (Number.isInteger(page) ? page : 1) + more
}

/**
 * All pages of a list, from the one that is shown when none is asked for to the last that its `totalPages` names.
 *
 * @param most pages that there can be at most
 */
export async function walk(
  list: (query: Query) => Promise<ListBody>,
  query: Query,
  most: number,
): Promise<ListBody[]> {
  const first = await list(query)
  expectThat(
    first.totalPages <= most,
    'totalPages is larger than the number of records',
    `at most ${most}`,
    first.totalPages,
  )
  const pages = [first]
  for (let more = 1; more < first.totalPages; more += 1)
    pages.push(await list({ ...query, page: pageAfter(first, more) }))
  return pages
}
