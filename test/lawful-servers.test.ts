/**
 * No complete server of another mind is accused: all checks of the document against each of `proofs/variations/servers`, with
 * nothing claimed.
 */

import { describe, expect, it } from 'vitest'
import { lawfulServers } from '../proofs/variations/servers/registry.ts'
import { runServers } from '../proofs/variations/servers/run-servers.ts'
import { inFull } from '../scripts/support/in-full.ts'

/** `npm test` has time for the one that can do the least. */
const names = lawfulServers.map(({ name }) => name).filter((name) => inFull || name === 'minimal')

describe.each(names)('the server "%s"', (name) => {
  it('is accused of nothing, and ends no run', async () => {
    const [row] = await runServers({ filter: name, runs: inFull ? 0.2 : 0.1 })
    expect(row?.errors).toEqual([])
    const accused = (row?.findings ?? []).filter(({ status }) => status === 'fail' || status === 'warn')
    expect(accused.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([])
    expect(row?.exitCode).toBe(0)
  }, 300_000)
})
