/**
 * No complete server of another mind is accused: all checks of the document against each of `proofs/variations/servers`, with
 * nothing claimed.
 */

import { describe, expect, it } from 'vitest'
import { lawfulServers } from '../proofs/variations/servers/registry.ts'
import { runServers } from '../proofs/variations/servers/run-servers.ts'
import { inFull } from '../scripts/support/in-full.ts'

/** Minutes; `npm test` has test/independent.test.ts. */
const names = lawfulServers.map(({ name }) => name)

describe.runIf(inFull).each(names)('the server "%s"', (name) => {
  it('is accused of nothing, and ends no run', async () => {
    const [row] = await runServers({ texts: [name], runs: 0.2 })
    expect(row?.errors).toEqual([])
    const accused = (row?.findings ?? []).filter(({ status }) => status === 'fail' || status === 'warn')
    expect(accused.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([])
    expect(row?.exitCode).toBe(0)
  }, 300_000)
})
