/**
 * Runs the checks of the document against one lawful server after the other, with nothing claimed.
 *
 * @module
 */

import { all } from '../../faults/combinators/combinators.ts'
import { startFaultyServer } from '../../faults/matrix/faulty-server.ts'
import { planChecks } from '../../harness/plan.ts'
import { runInProcess } from '../../harness/run-in-process.ts'
import { loadSuites } from '../../harness/suites.ts'
import type { Target } from '../../harness/vocabulary/target.ts'
import { createValidator } from '../../harness/wire/validator.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import type { Variation } from '../variation.ts'
import { rowOf, type VariationRow } from './matrix.ts'
import { watched } from './met.ts'
import { loadVariations } from './registry.ts'

/** Milliseconds. Nothing is learned by waiting longer for an email that does not come. */
const impatient = { quiet: 50, patience: 1_000 }

export interface VariationRunner {
  /** @param names of variations that stand in front of each other, the first of them nearest to the client */
  row(names: readonly string[]): Promise<VariationRow>
  close(): Promise<void>
}

export interface VariationRunnerOptions {
  seed: number
  /** All checks of the document, in place of those that a variation is near to. @default false */
  whole?: boolean
}

export async function startVariationRunner({
  seed,
  whole = false,
}: VariationRunnerOptions): Promise<VariationRunner> {
  const requirements = loadRequirements()
  const checks = (await loadSuites()).filter(({ id }) => requirements.get(id)?.basis !== 'profile')
  const variations = await loadVariations()
  const parts = { requirements, validator: createValidator() }
  const server = await startFaultyServer(seed)
  const settings = { seed, quick: true, runs: whole ? 0.3 : 0.5, checkTimeout: 30_000 }

  return {
    async row(names) {
      const chosen = names.map((name) => {
        const found = variations.find((each) => each.name === name)
        if (found === undefined) throw new Error(`There is no variation "${name}".`)
        return found
      })
      let met = 0
      const makes = chosen.map(({ make }) => watched(make, () => (met += 1)))
      await server.use({ make: all(...makes) })
      const near = new Set(chosen.flatMap((each) => each.near))
      const selected = whole ? checks : checks.filter(({ id }) => near.has(id))
      const begin = performance.now()
      const target = described(unclaimed(server.target), chosen)
      const run = await runInProcess(
        planChecks(selected, requirements),
        { ...target, mail: { ...target.mail, ...impatient } },
        parts,
        settings,
      ).catch((error: Error) => error)
      return rowOf(chosen, { run, met, ms: performance.now() - begin })
    },
    close: () => server.close(),
  }
}

function unclaimed({ profile: _profile, ...target }: Target): Target {
  return target
}

function described(target: Target, variations: readonly Variation[]): Target {
  return variations.reduce((described, { target: change }) => change?.(described) ?? described, target)
}
