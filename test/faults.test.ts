/**
 * The kill matrix as a test: every check has a fault, and each fault that is run is detected. `npm test` runs a third of
 * those that the checks need to have one each, `npm run test:full` all of these, and `npm run faults` all faults;
 * test/main-job.test.ts shows that the healthy reference trips nothing.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { loadSuites } from '../harness/suites.ts'
import type { Matrix } from '../proofs/faults/matrix/matrix.ts'
import { loadFaults } from '../proofs/faults/matrix/registry.ts'
import { runFaults } from '../proofs/faults/matrix/run-faults.ts'
import { inFull } from '../scripts/support/in-full.ts'

describe('the kill matrix', () => {
  let matrix: Matrix

  beforeAll(async () => {
    matrix = await runFaults({ sample: inFull ? 1 : 3 })
  }, 900_000)

  it('has no fault that survives a check it declares', () => {
    const surviving = matrix.rows.filter(({ missed, errors }) => missed.length + errors.length > 0)
    expect(surviving.map(({ fault, missed, errors }) => ({ fault, missed, errors }))).toEqual([])
  })

  it('has a fault for each check', async () => {
    const [checks, faults] = await Promise.all([loadSuites(), loadFaults()])
    const broken = new Set(faults.flatMap(({ trips }) => trips))
    expect(checks.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([])
    expect(matrix.untripped).toEqual([])
  })

  it('says so when no fault has anything of the text that is asked for', async () => {
    await expect(runFaults({ filter: 'no such thing' })).rejects.toThrow('anything like "no such thing"')
  })

  it('names only checks that exist', () => {
    expect(matrix.unknown).toEqual([])
  })
})
