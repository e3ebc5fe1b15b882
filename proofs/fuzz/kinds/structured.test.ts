/** The fuzzer detects each kind of misbehavior of a server that is wrong on purpose. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inFull } from '../../../scripts/support/in-full.ts'
import { createTroubleLog, inProcessTarget } from '../targets/in-process.ts'
import type {
  FuzzedRequest,
  FuzzFailure,
  FuzzRequest,
  FuzzSession,
  FuzzTarget,
  ReceivedResponse,
  Report,
} from '../vocabulary.ts'
import { createWorld, type FuzzWorld } from '../world/world.ts'
import { runRounds } from './rounds.ts'
import { structuredRunner } from './structured.ts'

const log = createTroubleLog()
const folder = mkdtempSync(join(tmpdir(), 'fuzz-test-'))
let world: FuzzWorld
beforeAll(async () => {
  world = await createWorld(log.add)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const list: FuzzRequest = {
  operation: 'listRecords',
  method: 'GET',
  path: '/api/v1/collections/conf_plain/records',
  headers: [],
}
const create: FuzzRequest = {
  operation: 'createRecord',
  method: 'POST',
  path: '/api/v1/collections/conf_plain/records',
  headers: [['content-type', 'application/json']],
  body: { text: '{"title":7e999}' },
}
const requests = fc.array(fc.constantFrom(list, create), { minLength: 1, maxLength: 6 })

type Defect = (
  response: ReceivedResponse,
  sent: FuzzedRequest,
  session: FuzzSession,
) => ReceivedResponse | Promise<ReceivedResponse>

/** The reference with a defect in what it sends. */
function faulty(defect: Defect): FuzzTarget {
  const target = inProcessTarget(world.reference, log)
  return {
    close: async () => {},
    async start() {
      const session = await target.start()
      return { ...session, send: async (sent) => defect(await session.send(sent), sent, session) }
    },
  }
}

async function found(defect: Defect): Promise<FuzzFailure[]> {
  const failures: FuzzFailure[] = []
  const job = {
    kind: 'in-process',
    seed: 1,
    round: 0,
    inputs: inFull ? 400 : 200,
    time: Number.MAX_SAFE_INTEGER,
  } as const
  const report = (what: Report) => what.type === 'failure' && failures.push(what.failure)
  const runner = structuredRunner(faulty(defect), world, requests)
  await runRounds({ ...job, known: [], positionFile: join(folder, 'position') }, [runner], report)
  return failures
}

it('finds nothing in a server without a defect', async () => {
  expect(await found((response) => response)).toEqual([])
})

it.each<[string, Defect]>([
  ['5xx', (response, { method }) => (method === 'POST' ? { ...response, status: 500 } : response)],
  ['disagreement', (response) => ({ ...response, headers: {} })],
  ['block', (response, { method }) => ({ ...response, cpu: method === 'POST' ? 400 : 1 })],
  [
    'leak',
    (response, { method }) => {
      if (method !== 'POST') return response
      const [secret = ''] = world.secrets.ofAll.source.split('|')
      return { ...response, body: Buffer.from(JSON.stringify({ secret })) }
    },
  ],
  [
    'crash',
    (response, { method }) => {
      if (method === 'POST') log.add(new Error('nobody caught this'))
      return response
    },
  ],
  [
    'changed',
    async (response, { method }, session) => {
      if (method !== 'POST') return response
      const headers = { 'content-type': 'application/json' }
      const body = Buffer.from('{"title":"a trace"}')
      await session.send({ method, path: list.path, headers, body })
      const rejected = Buffer.from('{"status":400,"message":"No.","data":{}}')
      return { ...response, status: 400, body: rejected }
    },
  ],
])('finds %s, and shrinks it to one request', async (name, defect) => {
  const [failure, ...more] = await found(defect)
  expect(more).toEqual([])
  expect(failure?.class).toBe(name)
  expect(failure?.shown).toHaveLength(1)
  expect(failure?.replay).toMatch(/^in-process:1:\d+:[\d:]+$/)
})

it('a request that is slow once is not reported', async () => {
  let slow = 1
  const once: Defect = (response) => ({ ...response, cpu: slow-- > 0 ? 400 : 1 })
  expect(await found(once)).toEqual([])
})
