/**
 * Records the examples of one requirement: its check is run against the reference with a defect, then against the healthy
 * one with the same data, so that mostly the same request gets two responses.
 *
 * @module
 */

import type { Exchange } from '../../../exchange/exchange.ts'
import { runInProcess } from '../../../harness/engine/run-in-process.ts'
import { startChecking } from '../../../harness/judging/checking.ts'
import { loadSuites } from '../../../harness/planning/suites.ts'
import { createSession } from '../../../harness/session/create-session.ts'
import type { Finding } from '../../../harness/vocabulary/finding.ts'
import type { Smoke } from '../../../harness/vocabulary/report.ts'
import type { ExampleExchanges } from '../../../spec/example-exchanges.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import type { DeclaredFault } from '../fault.ts'
import { startFaultyServer } from '../matrix/faulty-server.ts'
import { loadFaults } from '../matrix/registry.ts'
import { examplesOf } from './examples-of.ts'
import { plainestFirst } from './plainest-first.ts'
import { decidingOf, twinOf, writeBefore } from './twin-of.ts'

export interface ExampleRecorder {
  record(id: string): Promise<ExampleExchanges>
  close(): Promise<void>
}

/** What the check of a requirement sent, and what came of it. */
interface Recorded {
  exchanges: readonly Exchange[]
  finding: Finding | undefined
}

interface Failure extends Recorded {
  finding: Finding
  fault: DeclaredFault
  seed: number
}

interface RunOf {
  seed: number
  fault?: DeclaredFault
  /** Keeps the data of a run apart. @default derived from the seed */
  namespace?: string
  /** Of a property: the example that is run. @default random ones */
  path?: string | undefined
}

/** Faults that are tried until one leaves an exchange. */
const mostTried = 4
const otherSeeds = [1, 2, 3]

export async function startExampleRecorder(seed: number): Promise<ExampleRecorder> {
  const checks = await loadSuites()
  const faults = await loadFaults()
  const requirements = loadRequirements()
  const server = await startFaultyServer(seed)
  const settings = { checkTimeout: 30_000 }
  await server.use()
  const first = await runInProcess([], server.target, { requirements }, { ...settings, seed })
  const smoke: Smoke = first.session.smoke

  async function run(id: string, { fault, path, seed, namespace }: RunOf): Promise<Recorded> {
    await server.use(fault)
    const session = createSession(server.target, { requirements }, { ...settings, seed, namespace })
    session.smoke = smoke
    const scope = session.recorder.open()
    try {
      const checking = startChecking(session, { path })
      const check = checks.find((each) => each.id === id)
      if (check !== undefined) await checking.step(check)
      scope.close()
      checking.finish()
      return { exchanges: scope.exchanges, finding: checking.findings.get(id) }
    } finally {
      await session.close()
    }
  }

  /** The first fault whose exchanges a report shows. A property may miss it with some seeds. */
  async function firstFailure(id: string): Promise<Failure | undefined> {
    const { statement = '' } = requirements.get(id) ?? {}
    const own = faults.filter(({ trips }) => trips.includes(id))
    for (const each of [seed, ...otherSeeds]) {
      for (const fault of plainestFirst(own, statement).slice(0, mostTried)) {
        const { finding, exchanges } = await run(id, { seed: each, fault })
        if (finding === undefined || (finding.status !== 'fail' && finding.status !== 'warn')) continue
        if (finding.exchanges.length > 0) return { finding, exchanges, fault, seed: each }
      }
    }
    return undefined
  }

  return {
    async record(id) {
      const requirement = requirements.get(id)
      if (requirement === undefined) throw new Error(`There is no requirement "${id}".`)
      const failure = await firstFailure(id)
      const path = failure?.finding.replay?.path
      const again = { seed: failure?.seed ?? seed, path: path === '' ? undefined : path }
      const same = await run(id, again)
      const isRight = same.finding?.status === 'pass'
      // The check may have read an email that the other run caused.
      const healthy = isRight ? same : await run(id, { ...again, namespace: 'alone' })
      const passed = healthy.finding?.status === 'pass' ? healthy.exchanges : []
      const deciding = failure && decidingOf(failure.finding)
      // The healthy run repeats one example of a property only.
      const failed = (path ? failure?.finding.exchanges : failure?.exchanges) ?? []
      const { operations } = requirement
      const twin = twinOf(deciding, failed, passed, operations)
      return examplesOf({
        conforming: twin && { exchange: twin, before: writeBefore(twin, passed, operations) },
        failing:
          failure && deciding
            ? {
                defect: failure.fault.name,
                finding: failure.finding,
                exchange: deciding,
                before: writeBefore(deciding, failed, operations),
              }
            : undefined,
      })
    },
    close: () => server.close(),
  }
}
