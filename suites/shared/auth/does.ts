import { objectBody } from '../../../harness/judging/expect.ts'
import type { Api, WireRecord } from '../../../harness/vocabulary/api.ts'
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

/** Whether a client does something with a record of the table that is closed to guests, as a superuser sees it afterwards. */
export async function does(
  context: CheckContext,
  api: Api,
  action: TableAction,
  record: WireRecord,
  locked: TableRef = context.table('locked'),
): Promise<boolean> {
  const root = context.api.as('superuser')
  const title = context.unique('title')
  const isTitled = async () => (await recordsWith(context, locked, 'title', title, root)).length > 0
  switch (action) {
    case 'list': {
      const response = await api.list(locked, { filter: equals(context, locked, 'id', record.id) })
      return response.ok && stringsIn(response.body).includes(record.id)
    }
    case 'view': {
      const response = await api.view(locked, record.id)
      return response.ok && stringsIn(response.body).includes(record.id)
    }
    case 'create':
      await api.create(locked, { title })
      return isTitled()
    case 'batch':
      await api.batch([subRequests(api).create(locked, { title })])
      return isTitled()
    case 'update':
      await api.update(locked, record.id, { title })
      return objectBody(await root.view(locked, record.id)).title === title
    case 'delete':
      await api.delete(locked, record.id)
      return !(await root.view(locked, record.id)).ok
  }
}
