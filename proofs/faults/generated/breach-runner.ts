/**
 * Everything that is needed to run breaches: the server, the recording, the breaches by name.
 *
 * @module
 */

import { loadSuites } from '../../../harness/suites.ts'
import { startFaultyServer } from '../matrix/faulty-server.ts'
import type { Breach } from './breach.ts'
import { chooseChecks } from './choose-checks.ts'
import { deriveBreaches } from './derive.ts'
import type { BreachRow } from './outcome.ts'
import { provingFor } from './proving.ts'
import { record } from './recording.ts'
import { runBreach } from './run-breach.ts'

export interface BreachRunner {
  breaches: readonly Breach[]
  row(name: string): Promise<BreachRow>
  close(): Promise<void>
}

export interface BreachRunnerOptions {
  seed: number
  /** Ids of the checks that are recorded, and may see a breach. @default all */
  only?: readonly string[]
}

/** Records a correct run first. */
export async function startBreachRunner({ seed, only }: BreachRunnerOptions): Promise<BreachRunner> {
  const checks = (await loadSuites()).filter(({ id }) => only === undefined || only.includes(id))
  const server = await startFaultyServer(seed)
  const proving = provingFor(server)
  const recording = await record(server, checks, proving, seed)
  const breaches = deriveBreaches(recording)
  const byName = new Map(breaches.map((breach) => [breach.name, breach]))
  const parts = { server, proving, recording, seed, checks: new Map(checks.map((each) => [each.id, each])) }
  return {
    breaches,
    async row(name) {
      const breach = byName.get(name)
      if (breach === undefined) throw new Error(`There is no breach "${name}".`)
      return runBreach(breach, chooseChecks(breach, recording, proving.parts.requirements), parts)
    },
    close: () => server.close(),
  }
}
