/** Statuses of what succeeds, and of what is not there or not taken: section 7 shows none. */

import { tamperStatus } from '../faults/combinators/combinators.ts'
import { refuses, WRITES } from '../faults/combinators/field.ts'
import { refusesWith } from './combinators/answers.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('statuses')

for (const [operation, statuses, near] of [
  [
    'listRecords',
    [203, 206, 226],
    ['list.shape', 'list.paginated', 'list.filter-narrows', 'wire.no-empty-success', 'list.items'],
  ],
  ['viewRecord', [203, 206], ['view.record', 'record.id', 'wire.json-bodies', 'table.by-name']],
  ['authWithPassword', [202], ['auth.password-sign-in', 'auth.response-token', 'auth.response-record']],
] as const)
  for (const status of statuses)
    variation(
      `${operation} succeeds with ${status}`,
      { because: '7', near },
      tamperStatus(operation, 200, status),
    )

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
    declares: { 'wire.no-5xx': 'an error of the server is always reported' },
  },
  refusesWith(one, [404], 500),
)
variation(
  'a deleted record is answered with 403',
  { because: 'records.statuses', near: ['delete.removes', 'delete.only-one', 'table.by-id-writes'] },
  refusesWith('viewRecord', [404], 403),
)
