/** What the smoke check says of targets that give it no answer, or no table. */

import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { loadTables } from '../spec/tables.ts'
import { startTestServer } from '../test/support/test-server.ts'
import { createSession } from './session.ts'
import { smokeCheck } from './smoke.ts'
import type { Target } from './vocabulary/target.ts'

/** @param timeout for what is never answered: what is shall have all the time of a busy machine */
async function lookAt(
  answer: RequestListener,
  timeout?: number,
  tables: Target['tables'] = {},
  credentials: Target['credentials'] = {},
) {
  const server = await startTestServer(answer)
  const session = createSession(
    {
      baseUrl: server.url,
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables,
      credentials,
    },
    { requirements: new Map() },
    { seed: 1, ...(timeout === undefined ? {} : { timeout }) },
  )
  try {
    return { smoke: await smokeCheck(session, { creates: true }), tables: session.target.tables }
  } finally {
    await session.close()
    server.close()
  }
}

const smokeOf = async (answer: RequestListener, timeout?: number) => (await lookAt(answer, timeout)).smoke

it('tells a server that does not answer from one that is not there', async () => {
  await expect(smokeOf(() => {}, 100)).rejects.toMatchObject({
    name: 'ConfigurationError',
    fact: 'the target gives no complete answer within 100 ms',
  })
  await expect(smokeOf((request) => request.socket.destroy())).rejects.toMatchObject({
    fact: 'something listens there, but closes the connection without an answer',
  })
})

it('says that a table is missing because the server fails', async () => {
  const { notes, missingTables } = await smokeOf((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  expect(missingTables).toHaveLength(loadTables().length)
  expect(notes.join()).toContain('conf_plain with 500')
})

it('knows of a table that it found the name alone: the server numbers its tables itself', async () => {
  const given = { related: { role: 'related', name: 'theirs', id: 'theirs_1' } }
  const { smoke, tables } = await lookAt(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    },
    undefined,
    given,
  )
  expect(smoke.tables).toMatchObject({ plain: 'found', related: 'given' })
  expect(tables.related).toEqual(given.related)
  for (const [role, table] of Object.entries(tables)) if (role !== 'related') expect(table.id).toBeUndefined()
})

it.each([401, 403])(
  'takes no table for found where guests are sent away from any name, with %i',
  async (status) => {
    const { smoke } = await lookAt((request, response) => {
      const known = /conf_(plain|members)\b/.test(request.url ?? '')
      response.writeHead(known ? 200 : status, { 'content-type': 'application/json' }).end('{}')
    })
    expect(Object.keys(smoke.tables).sort()).toEqual(['members', 'plain'])
  },
)

it.each([
  [400, true],
  [401, false],
  [403, false],
  [404, false],
])('takes a batch of a guest that is answered with %i for: %s', async (status, has) => {
  const { smoke } = await lookAt((request, response) => {
    const batch = request.url === '/api/v1/batch'
    response.writeHead(batch ? status : 404, { 'content-type': 'application/json' }).end('{}')
  })
  expect(smoke.capabilities.batch).toBe(has)
  expect(smoke.notes.some((note) => note.includes('batch'))).toBe(status === 401)
})

it.each([
  ['GET', 401],
  ['GET', 403],
  ['POST', 403],
])('counts a table of theirs as missing where a guest gets %s answered with %i', async (method, status) => {
  const given = {
    plain: { role: 'plain', name: 'notes' },
    related: { role: 'related', name: 'conf_related' },
    locked: { role: 'locked', name: 'secrets' },
  }
  const { smoke } = await lookAt(
    (request, response) => {
      const refused = request.method === method && /notes|conf_related|secrets/.test(request.url ?? '')
      const known = /notes|conf_related|secrets/.test(request.url ?? '')
      response.writeHead(refused ? status : known ? 200 : 404, { 'content-type': 'application/json' })
      response.end('{}')
    },
    undefined,
    given,
  )
  // Ours has our rules, and "locked" is closed to guests.
  expect(Object.keys(smoke.tables).sort()).toEqual(['locked', 'related'])
  expect(smoke.missingTables).toContain('plain')
  expect(smoke.notes.filter((note) => note.includes('closed to guests'))).toEqual([
    expect.stringContaining(
      `notes is closed to guests (${method === 'GET' ? 'list' : 'create'} with ${status})`,
    ),
  ])
})

it.each([
  [true, 'plain', { superuser: { token: 'of-a-superuser' } }],
  [false, 'related', { superuser: { token: 'of-a-superuser' } }],
  [false, 'plain', {}],
] as const)(
  'tells a table that is closed (%s) from a body that is refused: %s',
  async (closed, role, credentials) => {
    const { smoke } = await lookAt(
      (request, response) => {
        const refused =
          request.method === 'POST' &&
          (request.url?.includes('theirs-related') || request.headers.authorization === undefined)
        const known = request.url?.includes('theirs') || request.headers.authorization !== undefined
        response.writeHead(refused ? 400 : known ? 200 : 404, { 'content-type': 'application/json' })
        response.end('{}')
      },
      undefined,
      { [role]: { role, name: `theirs-${role}` } },
      credentials,
    )
    expect(smoke.missingTables.includes(role)).toBe(closed)
  },
)

it('finds a table that guests may not list', async () => {
  const { smoke } = await lookAt((request, response) => {
    const status = /conf_locked\b/.test(request.url ?? '') ? 403 : 404
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  expect(smoke.tables).toEqual({ locked: 'found' })
})
