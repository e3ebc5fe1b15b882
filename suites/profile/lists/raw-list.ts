import type { ApiResponse, Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { spelledQuery } from '../spelled-query.ts'

/** A list with a query that the description does not know: what the suite does by mistake must not look like this. */
export function rawList(context: CheckContext, table: TableRef, query: Query): Promise<ApiResponse> {
  const pairs = Object.entries(query).map(
    ([name, value]) => [name, encodeURIComponent(String(value))] as const,
  )
  const { api } = context
  const path = `${api.path.records(table)}?${spelledQuery(context, ...pairs)}`
  return api.raw({ method: 'GET', path, operation: 'listRecords' })
}
