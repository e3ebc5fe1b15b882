/**
 * The reference against the living server family: random requests, the same responses. `npm run living -- --random
 * 20000` compares more of them; `CONFORMANCE_SEED` looks elsewhere. If the server is not available, it says so and
 * nothing is run.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LivingServer, livingBinary, startLivingServer } from '../../scripts/living/living-server.ts'
import { randomParts } from '../../scripts/living/random/random-parts.ts'
import { type RandomWorld, startRandomWorld } from '../../scripts/living/random/random-world.ts'

const seed = Number(process.env.CONFORMANCE_SEED ?? 7)
const lists = 2_000
const binary = await livingBinary()
const missing = 'missing' in binary ? binary.missing : undefined
if (missing !== undefined) console.log(`Not run: ${missing}. Set POCKETBASE_BIN or install Go to run this.`)

describe.skipIf(missing !== undefined)('the reference responds as the living family does', () => {
  let server: LivingServer
  let world: RandomWorld

  beforeAll(async () => {
    if ('missing' in binary) return
    server = await startLivingServer(binary.path)
    world = await startRandomWorld(server)
  })
  afterAll(async () => {
    await world?.close()
    await server?.stop()
  })

  it.each(randomParts)('to $name', async ({ share, compare }) => {
    const cases = Math.ceil(lists * share)
    const result = await compare(world, { seed, cases })
    expect(result.difference).toBeUndefined()
    expect(result.cases).toBe(cases)
  })
})
