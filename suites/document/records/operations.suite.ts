/** The record endpoints exist (document 4.1). */

import { check } from '../../../harness/check.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { expectOperation } from '../expect-operation.ts'

/** Requests for a record of the table `plain`, made for this. */
const requests: Readonly<
  Record<string, [method: string, send: (api: Api, table: TableRef, id: string) => Promise<ApiResponse>]>
> = {
  'list-records': ['GET', (api, table) => api.list(table)],
  'view-record': ['GET', (api, table, id) => api.view(table, id)],
  'update-record': ['PATCH', (api, table, id) => api.update(table, id, {})],
  'delete-record': ['DELETE', (api, table, id) => api.delete(table, id)],
}

for (const [name, [method, send]] of Object.entries(requests))
  check(`operation.${name}`, async (context) => {
    const table = context.table('plain')
    const { id } = await context.make(table, { title: context.unique('operation') })
    await expectOperation(
      name,
      method,
      (other) =>
        name === 'list-records'
          ? context.api.path.auth(table, other)
          : context.api.path.record(table, id).replace('/records/', `/${other}/`),
      everyone(context).map((as) => ({
        as,
        send: (api) => send(api, table, id),
        mayBeHidden: () => method !== 'GET' && as.actor !== 'superuser',
      })),
    )
  })

check('operation.create-record', async (context) => {
  const table = context.table('plain')
  await expectOperation(
    'create-record',
    'POST',
    (other) => context.api.path.auth(table, other),
    everyone(context).map((as) => ({
      as,
      send: (api) => api.create(table, { title: context.unique('operation') }),
    })),
  )
})

function everyone({ api, knows }: CheckContext): Api[] {
  return knows('superuser') ? [api, api.as('superuser')] : [api]
}
