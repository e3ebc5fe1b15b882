/**
 * A server that lacks one operation, and does not declare it: only what is about this operation fails. `npm test` tries
 * the one that most checks need in one way, with a third of the checks; `npm run test:full` each of them in all three.
 */

import { describe, expect, it } from 'vitest'
import { failuresWithout } from '../proofs/faults/matrix/failures-without.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { operations } from '../spec/openapi.ts'
import type { OperationId } from '../spec/vocabulary.ts'

const needed: OperationId = 'viewRecord'
const ids = inFull ? operations().map(({ id }) => id) : [needed]

describe.each(ids)('without %s', (operation) => {
  it('nothing else fails where its path is unknown', { timeout: 300_000 }, async () => {
    expect(await failuresWithout(operation, { every: inFull ? 1 : 3 })).toEqual([])
  })

  it.runIf(inFull)('nothing else fails where its method is not allowed', { timeout: 300_000 }, async () => {
    expect(await failuresWithout(operation, { status: 405 })).toEqual([])
  })

  it.runIf(inFull)('nothing else fails for a run with an address alone', { timeout: 300_000 }, async () => {
    expect(await failuresWithout(operation, { status: 405, unaided: true })).toEqual([])
  })
})
