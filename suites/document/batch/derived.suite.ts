/** Requests that differ from a valid one in one part of the description, operation by operation (document 1, 4). */

import { check } from '../../../harness/check.ts'
import { batching } from '../../shared/batch/batching.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { derivedProperty, expectControl } from '../../shared/derived/derived-property.ts'
import { batchGround } from '../../shared/derived/record-grounds.ts'
import { derivedRuns, stillAlive } from '../../shared/derived/still-alive.ts'

check(
  'derived.batch',
  batching(async (context) => {
    const ordinary = () => context.api.list(context.table('plain'))
    const prepare = () => batchGround(context)
    await stillAlive(ordinary, async () => {
      await expectControl(context, await prepare())
      await derivedProperty(context, {
        operation: 'batch',
        cases: casesOf('batch'),
        prepare,
        runs: derivedRuns,
      })
    })
  }),
)
