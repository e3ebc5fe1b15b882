/**
 * The reference against the living server family: random requests, the same responses. `npm run living -- --random
 * 20000` compares more of them; `CONFORMANCE_SEED` looks elsewhere. Where the server cannot be had, this says so and
 * nothing is run.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LivingServer, livingBinary, startLivingServer } from '../../scripts/living/living-server.ts'
import {
  type RandomComparison,
  startRandomComparison,
} from '../../scripts/living/random/random-comparison.ts'

const seed = Number(process.env.CONFORMANCE_SEED ?? 7)
const lists = 2_000
const binary = await livingBinary()
const missing = 'missing' in binary ? binary.missing : undefined
if (missing !== undefined) console.log(`Not run: ${missing}. Set POCKETBASE_BIN or install Go to run this.`)

describe.skipIf(missing !== undefined)('the reference responds as the living family does', () => {
  let server: LivingServer
  let comparison: RandomComparison

  beforeAll(async () => {
    if ('missing' in binary) return
    server = await startLivingServer(binary.path)
    comparison = await startRandomComparison(server)
  })
  afterAll(async () => {
    await comparison?.close()
    await server?.stop()
  })

  it('to random requests of every kind', async () => {
    for (const { name, share, compare } of comparison.parts) {
      const cases = Math.ceil(lists * share)
      const result = await compare({ seed, cases })
      expect(result.difference, name).toBeUndefined()
      expect(result.cases, name).toBe(cases)
    }
  })
})
