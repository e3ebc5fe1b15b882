/**
 * Lawful decisions in front of each other: pairs and triples at random, more with
 * `npm run variations -- --pairs 500 --seed 2`.
 */

import { expect, it } from 'vitest'
import { runCombinations } from '../proofs/variations/matrix/combinations.ts'

it('accuses no server of several lawful decisions, and leaves none without a verdict', async () => {
  const { rows, bad } = await runCombinations({ seed: 1, count: 2 })
  expect(rows.length).toBe(2)
  expect(
    bad.map(({ command, accused, silent, errors }) => [command, ...accused, ...silent, ...errors].join('\n')),
  ).toEqual([])
}, 900_000)
