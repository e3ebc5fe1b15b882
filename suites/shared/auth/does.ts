import { objectBody } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { KeyAction, OperationId } from '../../../spec/vocabulary.ts'
import { subRequests } from '../batch/entries.ts'
import { equals, recordsWith } from '../lists/shared-records.ts'
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
  const each = [clients].flat()
  const isTitled = async () => (await recordsWith(context, table, 'title', title, root)).length > 0
  const someShow = async (read: (api: Api) => Promise<ApiResponse>) => {
    for (const api of each) {
      const response = await read(api)
      if (response.ok && stringsIn(response.body).includes(record.id)) return true
    }
    return false
  }
  switch (action) {
    case 'list':
      return someShow((api) => api.list(table, { filter: equals(context, table, 'id', record.id) }))
    case 'view':
      return someShow((api) => api.view(table, record.id))
    case 'create':
      for (const api of each) await api.create(table, { title, ...fields })
      return isTitled()
    case 'batch':
      for (const api of each) await api.batch([subRequests(api).create(table, { title, ...fields })])
      return isTitled()
    case 'update':
      for (const api of each) await api.update(table, record.id, { title })
      return objectBody(await root.view(table, record.id)).title === title
    case 'delete':
      for (const api of each) await api.delete(table, record.id)
      return !(await root.view(table, record.id)).ok
  }
}

/** What can be done in tables of the target: all of it, except what the target declares absent. */
export function offeredActions({ has, mayExist }: CheckContext): TableAction[] {
  const actions = Object.keys(operationOf) as TableAction[]
  return actions.filter((action) => mayExist(operationOf[action]) && (action !== 'batch' || has('batch')))
}
