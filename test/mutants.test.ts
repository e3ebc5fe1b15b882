/**
 * Mutants of the reference: each fits the source as it is, and names checks that exist. `npm run test:full` runs one of
 * them, `npm run mutants` all.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSuites } from '../harness/planning/suites.ts'
import { mutated } from '../proofs/mutants/matrix/mutated.ts'
import { loadMutants } from '../proofs/mutants/matrix/registry.ts'
import { runMutants } from '../proofs/mutants/matrix/run-mutants.ts'
import { inFull } from '../scripts/support/in-full.ts'

const mutants = await loadMutants()
const root = new URL('../', import.meta.url)

describe('mutants', () => {
  it.each(mutants)('$name: fits the source', ({ changes }) => {
    for (const change of changes) {
      const source = readFileSync(new URL(change.file, root), 'utf8')
      expect(mutated(source, [change])).not.toBe(source)
    }
  })

  it('name only checks that exist', async () => {
    const known = new Set((await loadSuites()).map(({ id }) => id))
    expect(mutants.flatMap(({ trips }) => trips).filter((id) => !known.has(id))).toEqual([])
  })

  it.runIf(inFull)('are seen by their checks', { timeout: 120_000 }, async () => {
    const one = mutants.filter(({ trips }) => trips.includes('list.total-pages'))
    expect(await runMutants(one)).toMatchObject([{ tripped: ['list.total-pages'], missed: [], errors: [] }])
  })

  it('say which text the source does not contain once', () => {
    const change = { file: 'reference/a.ts', from: 'count', to: 'sum' }
    expect(() => mutated('nothing', [change])).toThrow(
      'reference/a.ts contains "count" 0 times instead of once: correct the mutant.',
    )
    expect(() => mutated('count + count', [change])).toThrow('"count" 2 times')
  })
})
