/**
 * Lawful variations in front of each other, drawn at random: a server makes many decisions, and a check that lets each
 * of them pass may still fail two together.
 *
 * @module
 */

import fc from 'fast-check'
import type { Variation } from '../variation.ts'
import { loadVariations } from './registry.ts'
import { runRows } from './run-rows.ts'
import { isWrong, type VariationRow } from './variation-row.ts'
import type { VariationJob } from './variation-runner.ts'

export interface CombinationsOptions {
  /** What the combinations follow from, and the checks against each. */
  seed: number
  count: number
  /** In the order in which they are done. */
  onRow?: (row: VariationRow) => void
}

/** A combination that must not be, with the fewest of its variations that still show it. */
export interface BadCombination extends VariationRow {
  /** Repeats exactly it. */
  command: string
}

/** Runs pairs and triples at random. */
export async function runCombinations({ seed, count, onRow }: CombinationsOptions) {
  const jobs = combinationsOf(await loadVariations(), seed, count)
  const rows = await runRows('together', jobs, onRow)
  const wrong = rows.filter(isWrong)
  const parts = await runRows(
    'together',
    jobs.filter(({ seed }) => wrong.some((row) => row.seed === seed)).flatMap(partsOf),
  )
  const wrongParts = parts.filter(isWrong).sort((a, b) => a.names.length - b.names.length)
  const bad = wrong.map((row) => {
    const ids = jobs.find(({ seed }) => seed === row.seed)?.ids ?? []
    return withCommand(wrongParts.find((part) => part.seed === row.seed) ?? row, ids)
  })
  return { rows, bad }
}

/** Pairs and triples that can be combined, the same for the same seed. */
function combinationsOf(variations: readonly Variation[], seed: number, count: number): VariationJob[] {
  const possible = variations.filter(({ alone }) => alone === undefined)
  const drawn = fc.shuffledSubarray(possible, { minLength: 2, maxLength: 3 }).filter(canStandTogether)
  return fc.sample(drawn, { seed, numRuns: count }).map((chosen, at) => ({
    names: chosen.map(({ name }) => name),
    ids: [...new Set(chosen.flatMap(({ near }) => near))],
    // Other examples for each: there are few of them.
    seed: seed + at,
  }))
}

/** Areas whose variations decide different things. Those of any other area decide the same thing, each in its own way. */
const mixedAreas = new Set(['access', 'flows', 'sign-in'])

/**
 * Whether one server can be all of this: no two decide the same thing. One may take away what another changes: both
 * remain then, since the server is lawful still.
 */
function canStandTogether(variations: readonly Variation[]): boolean {
  return new Set(variations.map(decisionOf)).size === variations.length
}

/** What a variation decides. Names in a mixed area that differ only in a status decide the same thing. */
function decisionOf({ area, name }: Variation): string {
  return mixedAreas.has(area) ? `${area}: ${name.replace(/\d{3}/, '')}` : area
}

/** What a combination is shrunk to, with the same checks: each of its variations alone and, of three, each two. */
function partsOf({ names, ...job }: VariationJob): VariationJob[] {
  const alone = names.map((name) => [name])
  const pairs = names.length > 2 ? names.map((left) => names.filter((name) => name !== left)) : []
  return [...alone, ...pairs].map((part) => ({ ...job, names: part }))
}

/** With all checks of the combination: what one finds may hang on the records that others made before it. */
function withCommand(row: VariationRow, ids: readonly string[]): BadCombination {
  const names = row.names.map((name) => JSON.stringify(name))
  const words = ['npm run variations -- --together', ...names, '--only', ...ids, `--seed ${row.seed}`]
  return { ...row, command: words.join(' ') }
}
