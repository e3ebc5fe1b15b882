/**
 * The kill matrix as a test: every check has a fault, and each fault that is run is detected. `npm test` runs an eightieth of
 * those that the checks need to have one each, and `npm run faults` all faults; test/main-job.test.ts shows that the
 * healthy reference trips nothing.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import type { FaultMatrix } from '../proofs/faults/matrix/matrix.ts'
import { runFaults } from '../proofs/faults/matrix/run-faults.ts'

describe('the kill matrix', () => {
  let matrix: FaultMatrix

  beforeAll(async () => {
    matrix = await runFaults({ sample: 80 })
  }, 900_000)

  it('has no fault that survives a check it declares', () => {
    const surviving = matrix.rows.filter(({ missed, errors }) => missed.length + errors.length > 0)
    expect(surviving.map(({ fault, missed, errors }) => ({ fault, missed, errors }))).toEqual([])
  })

  it('has no check without a fault', () => {
    expect(matrix.untripped).toEqual([])
  })

  it('says so if no fault has a requested text in its name or checks, whatever the others name', async () => {
    await expect(runFaults({ texts: ['list.page', 'no such thing'] })).rejects.toThrow(
      'No fault is called, or trips, anything like "no such thing"',
    )
  })

  it('names only checks that exist', () => {
    expect(matrix.unknown).toEqual([])
  })
})
