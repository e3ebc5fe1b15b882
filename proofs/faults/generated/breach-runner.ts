/**
 * Everything that is needed to run breaches: the server, the recording, the breaches by name.
 *
 * @module
 */

import { matchesNothing, selects } from '../../../harness/planning/plan.ts'
import { loadSuites } from '../../../harness/planning/suites.ts'
import type { Requirement } from '../../../spec/vocabulary.ts'
import { startFaultyServer } from '../matrix/faulty-server.ts'
import type { Breach } from './breach.ts'
import { chooseChecks } from './choose-checks.ts'
import { deriveBreaches } from './derive.ts'
import type { BreachRow } from './fates.ts'
import { Killers } from './killers.ts'
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
  /** Checks that are recorded, and do not run against breaches: words as in `conformance --skip`. @default none */
  without?: readonly string[]
}

/**
 * Records a correct run first.
 *
 * @throws ConfigurationError if a word of `without` matches no requirement
 */
export async function startBreachRunner({
  seed,
  only,
  without = [],
}: BreachRunnerOptions): Promise<BreachRunner> {
  const checks = (await loadSuites()).filter(({ id }) => only === undefined || only.includes(id))
  const server = await startFaultyServer(seed, { cleansBehind: true })
  const proving = provingFor(server)
  const { requirements } = proving.parts
  const recording = await record(server, checks, proving, seed)
  const breaches = deriveBreaches(recording)
  const byName = new Map(breaches.map((breach) => [breach.name, breach]))
  const byId = new Map(checks.map((each) => [each.id, each]))
  const parts = { server, proving, recording, seed, checks: byId, killers: new Killers() }
  const leftOut = leftOutBy(without, requirements)
  return {
    breaches,
    async row(name) {
      const breach = byName.get(name)
      if (breach === undefined) throw new Error(`There is no breach "${name}".`)
      const ids = chooseChecks(breach, recording, requirements).filter((id) => !leftOut.has(id))
      return runBreach(breach, ids, parts)
    },
    close: () => server.close(),
  }
}

/**
 * The requirements that words select.
 *
 * @throws ConfigurationError if a word matches no requirement
 */
export function leftOutBy(
  words: readonly string[],
  requirements: ReadonlyMap<string, Requirement>,
): ReadonlySet<string> {
  const all = [...requirements.values()]
  return new Set(
    words.flatMap((word) => {
      const chosen = all.filter((each) => selects(word, each))
      if (chosen.length === 0) throw matchesNothing('--without', word, all)
      return chosen.map(({ id }) => id)
    }),
  )
}
