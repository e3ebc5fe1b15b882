/** Updates that give a record another id: the run deletes it under that one. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import { runCheck } from '../judging/run-check.ts'
import { createSession } from '../session/create-session.ts'
import type { Session } from '../vocabulary/session.ts'

const plain = { role: 'plain', name: 'plain' }
const records = new Map<string, Record<string, unknown>>()
/** A record of another client, which every update then returns. */
let foreign: Record<string, unknown> | undefined
let server: TestServer
let session: Session

beforeEach(async () => {
  records.clear()
  foreign = undefined
  server = await startTestServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const [, id = ''] = /records\/(.+)$/.exec(request.url ?? '') ?? []
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const stored = records.get(id)
    if (request.method === 'GET' && id === '') {
      const items = [...records.values()]
      return send(200, { page: 1, perPage: 30, totalItems: items.length, totalPages: 1, items })
    }
    if (request.method !== 'POST' && stored === undefined) return send(404, {})
    if (request.method === 'GET') return send(200, stored)
    if (request.method === 'PATCH' && foreign !== undefined) return send(200, foreign)
    records.delete(id)
    if (request.method === 'DELETE') return response.writeHead(204).end()
    const record = { id: `r${records.size}`, ...stored, ...JSON.parse(text) }
    records.set(record.id, record)
    return send(200, record)
  })
  const target = {
    baseUrl: server.url,
    binding: { prefix: '/api/v1' },
    capabilities: {},
    tables: { plain },
    credentials: {},
  }
  const requirements = new Map([['a.must', madeUpRequirement('a.must')]])
  session = createSession(target, { requirements }, { seed: 5 })
})

afterEach(async () => {
  await session.close()
  server.close()
})

async function move(id: string, changes: Record<string, unknown>): Promise<void> {
  const body = async ({ api, make }: Parameters<Parameters<typeof runCheck>[0]['body']>[0]) => {
    const made = await make(plain)
    await api.update(plain, made.id, { id, ...changes })
  }
  await runCheck({ id: 'a.must', body }, session, { earlier: new Map() })
  await cleanEnd(session)
}

it('deletes the record under its new id', async () => {
  await move('another-id', {})
  expect([...records.keys()]).toEqual([])
  expect(session.cleanup.leftovers.all).toEqual([])
})

it.each([{}, { id: 'another-id' }])(
  'leaves a record of another client alone that the response to an update of %j names',
  async (changes) => {
    const body = async ({ api, make }: Parameters<Parameters<typeof runCheck>[0]['body']>[0]) => {
      const made = await make(plain)
      foreign = { id: 'id-of-another-client', title: 'of another client' }
      records.set('id-of-another-client', foreign)
      await api.update(plain, made.id, { title: 'x', ...changes })
      foreign = undefined
    }
    await runCheck({ id: 'a.must', body }, session, { earlier: new Map() })
    await cleanEnd(session)
    expect([...records.keys()]).toEqual(['id-of-another-client'])
    expect(session.cleanup.leftovers.all).toEqual([])
  },
)

it('reports the record if nothing shows any more whose it is', async () => {
  await move('r7', { title: 'x' })
  expect([...records.keys()]).toEqual(['r7'])
  expect(session.cleanup.leftovers.all).toEqual([])
  expect(session.ownership.foreign).toEqual([
    { table: 'plain', id: 'r7', reason: 'an update of r0 returned this id' },
  ])
})
