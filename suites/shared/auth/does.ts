import { objectBody } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { KeyAction, OperationId } from '../../../spec/vocabulary.ts'
import { subRequests } from '../batch/entries.ts'
import { listById, recordsWith } from '../lists/shared-records.ts'
import { stringsIn } from './session-in.ts'

/** What a client can do in a table, and the operation that does it. */
export const operationOf = {
  list: 'listRecords',
  view: 'viewRecord',
  create: 'createRecord',
  batch: 'batch',
  update: 'updateRecord',
  delete: 'deleteRecord',
} as const satisfies Record<KeyAction | 'batch', OperationId>

/** An action of a key, or a create in a batch. */
export type TableAction = keyof typeof operationOf

/** What an action writes: a title, and what a new record has in addition. */
export interface Written {
  title: string
  fields?: Body | undefined
}

/** Sends the request of an action. */
export function perform(
  context: CheckContext,
  api: Api,
  action: TableAction,
  { id }: WireRecord,
  table: TableRef,
  { title, fields }: Written,
): Promise<ApiResponse> {
  switch (action) {
    case 'list':
      return listById(context, api, table, id)
    case 'view':
      return api.view(table, id)
    case 'create':
      return api.create(table, { title, ...fields })
    case 'batch':
      return api.batch([subRequests(api).create(table, { title, ...fields })])
    case 'update':
      return api.update(table, id, { title })
    case 'delete':
      return api.delete(table, id)
  }
}

/** Whether a response shows the record. */
export function showsRecord({ ok, body }: ApiResponse, { id }: Pick<WireRecord, 'id'>): boolean {
  return ok && stringsIn(body).includes(id)
}

/**
 * Whether a client, or one of several, does something with a record, as a superuser sees it afterwards.
 *
 * @param table @default the one that is closed to guests
 * @param fields what a new record has in addition
 */
export async function does(
  context: CheckContext,
  clients: Api | readonly Api[],
  action: TableAction,
  record: WireRecord,
  table: TableRef = context.table('locked'),
  fields: Body = {},
): Promise<boolean> {
  const root = context.api.as('superuser')
  const title = context.unique('title')
  const isRead = action === 'list' || action === 'view'
  for (const api of [clients].flat()) {
    const response = await perform(context, api, action, record, table, { title, fields })
    if (isRead && showsRecord(response, record)) return true
  }
  if (isRead) return false
  if (action === 'update') return objectBody(await root.view(table, record.id)).title === title
  if (action === 'delete') return !(await root.view(table, record.id)).ok
  return (await recordsWith(context, table, 'title', title, root)).length > 0
}

/** What can be done in tables of the target: all of it, except what the target declares absent. */
export function offeredActions({ has, mayExist }: CheckContext): TableAction[] {
  const actions = Object.keys(operationOf) as TableAction[]
  return actions.filter((action) => mayExist(operationOf[action]) && (action !== 'batch' || has('batch')))
}
