/** A run does not wait for emails that a correct server has no reason to send: each such wait takes seconds. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import { callHook } from '../harness/target/call-hook.ts'
import { type HookServer, serveHooks } from '../harness/target/hook-server.ts'
import { exchangeInProcess } from '../proofs/faults/matrix/exchange-in-process.ts'
import { type FaultyServer, startFaultyServer } from '../proofs/faults/matrix/faulty-server.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { loadRequirements } from '../spec/requirements.ts'

/** Those that send right proofs and are rejected, or ask twice; `npm run test:full` runs all that need emails. */
const some = ['verification.confirms', 'derived.auth-with-otp', 'derived.confirm-verification']
/** Milliseconds that a run waits for an email that must come. No machine is so slow that it waits as long for any other. */
const patience = 600_000
const enough = 30_000

const vain: unknown[] = []
let server: FaultyServer
let mailbox: HookServer

beforeAll(async () => {
  server = await startFaultyServer(1)
  mailbox = await serveHooks({
    async mailbox(input) {
      const wait = Math.min(Number(input.wait), enough)
      const emails = (await callHook(server.target, 'mailbox', { ...input, wait })) as { mails: unknown[] }
      if (input.wait === patience && emails.mails.length === 0) vain.push(input)
      return emails
    },
  })
})
afterAll(async () => {
  await mailbox.close()
  await server.close()
})

it('waits for no email that does not come', { timeout: 600_000 }, async () => {
  const requirements = loadRequirements()
  const needsMail = [...requirements.values()].filter(({ needs }) => needs.includes('capability:mail'))
  const only = inFull ? needsMail.map(({ id }) => id) : some
  const run = await runInProcess(
    planChecks(await loadSuites(), requirements, { only }),
    { ...server.target, mail: { patience }, hooks: { ...server.target.hooks, ...mailbox.hooks } },
    { requirements, exchange: exchangeInProcess(server.fetch) },
    { seed: 1, runs: 0.1, checkTimeout: 300_000 },
  )
  expect(run.findings.filter(({ status }) => status === 'fail')).toEqual([])
  expect(run.findings.filter(({ status }) => status === 'pass').length).toBeGreaterThanOrEqual(some.length)
  expect(vain).toEqual([])
})
