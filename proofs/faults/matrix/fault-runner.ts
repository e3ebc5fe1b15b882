/**
 * Runs the checks that a fault declares against a server with that fault, or all checks against a healthy one.
 *
 * @module
 */

import { type InProcessRun, runInProcess } from '../../../harness/engine/run-in-process.ts'
import { planChecks } from '../../../harness/planning/plan.ts'
import { loadSuites, type SuiteCheck } from '../../../harness/planning/suites.ts'
import type { RunError } from '../../../harness/vocabulary/report.ts'
import type { Target } from '../../../harness/vocabulary/target.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import { startFaultyServer, unclaimed } from './faulty-server.ts'
import { checksFor, describedFinding, type FaultRow, faultRow, isFalseAlarm } from './matrix.ts'
import { loadFaults } from './registry.ts'

export interface FaultRunner {
  /** Findings of a healthy server that are not `pass`. @param ids of the checks; all when absent */
  falseAlarms(ids?: readonly string[]): Promise<string[]>
  row(fault: string): Promise<FaultRow>
  close(): Promise<void>
}

export async function startFaultRunner(seed: number): Promise<FaultRunner> {
  const checks = await loadSuites()
  const faults = new Map((await loadFaults()).map((fault) => [fault.name, fault]))
  const parts = { requirements: loadRequirements() }
  const server = await startFaultyServer(seed)
  const settings = { seed, quick: true, checkTimeout: 30_000 }

  const run = (
    selected: readonly SuiteCheck[],
    more = {},
    target: Target = server.target,
  ): Promise<InProcessRun> =>
    runInProcess(planChecks(selected, parts.requirements), target, parts, { ...settings, ...more })

  await server.use()
  const { smoke } = (await run([])).session
  return {
    async falseAlarms(ids) {
      await server.use()
      const { findings, errors } = await run(
        ids === undefined ? checks : checks.filter(({ id }) => ids.includes(id)),
      )
      return [...findings.filter(isFalseAlarm).map(describedFinding), ...errors.map(reported)]
    },
    async row(name) {
      const fault = faults.get(name)
      if (fault === undefined) throw new Error(`There is no fault "${name}".`)
      await server.use(fault)
      const begin = performance.now()
      const target = fault.unclaimed ? unclaimed(server.target) : server.target
      const { own, errors } = await run(checksFor(fault, checks), { smoke }, target)
      return faultRow(fault, own, errors.map(reported), performance.now() - begin)
    },
    close: () => server.close(),
  }
}

function reported({ place, message }: RunError): string {
  return `${place}: ${message}`
}
