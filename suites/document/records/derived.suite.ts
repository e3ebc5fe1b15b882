/** Requests that differ from a valid one in one part of the description, operation by operation (document 1, 4). */

import { check } from '../../../harness/check.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { derivedProperty, expectControl } from '../../shared/derived/derived-property.ts'
import { askable, recordGround } from '../../shared/derived/record-grounds.ts'
import { derivedRuns, stillAlive } from '../../shared/derived/still-alive.ts'

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
    const prepare = (role?: string) => recordGround(context, operation, role)
    await stillAlive(ordinary, async () => {
      await expectControl(context, await prepare())
      await derivedProperty(context, {
        operation,
        cases: askable(context, casesOf(operation)),
        prepare,
        runs: derivedRuns,
      })
    })
  })
