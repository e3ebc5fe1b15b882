/**
 * Nothing is left on a server whose ids are short enough to be given again. Only its values show whose such a record is,
 * so a check must leave a value of the run in it, or one that its update is known to have written.
 */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import type { Target } from '../harness/vocabulary/target.ts'
import { exchangeInProcess } from '../proofs/faults/matrix/exchange-in-process.ts'
import { type FaultyServer, startFaultyServer } from '../proofs/faults/matrix/faulty-server.ts'
import { withIds } from '../proofs/variations/combinators/other-ids.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { loadRequirements } from '../spec/requirements.ts'

/** Those that update records in other ways than one request each; `npm run test:full` runs all checks. */
const some = ['batch.url-forms', 'batch.inner-status', 'update.applies']

let server: FaultyServer
beforeEach(async () => {
  server = await startFaultyServer(1)
})
afterEach(() => server.close())

/** Tables whose records anyone may delete. */
const open = ['conf_plain', 'conf_related', 'conf_members']

function addressAlone({ hooks: _hooks, services: _services, ...target }: Target): Target {
  return { ...target, credentials: {} }
}

it.each([
  ['with a superuser', true],
  ['with the address alone', false],
])('nothing is left where ids are whole numbers, %s', { timeout: 600_000 }, async (_, aided) => {
  await server.use({ make: withIds({ make: String }) })
  const requirements = loadRequirements()
  const checks = planChecks(await loadSuites(), requirements, inFull ? {} : { only: some })
  const target = aided ? server.target : addressAlone(server.target)
  const run = await runInProcess(
    checks,
    { ...target, mail: { ...target.mail, quiet: 50, patience: 1_000 } },
    { requirements, exchange: exchangeInProcess(server.fetch) },
    { seed: 1, quick: true, runs: 0.1 },
  )
  expect(run.errors).toEqual([])
  const left = run.session.cleanup.leftovers.all.filter(({ table }) => aided || open.includes(table))
  expect(left.map(({ table, id, reason }) => `${table}/${id}: ${reason}`)).toEqual([])
})
