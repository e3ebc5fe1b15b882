/**
 * Runs checks against the reference that this process has loaded.
 *
 * @module
 */

import { runInProcess } from '../../../harness/engine/run-in-process.ts'
import { planChecks } from '../../../harness/planning/plan.ts'
import { loadSuites } from '../../../harness/planning/suites.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import { startFaultyServer } from '../../faults/matrix/faulty-server.ts'
import {
  checksFor,
  describedFinding,
  type FaultRow,
  faultRow,
  isTripped,
} from '../../faults/matrix/matrix.ts'
import type { Mutant } from '../mutant.ts'

export interface MutantRow extends FaultRow {
  /** Other requirements that the mutant breaks, where all checks ran. */
  others: string[]
}

/** @param whole all checks instead of the declared ones */
export async function runMutant(mutant: Mutant, seed: number, whole: boolean): Promise<MutantRow> {
  const begin = performance.now()
  const requirements = loadRequirements()
  const suite = await loadSuites()
  const server = await startFaultyServer(seed)
  try {
    await server.use()
    const { findings, own, errors } = await runInProcess(
      planChecks(whole ? suite : checksFor(mutant, suite), requirements),
      server.target,
      { requirements },
      { seed, checkTimeout: 60_000 },
    )
    const reported = errors.map(({ place, message }) => `${place}: ${message}`)
    const others = findings.filter(
      (finding) => isTripped(finding) && !mutant.trips.includes(finding.requirement),
    )
    return {
      ...faultRow(mutant, own, reported, performance.now() - begin),
      others: whole ? others.map(describedFinding) : [],
    }
  } finally {
    await server.close()
  }
}
