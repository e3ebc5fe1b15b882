/** The endpoint for batches exists (document 4.1). */

import { check } from '../../../harness/check.ts'
import { expectOperation } from '../operation-exists.ts'

check('operation.batch', async ({ api, knows, table, unique }) => {
  const create = () => ({
    method: 'POST',
    url: api.path.records(table('plain')),
    body: { title: unique('operation') },
  })
  await expectOperation(
    'batch',
    'POST',
    (other) => api.path.batch().replace(/batch$/, other),
    [api, ...(knows('superuser') ? [api.as('superuser')] : [])].map((as) => ({
      as,
      send: (sender) => sender.batch([create()]),
    })),
  )
})
