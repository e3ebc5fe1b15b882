import { isObject } from '../../../exchange/json-object.ts'
import { expectSuccess, expectThat, objectBody, requestName } from '../../../harness/judging/expect.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/** The record in a successful response. Expects success and a record with an id. */
export function recordOf(response: ApiResponse, what: string = requestName(response)): WireRecord {
  expectSuccess(response, what)
  const body = objectBody(response)
  expectThat(
    typeof body.id === 'string' && body.id !== '',
    `${what} returned no record with an id`,
    'a string in `id`',
    body,
  )
  return body as WireRecord
}

/** The id of what was created, found by its text where the response names none. Expects success. */
export async function createdIn(
  context: Pick<CheckContext, 'created'>,
  table: TableRef,
  response: ApiResponse,
  what = 'the create',
): Promise<string> {
  expectSuccess(response, what)
  return (await context.created(table, response)).id
}

/** The response to a list, by its documented keys. */
export interface ListBody {
  page: number
  perPage: number
  totalItems: number
  totalPages: number
  items: WireRecord[]
}

/** The list in a successful response. Expects success and a list in `items`. */
export function listOf(response: ApiResponse, what = 'the list'): ListBody {
  expectSuccess(response, what)
  const body = objectBody(response)
  const { items } = body
  expectThat(Array.isArray(items), `${what} has no list in \`items\``, 'a list', items)
  expectThat(items.every(isObject), `${what} contains an item that is not an object`, 'objects', items)
  return body as unknown as ListBody
}
