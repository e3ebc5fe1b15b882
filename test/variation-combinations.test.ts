/**
 * Lawful decisions in front of each other: pairs and triples at random, in `npm run test:full`; more with
 * `npm run variations -- --pairs 500 --seed 2`.
 */

import { expect, it } from 'vitest'
import { runCombinations } from '../proofs/variations/matrix/combinations.ts'
import { inFull } from '../scripts/support/in-full.ts'

it.runIf(inFull)(
  'accuses no server of several lawful decisions, and leaves none without a verdict',
  async () => {
    const { rows, bad } = await runCombinations({ seed: 1, count: 8 })
    expect(rows.length).toBe(8)
    expect(
      bad.map(({ command, accused, silent, errors }) =>
        [command, ...accused, ...silent, ...errors].join('\n'),
      ),
    ).toEqual([])
  },
  900_000,
)
