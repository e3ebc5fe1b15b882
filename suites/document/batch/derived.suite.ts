/** Requests that differ from a valid one in one part of the description, operation by operation (document 1, 4). */

import { check } from '../../../harness/check.ts'
import { batching } from '../../shared/batch/batching.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { derivedProperty, derivedRuns, expectControl } from '../../shared/derived/derived-property.ts'
import { stillAlive } from '../../shared/derived/still-alive.ts'
import { validBatchRequest } from '../../shared/derived/valid-record-request.ts'

check(
  'derived.batch',
  batching(async (context) => {
    const ordinary = () => context.api.list(context.table('plain'))
    const prepare = () => validBatchRequest(context)
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
