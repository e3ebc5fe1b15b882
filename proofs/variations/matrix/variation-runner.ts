/**
 * Runs the checks of the document against one lawful server after the other, with nothing claimed.
 *
 * @module
 */

import { runInProcess } from '../../../harness/engine/run-in-process.ts'
import { planChecks } from '../../../harness/planning/plan.ts'
import { loadSuites } from '../../../harness/planning/suites.ts'
import type { Target } from '../../../harness/vocabulary/target.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import { exchangeInProcess } from '../../faults/matrix/exchange-in-process.ts'
import { startFaultyServer, unclaimed } from '../../faults/matrix/faulty-server.ts'
import type { Variation } from '../variation.ts'
import { loadVariations } from './registry.ts'
import { inOrder, stacked } from './stacked.ts'
import { type VariationRow, variationRow } from './variation-row.ts'
import { watched } from './watched.ts'

/**
 * Milliseconds. Nothing is learned by waiting longer for an email that does not come. As for most servers, nothing says how
 * long to wait for a further one.
 */
const impatient = { quiet: undefined, patience: 1_000 }

/** What one row of the matrix is about. */
export interface VariationJob {
  /** Of variations that are in front of each other, in any order. */
  names: readonly string[]
  /** Requirements whose checks are run. @default those that the variations are near to */
  ids?: readonly string[] | undefined
  seed: number
}

export interface VariationRunner {
  row(job: VariationJob): Promise<VariationRow>
  close(): Promise<void>
}

/** Checks that are run against a variation, over sockets or not, and the share of the usual examples. */
export const extents = {
  near: { runs: 0.5 },
  /** All checks of the document. */
  whole: { runs: 0.3 },
  /** Also the checks of the profile, which only observe, as in every run: a response to their requests must accuse no one. */
  observed: { runs: 0.1 },
  /** All checks of the document, without a superuser, emails, a provider or hooks: what a run with an address alone has. */
  unaided: { runs: 0.1 },
  /** For hundreds of combinations: a lawful response that is rejected is usually rejected at the first example. */
  together: { runs: 0.1 },
} as const
export type Extent = keyof typeof extents
const overSockets: readonly Extent[] = ['near', 'whole']
/** Not only the checks that a variation is near to. */
const withoutNear: readonly Extent[] = ['whole', 'observed', 'unaided']

/** As many examples as the rarest of them needs. */
function rarest(variations: readonly Variation[]): { runs: number } {
  return { runs: Math.max(...variations.map(({ runs = extents.near.runs }) => runs)) }
}

export async function startVariationRunner(extent: Extent): Promise<VariationRunner> {
  const requirements = loadRequirements()
  const checks = (await loadSuites()).filter(
    ({ id }) => extent === 'observed' || requirements.get(id)?.basis !== 'profile',
  )
  const variations = await loadVariations()
  const server = await startFaultyServer(1)
  const superuser = server.target.credentials.superuser?.token ?? ''
  const parts = {
    requirements,
    ...(overSockets.includes(extent) ? {} : { exchange: exchangeInProcess(server.fetch) }),
  }

  return {
    async row({ names, ids, seed }) {
      const chosen = names.map((name) => {
        const found = variations.find((each) => each.name === name)
        if (found === undefined) throw new Error(`There is no variation "${name}".`)
        return found
      })
      const ordered = inOrder(chosen)
      // With fewer examples of each, a value of a rare form may not come up: that it does is for the checks near to it.
      const unmet = new Set(extent === 'near' ? names : [])
      const withWatch = (each: Variation): Variation =>
        unmet.has(each.name) ? { ...each, make: watched(each.make, () => unmet.delete(each.name)) } : each
      const thrown: string[] = []
      await server.use({ make: noting(stacked(ordered.map(withWatch), superuser), thrown) })
      const near = chosen.flatMap((each) => each.near)
      const isAlone = chosen.some(({ alone }) => alone !== undefined)
      const wanted = new Set(
        ids === undefined || isAlone ? near.filter((id) => ids?.includes(id) ?? true) : ids,
      )
      const isWhole =
        ids === undefined && withoutNear.includes(extent) && chosen.every(({ alone }) => alone === undefined)
      const selected = isWhole ? checks : checks.filter(({ id }) => wanted.has(id))
      const begin = performance.now()
      const given = extent === 'unaided' ? unaided(server.target) : server.target
      const target = described(unclaimed(given), ordered)
      const run = await runInProcess(
        planChecks(selected, requirements),
        { ...target, mail: { ...target.mail, ...impatient } },
        parts,
        {
          seed,
          quick: true,
          checkTimeout: 30_000,
          ...extents[extent],
          ...(extent === 'near' && rarest(chosen)),
        },
      ).catch((error: Error) => error)
      const row = variationRow(chosen, {
        run,
        unmet: [...unmet],
        thrown,
        seed,
        ms: performance.now() - begin,
      })
      // Most has no verdict then, whatever a variation declares.
      return extent === 'unaided' ? { ...row, silent: [], stale: [] } : row
    },
    close: () => server.close(),
  }
}

/** Notes what a variation throws: the suite sees a status of 500, and rightly warns of it. */
function noting(make: Variation['make'], thrown: string[]): Variation['make'] {
  return (tools) => {
    const middleware = make(tools)
    return (request, next) =>
      middleware(request, next).catch((error: Error) => {
        thrown.push(`${request.method} ${request.url}: ${error.stack}`)
        throw error
      })
  }
}

function unaided({ hooks: _hooks, services: _services, ...target }: Target): Target {
  return { ...target, credentials: {} }
}

function described(target: Target, variations: readonly Variation[]): Target {
  return variations.reduce((described, { target: change }) => change?.(described) ?? described, target)
}
