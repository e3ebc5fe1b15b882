/** The endpoint for batches exists (document 4.1). */

import { check } from '../../../harness/check.ts'
import { accountApi } from '../../shared/batch/batching.ts'
import { expectOperation } from '../expect-operation.ts'

check('operation.batch', async (context) => {
  const { api, knows, table, unique } = context
  const create = () => ({
    method: 'POST',
    url: api.path.records(table('plain')),
    body: { title: unique('operation') },
  })
  const account = await accountApi(context)
  const clients = [
    api,
    ...(account === undefined ? [] : [account]),
    ...(knows('superuser') ? [api.as('superuser')] : []),
  ]
  await expectOperation(
    'batch',
    'POST',
    (other) => api.path.batch().replace(/batch$/, other),
    clients.map((as) => ({
      as,
      send: (sender) => sender.batch([create()]),
      // A server may show its batch endpoint only to a superuser, and return 404 to everyone else.
      mayBeHidden: () => as.actor !== 'superuser',
    })),
  )
})
