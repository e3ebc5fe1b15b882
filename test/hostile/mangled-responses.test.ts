/** Whatever one operation returns, a run ends with findings: no response may cause an exception of ours. */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import type { Smoke } from '../../harness/vocabulary/report.ts'
import { type Proving, provingFor } from '../../proofs/faults/generated/proving.ts'
import { type FaultyServer, startFaultyServer } from '../../proofs/faults/matrix/faulty-server.ts'
import { nearOperation } from '../../proofs/variations/near.ts'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { operations } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { type Mangling, mangling, manglings, turns } from './mangled-responses.ts'

const checks = await loadSuites()
const ids = operations().map(({ id }) => id)
const names = Object.keys(manglings)
const cases = ids
  .flatMap((id) => names.flatMap((name) => Object.keys(turns).map((turn) => ({ id, name, turn }))))
  .filter(inSample(241))
const settings = { seed: 1, quick: true, runs: 0.05, checkTimeout: 30_000 }

let server: FaultyServer
let proving: Proving
/** Of the healthy server: otherwise little would be sent to the mangled one. */
let smoke: Smoke | undefined

beforeAll(async () => {
  server = await startFaultyServer(1)
  proving = provingFor(server)
  await server.use()
  const { session } = await runInProcess([], server.target, proving.parts, settings)
  smoke = session.smoke
})
afterAll(() => server.close())

/** What is not an expectation, of a run of these checks. */
async function exceptions(
  operation: OperationId,
  mangle: Mangling,
  { wanted = () => true, isTurn = () => true }: Partial<Wanted> = {},
): Promise<string[]> {
  await server.use({ make: mangling(operation, mangle, isTurn) })
  const { requirements } = proving.parts
  const plan = planChecks(
    checks.filter(({ id }) => wanted(id)),
    requirements,
  )
  const { findings, errors, ended } = await runInProcess(plan, proving.target, proving.parts, {
    ...settings,
    ...(smoke && { smoke }),
  })
  expect(ended).toBeUndefined()
  expect(findings.length + errors.length).toBeGreaterThanOrEqual(plan.length)
  return errors.map(({ place, message }) => `${place}: ${message}`)
}

interface Wanted {
  wanted(id: string): boolean
  isTurn(at: number): boolean
}

describe('a run ends with findings, and no exception of ours,', () => {
  it.each(cases)('where $id returns: $name ($turn)', { timeout: 60_000 }, async ({ id, name, turn }) => {
    const near: readonly string[] = nearOperation[id]
    const options = { wanted: (each: string) => near.includes(each), isTurn: turns[turn] ?? (() => true) }
    expect(await exceptions(id, manglings[name] ?? ((response) => response), options)).toEqual([])
  })

  // All checks: half a minute each.
  describe.runIf(inFull)('with a third of the responses mangled in any way', () => {
    it.each(ids)('of %s', { timeout: 300_000 }, async (id) => {
      const drawn = fc.sample(fc.constantFrom(...Object.values(manglings)), { seed: 1, numRuns: 997 })
      let at = 0
      const isTurn = (each: number) => each % 3 === 2
      const mangle: Mangling = (response) => drawn[at++ % drawn.length]?.(response) ?? response
      expect(await exceptions(id, mangle, { isTurn })).toEqual([])
    })
  })
})
