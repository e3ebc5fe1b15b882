import { isObject } from '../../../exchange/json-object.ts'
import { expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import { toTheirs } from '../../../harness/target/mapped-table.ts'
import type { Api, ApiResponse, Body, SubRequest, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { requiredValues } from '../records/required-values.ts'

/** Sub-requests by what they do. Paths carry the target's prefix. */
export function subRequests({ path }: Api) {
  return {
    create: (table: TableRef, body?: Body, query = ''): SubRequest => ({
      method: 'POST',
      url: path.records(table) + query,
      ...(body && { body }),
    }),
    update: (table: TableRef, id: string, body?: Body, query = ''): SubRequest => ({
      method: 'PATCH',
      url: path.record(table, id) + query,
      ...(body && { body }),
    }),
    upsert: (table: TableRef, body: Body): SubRequest => ({ method: 'PUT', url: path.records(table), body }),
    remove: (table: TableRef, id: string, query = ''): SubRequest => ({
      method: 'DELETE',
      url: path.record(table, id) + query,
    }),
  }
}

/** A create for `rawBatch`, with the target's names of fields. */
export function rawCreate(api: Api, table: TableRef, body: Body): SubRequest {
  return subRequests(api).create(table, toTheirs(table, body))
}

/** The same, with the values that the table requires of each record. */
export function rawWholeCreate(
  context: Pick<CheckContext, 'api' | 'unique'>,
  table: TableRef,
  body: Body,
): SubRequest {
  const values = requiredValues(context, table)
  return subRequests(context.api).create(table, { ...values, ...toTheirs(table, body) })
}

/** Sends a batch as it is written, whatever it holds. */
export function rawBatch(api: Api, body: string): Promise<ApiResponse> {
  return api.raw({
    operation: 'batch',
    method: 'POST',
    path: api.path.batch(),
    headers: { 'content-type': 'application/json' },
    body,
  })
}

/** One entry of the response to a batch in the standard profile (gap `batch.response`). */
export interface BatchWrite {
  status: number
  body: WireRecord | null
}

/** The entries of a successful batch. */
export function entriesOf(response: ApiResponse): BatchWrite[] {
  expectSuccess(response, 'the batch')
  expectThat(
    Array.isArray(response.body),
    'the response to a batch is not a list',
    'a list of entries',
    response.body,
  )
  for (const [index, entry] of response.body.entries())
    expectThat(
      typeof entry === 'object' && entry !== null,
      `entry ${index} of the batch is not an object`,
      'an object',
      entry,
    )
  return response.body as BatchWrite[]
}

/** The record in one entry. */
export function entryRecord(entries: readonly BatchWrite[], index: number): WireRecord {
  const record = entries[index]?.body
  expectThat(
    typeof record === 'object' && record !== null,
    `entry ${index} of the batch has no record`,
    'a record',
    entries[index],
  )
  return record
}

/** Whether the response to a batch says that an entry was rejected, whatever its own status is: entries are in a list. */
export function hasRejectedEntry({ body }: Pick<ApiResponse, 'body'>): boolean {
  if (typeof body !== 'object' || body === null) return false
  const lists = [body, ...Object.values(body)].filter((value) => Array.isArray(value))
  return lists.flat().some((entry: unknown) => isObject(entry) && Number(entry.status) >= 400)
}
