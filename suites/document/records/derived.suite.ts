/** Requests that differ from a valid one in one part of the description, operation by operation (document 1, 4). */

import { check } from '../../../harness/check.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { derivedProperty, derivedRuns, expectControl } from '../../shared/derived/derived-property.ts'
import { stillAlive } from '../../shared/derived/still-alive.ts'
import { validRecordRequest, withTables } from '../../shared/derived/valid-record-request.ts'

const records = {
  'list-records': 'listRecords',
  'view-record': 'viewRecord',
  'create-record': 'createRecord',
  'update-record': 'updateRecord',
  'delete-record': 'deleteRecord',
} as const

for (const [name, operation] of Object.entries(records))
  check(`derived.${name}`, async (context) => {
    const ordinary = () => context.api.list(context.table('plain'))
    const prepare = (role?: string) => validRecordRequest(context, operation, role)
    await stillAlive(ordinary, async () => {
      await expectControl(context, await prepare())
      await derivedProperty(context, {
        operation,
        cases: withTables(context, casesOf(operation)),
        prepare,
        runs: derivedRuns,
      })
    })
  })
