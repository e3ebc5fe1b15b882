/**
 * A violation in an exchange counts even if the check of that requirement could not be run, as on a server with little
 * access.
 */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadRequirements } from '../../spec/requirements.ts'
import { nothingSeen } from '../../suites/shared/every-exchange.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { type EnginePart, type EngineResult, nothingYet, together } from '../engine/engine-result.ts'
import { type InProcessRun, runInProcess } from '../engine/run-in-process.ts'
import { planChecks } from '../planning/plan.ts'
import { loadSuites } from '../planning/suites.ts'
import { createSession } from '../session/create-session.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import type { Target } from '../vocabulary/target.ts'
import { startChecking } from './checking.ts'
import { verdictOf } from './verdict.ts'

const requirements = loadRequirements()
let server: TestServer
/** Responds to every request like this. */
let answer: [number, unknown]
/** Never responds. */
let dead = false

const leaking = {
  page: 1,
  perPage: 1,
  totalItems: 1,
  totalPages: 1,
  items: [{ id: 'a', collectionId: 't', collectionName: 'plain', tokenKey: 'k' }],
}

beforeEach(async () => {
  dead = false
  server = await startTestServer((request, response) => {
    if (dead) return void request.socket.destroy()
    const [status, body] = answer
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
})

afterEach(() => {
  server.close()
})

function targetOf(more: Partial<Target>): Target {
  return {
    baseUrl: server.url,
    binding: {},
    capabilities: {},
    tables: {},
    credentials: {},
    ...more,
  }
}

async function run(
  only: string[],
  target: Partial<Target>,
  readOnly = true,
  body?: CheckBody,
): Promise<InProcessRun & { statuses: Record<string, string>; exitCode: number }> {
  const planned = planChecks(await loadSuites(), requirements, { only })
  const checks = planned.map((check) => (body === undefined ? check : { ...check, body }))
  const result = await runInProcess(checks, targetOf(target), { requirements }, { seed: 3, readOnly })
  const { findings, errors } = result
  const { exitCode } = verdictOf({ findings, errors, claim: target })
  const statuses = Object.fromEntries(findings.map(({ requirement, status }) => [requirement, status]))
  return { ...result, statuses, exitCode }
}

const plain = { plain: { role: 'plain', name: 'plain' } }

it('a read-only run is non-conformant if a list leaks a secret and lacks a field', async () => {
  answer = [200, leaking]
  const { statuses, exitCode, findings } = await run(['prefix.v1', 'wire', 'record'], { tables: plain })
  expect(statuses).toMatchObject({
    'prefix.v1': 'pass',
    'wire.no-secrets': 'fail',
    'record.created': 'fail',
    'wire.json-bodies': 'untestable',
  })
  expect(exitCode).toBe(1)
  const leak = findings.find(({ requirement }) => requirement === 'wire.no-secrets')
  expect(leak).toMatchObject({
    message: 'a response contains a secret (seen before the checks)',
  })
  expect(leak?.replay?.command).toContain('--only wire.no-secrets --seed 3')
  expect(leak?.hint).toBeUndefined()
})

it('a server without our tables is non-conformant if it fails', async () => {
  answer = [500, {}]
  const { statuses, exitCode } = await run(['wire'], { profile: 'standard' }, false)
  expect(statuses).toMatchObject({ 'wire.no-server-error': 'fail', 'wire.no-empty-success': 'untestable' })
  expect(exitCode).toBe(1)
})

it('a read-only run warns of a server that fails, names the request in its summary, and fails none', async () => {
  answer = [500, {}]
  const { findings, errors, statuses } = await run(['wire'], { tables: plain })
  expect(statuses['wire.no-5xx']).toBe('warn')
  const { lines } = verdictOf({ findings, errors })
  expect(lines).toContain(`server error: GET ${server.url}/api/v1/collections/plain/records returned 500`)
})

it('a profile that is not claimed is only observed', async () => {
  answer = [500, {}]
  const { findings, statuses, otherViolations } = await run(['prefix.v1', 'wire.no-server-error'], {
    tables: plain,
  })
  expect(statuses['wire.no-server-error']).toBe('observed')
  expect(findings.find(({ status }) => status === 'observed')?.message).toContain('(seen before the checks)')
  expect(otherViolations.map(({ requirement }) => requirement)).not.toContain('wire.documented-status')
})

it('requirements of a capability that the target lacks are neither counted nor reported', async () => {
  answer = [200, [{}]]
  const broken = async (batch: boolean) => {
    const target = { tables: plain, capabilities: { batch }, profile: 'standard' }
    const send: CheckBody = async ({ api }) => void (await api.batch([]))
    const { statuses } = await run(['prefix.v1', 'batch.entry'], target, false, send)
    const { otherViolations } = await run(['prefix.v1'], target, false, send)
    const reported = otherViolations.some(({ requirement }) => requirement === 'batch.entry')
    return [statuses['batch.entry'], reported]
  }
  expect(await broken(true)).toEqual(['fail', true])
  expect(await broken(false)).toEqual(['not-applicable', false])
})

it('a late finding is reproduced by the check that sent the request, in addition to its own, which may pass', async () => {
  answer = [404, {}]
  const target = { tables: plain, capabilities: { batch: true }, profile: 'standard' }
  const { findings } = await run(['prefix.v1', 'batch.entry'], target, false, async ({ id, api }) => {
    answer = id === 'prefix.v1' ? [200, [{}]] : [404, {}]
    await api.batch([])
  })
  const entry = findings.find(({ requirement }) => requirement === 'batch.entry')
  expect(entry?.message).toContain('(seen in prefix.v1)')
  expect(entry?.replay?.command).toContain('--only batch.entry,prefix.v1 --seed 3')
})

it('a late finding is reproduced in the same way if its own check finds it', async () => {
  const { findings } = await run(
    ['prefix.v1', 'wire.no-secrets'],
    { tables: plain },
    false,
    async (context) => {
      answer = [200, leaking]
      if (context.id === 'prefix.v1') await context.api.list(context.table('plain'))
      else nothingSeen(context)
    },
  )
  expect(findings.at(-1)).toMatchObject({
    requirement: 'wire.no-secrets',
    status: 'fail',
    message: 'a response contains a secret (seen in prefix.v1)',
    seenIn: 'prefix.v1',
    replay: { command: expect.stringContaining('--only wire.no-secrets,prefix.v1 --seed 3') },
  })
})

it('a requirement that was not selected is reported and does not count', async () => {
  answer = [200, leaking]
  const { statuses, exitCode, otherViolations } = await run(['prefix.v1'], { tables: plain })
  expect(statuses).toEqual({ 'prefix.v1': 'pass' })
  expect(exitCode).toBe(0)
  expect(otherViolations.map(({ requirement }) => requirement)).toContain('wire.no-secrets')
  expect(otherViolations[0]?.curl[0]).toContain('curl')
})

/** Two shards: the first is given up early, or reaches all of its checks. */
async function twoShards(ids: string[], target: Partial<Target>, reached: boolean): Promise<EngineResult> {
  const planned = planChecks(await loadSuites(), requirements, { only: ids })
  const parts = await Promise.all(
    (['first', 'second'] as const).map(async (shard): Promise<EnginePart> => {
      const session = createSession(targetOf(target), { requirements }, { seed: 3 })
      try {
        const checking = startChecking(session)
        if (shard === 'second') await session.api('guest').list(plain.plain)
        else if (reached) for (const check of planned) await checking.step(check)
        const elsewhere = new Set(shard === 'second' ? planned.map(({ id }) => id) : [])
        return { ...nothingYet(), ...checking.finish(elsewhere), findings: [...checking.findings.values()] }
      } finally {
        await session.close()
      }
    }),
  )
  return together(parts)
}

it.each<[string, string, [number, unknown], string]>([
  ['fails there', 'wire.no-secrets', [200, leaking], 'fail'],
  ['is observed there, where nobody claims it', 'wire.no-server-error', [500, {}], 'observed'],
])(
  'a violation in one shard that is checked in the other %s, as with one shard',
  async (_, id, said, status) => {
    answer = said
    const one = await run([id], {})
    const two = await twoShards([id], {}, true)
    expect(two.findings).toMatchObject([{ requirement: id, status, message: one.findings[0]?.message }])
    expect(one.statuses).toEqual({ [id]: status })
    expect(two.otherViolations.map(({ requirement }) => requirement)).not.toContain(id)
  },
)

it('a violation in one shard whose check the other never reaches is reported separately, as with one shard', async () => {
  answer = [200, leaking]
  const leak = { requirement: 'wire.no-secrets', message: 'a response contains a secret' }
  expect((await run(['prefix.v1'], { tables: plain })).otherViolations).toContainEqual(
    expect.objectContaining(leak),
  )
  const { findings, otherViolations } = await twoShards(['wire.no-secrets'], {}, false)
  expect(findings).toEqual([])
  expect(otherViolations).toContainEqual(expect.objectContaining(leak))
  answer = [500, {}]
  expect(
    (await twoShards(['wire.no-server-error'], {}, false)).otherViolations.map(
      ({ requirement }) => requirement,
    ),
  ).not.toContain('wire.no-server-error')
})

it('the responses of a restarted server are not judged', async () => {
  const times = { created: '2026-01-01 00:00:00.000Z', updated: '2026-01-01 00:00:00.000Z' }
  answer = [200, { id: 'a', collectionId: 't', collectionName: 'plain', ...times }]
  const hook = await startTestServer((_request, response) => {
    dead = false
    answer = [200, leaking.items[0]]
    response.end('{}')
  })
  const restart = `${hook.url}/`
  let checked = 0
  const dies: CheckBody = async ({ api, table }) => {
    if (checked++ === 0) return
    await api.create(table('plain'), { title: 'x' })
    dead = true
    await api.view(table('plain'), 'a')
  }
  const target = { tables: plain, hooks: { restart }, profile: 'standard' }
  const { statuses, ended } = await run(['wire.no-secrets', 'wire.no-server-error'], target, false, dies)
  hook.close()
  expect(ended).toBe('lost')
  expect(statuses).toEqual({ 'wire.no-secrets': 'pass' })
})
