/**
 * A server whose clock an earlier run moved ahead is a correct server still: `record.created-utc` does not warn of it.
 */

import { afterEach, expect, it } from 'vitest'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import { referenceHooks, roleTables } from '../harness/target/embedded.ts'
import { type Hook, type HookServer, serveHooks } from '../harness/target/hook-server.ts'
import type { Finding } from '../harness/vocabulary/finding.ts'
import type { Listener } from '../reference/http/listen.ts'
import { createReference, type Reference } from '../reference/reference.ts'
import { standardBinding } from '../spec/gaps.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { tableDefinitions } from '../spec/tables.ts'

const id = 'record.created-utc'
const checks = (await loadSuites()).filter((check) => check.id === id)
const superuser = { email: 'root@conformance.example', password: 'moved-clock-password' }

let reference: Reference
let listener: Listener
let server: HookServer | undefined

async function found(clock?: Hook): Promise<Finding | undefined> {
  reference = createReference({ tables: tableDefinitions(), superusers: [superuser], seed: 1 })
  reference.clock.advance(5 * 3_600_000)
  listener = await reference.listen(0)
  server = clock === undefined ? undefined : await serveHooks({ clock })
  const { findings } = await runInProcess(
    checks,
    {
      baseUrl: listener.url,
      profile: 'standard',
      binding: standardBinding(),
      capabilities: {},
      tables: roleTables(),
      credentials: {
        superuser: {
          signIn: { table: '_superusers', identity: superuser.email, password: superuser.password },
        },
      },
      hooks: server?.hooks,
    },
    { requirements: loadRequirements() },
    { seed: 1 },
  )
  return findings.find(({ requirement }) => requirement === id)
}

afterEach(async () => {
  await listener.close()
  await reference.close()
  await server?.close()
})

it('the check passes if the clock reports its time', async () => {
  const { clock } = referenceHooks(() => reference)
  expect(await found(clock)).toMatchObject({ status: 'pass' })
})

it('the check is untestable if the clock can be moved and does not report its time', async () => {
  const silent: Hook = ({ advance }) => void reference.clock.advance(Number(advance) * 1_000)
  expect(await found(silent)).toMatchObject({ status: 'untestable', hint: expect.stringContaining('"now"') })
})

it('the check warns if no one can have moved the clock', async () => {
  expect(await found()).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('unless an earlier run moved that clock ahead'),
    received: expect.stringContaining('Z'),
  })
})
