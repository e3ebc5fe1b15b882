/** Statuses of successes, of missing records and of rejections: section 7 shows none. */

import { operations } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { rejects, WRITES } from '../faults/combinators/field.ts'
import { refusesWith, succeedsWith } from './combinators/responses.ts'
import { nearOperation } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('statuses')

/** By operation, the statuses of success that it may have instead; of those that show something, no 204 and no 205. */
const successes: Readonly<Record<OperationId, readonly number[]>> = {
  listRecords: [201, 202, 203, 206, 226],
  viewRecord: [201, 202, 203, 206],
  createRecord: [206, 207, 226],
  updateRecord: [203, 206, 207],
  deleteRecord: [201, 203, 206, 226],
  batch: [203, 206, 226],
  listAuthMethods: [201, 202, 203, 206],
  authWithPassword: [202, 203, 206],
  authWithOAuth2: [201, 202, 203],
  requestOtp: [201, 203],
  authWithOtp: [202, 203, 206],
  authRefresh: [201, 202, 203],
  impersonate: [201, 202, 203],
  requestVerification: [200, 201, 202, 205],
  confirmVerification: [200, 201, 202, 205],
  requestPasswordReset: [200, 201, 202, 205],
  confirmPasswordReset: [200, 201, 202, 205],
  requestEmailChange: [200, 201, 202, 205],
  confirmEmailChange: [200, 201, 202, 205],
}

for (const { id } of operations())
  for (const status of successes[id])
    variation(
      `${id} succeeds with ${status}`,
      { because: '7', near: nearOperation[id] },
      succeedsWith(id, status),
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
    `a missing record returns ${status}`,
    { because: 'records.statuses', near: missing },
    refusesWith(one, [404], status),
  )
variation(
  'a deleted record returns 410',
  { because: 'records.statuses', near: [...missing, 'delete.final'] },
  refusesWith(one, [404], 410),
)
for (const status of [400, 403, 405, 501])
  variation(
    `a missing table returns ${status}`,
    { because: 'records.statuses', near: ['table.missing-refused'] },
    refusesWith(['listRecords', 'createRecord'], [404], status),
  )
for (const status of [400, 403, 409, 422])
  variation(
    `invalid strings are rejected with ${status}`,
    { because: 'records.statuses', near: ['create.persists', 'update.applies', 'field-types.keep-values'] },
    rejects(WRITES, (body) => /[^ -~]/.test(String(body.title ?? body.text ?? '')), status),
  )
variation(
  'a missing record returns 303',
  { because: 'records.statuses', near: ['view.missing-refused'] },
  refusesWith('viewRecord', [404], 303),
)
variation(
  'a missing record returns 500',
  {
    because: 'records.statuses',
    near: ['view.missing-refused', 'update.missing-refused', 'table.missing-refused'],
    declares: { 'wire.no-5xx': 'an error of the server is always reported' },
  },
  refusesWith(one, [404], 500),
)
variation(
  'a deleted record returns 403',
  { because: 'records.statuses', near: ['delete.removes', 'delete.only-one', 'table.by-id-writes'] },
  refusesWith('viewRecord', [404], 403),
)
