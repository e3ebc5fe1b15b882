/** Hooks that know only what their server has: what they reject cannot be judged, and the run goes on. */

import { expect, it } from 'vitest'
import { callHook } from '../../harness/target/call-hook.ts'
import { startEmbedded } from '../../harness/target/embedded.ts'
import { offerHooks } from '../../harness/target/offer-hooks.ts'
import { runConformance } from '../support/run-here.ts'

it('judges what it can where no keys are made for all tables, and none is revoked twice', async () => {
  const { target, close } = await startEmbedded({ seed: 1 })
  const revoked = new Set<unknown>()
  const { hooks, close: stopHooks } = offerHooks({
    createApiKey(input) {
      if ((input.tables as string[]).includes('*')) throw new Error('404 there is no table *')
      return callHook(target, 'createApiKey', input)
    },
    revokeApiKey(input) {
      if (revoked.has(input.id)) throw new Error('404 there is no such key')
      revoked.add(input.id)
      return callHook(target, 'revokeApiKey', input)
    },
  })
  try {
    const only = ['api-key.no-record', 'api-key.revoked']
    const { findings, leftovers } = await runConformance({
      target: { ...target, hooks: { ...target.hooks, ...hooks } },
      only,
    })
    const found = Object.fromEntries(findings.map(({ requirement, ...finding }) => [requirement, finding]))
    expect(found['api-key.revoked']).toMatchObject({ status: 'pass' })
    expect(found['api-key.no-record']).toMatchObject({
      status: 'untestable',
      message:
        'the hook "createApiKey" failed for list, view, create, update, delete on *: 404 there is no table *',
      hint: 'see docs/targets.md for what each hook takes and returns',
    })
    expect(leftovers).toEqual([])
    expect(revoked.size).toBeGreaterThan(0)
  } finally {
    await stopHooks()
    await close()
  }
})
