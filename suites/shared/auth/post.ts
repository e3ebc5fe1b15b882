/**
 * A POST to any action of a table.
 *
 * @module
 */

import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/**
 * A POST of any JSON to an action of a table. The request is not validated. Keys are as in the description.
 */
export function post(
  api: Api,
  table: TableRef | string,
  action: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return api.raw({
    method: 'POST',
    path: api.path.auth(table, action),
    headers,
    json: body,
  })
}
