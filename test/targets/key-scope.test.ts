/** The scope of a key shows without a table whose records have owners. */

import { expect, it } from 'vitest'
import { callHook } from '../../harness/target/call-hook.ts'
import { startEmbedded } from '../../harness/target/embedded.ts'
import { offerHooks } from '../../harness/target/offer-hooks.ts'
import { runConformance } from '../support/run-here.ts'

it.each([
  ['ignores the tables of its keys', 'fail', { tables: '*' }],
  ['has keys for tables', 'pass', {}],
] as const)(
  'without owned records, finds whether a server %s',
  async (_, status, { tables }: { tables?: string }) => {
    const { target, close } = await startEmbedded({ seed: 1 })
    const { hooks, close: stopHooks } = offerHooks({
      createApiKey: (input) =>
        callHook(target, 'createApiKey', { ...input, ...(tables !== undefined && { tables: [tables] }) }),
    })
    const { owned: _owned, plain: _plain, ...others } = target.tables
    try {
      const { findings } = await runConformance({
        target: { ...target, tables: others, hooks: { ...target.hooks, ...hooks } },
        only: ['api-key.table-scope'],
      })
      expect(findings).toMatchObject([{ status }])
    } finally {
      await stopHooks()
      await close()
    }
  },
)
