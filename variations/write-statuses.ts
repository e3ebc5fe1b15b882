/** With which status a record operation is refused: section 7 shows none. */

import { refuses, WRITES } from '../faults/combinators/field.ts'
import { refusesWith } from './combinators/answers.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('write-statuses')

const missing = [
  'view.missing-refused',
  'update.missing-refused',
  'delete.removes',
  'table.separate',
  'table.missing-refused',
  'table.by-id-writes',
  'field-types.keep-values',
] as const
const one = ['viewRecord', 'updateRecord', 'deleteRecord'] as const

for (const status of [400, 410, 422])
  variation(
    `a missing record is answered with ${status}`,
    { because: 'records.statuses', near: missing },
    refusesWith(one, [404], status),
  )
variation(
  'a deleted record is answered with 410',
  { because: 'records.statuses', near: [...missing, 'delete.final'] },
  refusesWith(one, [404], 410),
)
for (const status of [400, 403, 405, 501])
  variation(
    `a missing table is answered with ${status}`,
    { because: 'records.statuses', near: ['table.missing-refused'] },
    refusesWith(['listRecords', 'createRecord'], [404], status),
  )
for (const status of [400, 403, 409, 422])
  variation(
    `texts that are not accepted are refused with ${status}`,
    { because: 'records.statuses', near: ['create.persists', 'update.applies', 'field-types.keep-values'] },
    refuses(WRITES, (body) => /[^ -~]/.test(String(body.title ?? body.text ?? '')), status),
  )
variation(
  'a missing record is answered with 303',
  { because: 'records.statuses', near: ['view.missing-refused'] },
  refusesWith('viewRecord', [404], 303),
)
variation(
  'a missing record is answered with 500',
  {
    because: 'records.statuses',
    near: ['view.missing-refused', 'update.missing-refused', 'table.missing-refused'],
  },
  refusesWith(one, [404], 500),
)
variation(
  'a deleted record is answered with 403',
  {
    because: 'records.statuses',
    near: ['delete.removes', 'delete.only-one', 'table.by-id-writes', 'table.one-at-a-time'],
  },
  refusesWith('viewRecord', [404], 403),
)
