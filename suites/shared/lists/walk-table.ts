/**
 * Reads a list that contains records of other clients, too.
 *
 * @module
 */

import { UntestableError } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { type ListBody, listOf } from '../records/record-of.ts'
import { walk } from './walk.ts'

/**
 * The pages of a list until they contain `count` of the records that are counted.
 *
 * @throws UntestableError if a later page is rejected: how far pages go is left open (document, section 8)
 */
export async function walkTable(
  api: Api,
  table: TableRef,
  { query, count, counts }: { query: Query; count: number; counts: (record: WireRecord) => boolean },
): Promise<ListBody[]> {
  const list = async (asked: Query) => {
    const response = await api.list(table, asked)
    if (asked.page !== undefined) expectInReach(response, table, asked.page)
    return listOf(response)
  }
  return api.undisturbed(() => walk(list, query, count, counts))
}

/**
 * That a page of a whole table was not rejected. That short lists show all their pages is for the checks of lists to see.
 *
 * @throws UntestableError
 */
export function expectInReach({ ok, status }: ApiResponse, { name, role }: TableRef, page: unknown): void {
  if (ok) return
  throw new UntestableError(
    `page ${page} of ${name} was rejected with ${status}, and the check needs the whole list`,
    `map the role "${role}" to a table with fewer records`,
  )
}
