/** Servers on which a record is easily mistaken for this run's. */

import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { CleanupRegistry } from '../cleanup/cleanup-registry.ts'
import { TargetLostError } from '../errors.ts'
import { createSession } from '../session/create-session.ts'
import type { Body } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'
import type { Target } from '../vocabulary/target.ts'
import { uniqueNames } from './scopes.ts'

const plain = { role: 'plain', name: 'plain' }
const unique = uniqueNames('run', 'a.check')
/** Ids and titles of the table, and all requests except GET. */
let records: Map<string, string>
let writes: string[]
let views: number
/** The id of a created record. */
let nextId: () => string
/** The status for a missing record. */
let missing: number
/** Whether the server has views. */
let viewable: boolean
/** The response to a list: its status, and the number of pages that it names. */
let list: { status: number; totalPages: number; totalItems?: number }
let server: TestServer
let session: Session

/** The time of creation. */
let created: string

const shown = (id: string) => ({
  id,
  title: records.get(id),
  created,
  collectionId: 'pbc_1',
  collectionName: 'plain',
})

beforeEach(async () => {
  records = new Map()
  writes = []
  views = 0
  missing = 404
  viewable = true
  created = '2026-01-01 00:00:00.000Z'
  list = { status: 200, totalPages: 1 }
  server = await startTestServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const send = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const { method = '', url = '' } = request
    const id = url.split('?')[0]?.split('/').at(-1) ?? ''
    if (method !== 'GET') writes.push(`${method} ${url}`)
    if (method === 'POST') {
      const made = nextId()
      records.set(made, String((JSON.parse(text) as Body).title))
      return send(200, shown(made))
    }
    if (method === 'PATCH' && records.has(id)) {
      records.set(id, String((JSON.parse(text) as Body).title))
      return send(204)
    }
    if (method === 'DELETE') return send(records.delete(id) ? 204 : 404)
    if (id !== 'records') views += 1
    if (id !== 'records') return viewable && records.has(id) ? send(200, shown(id)) : send(missing, {})
    const items = [...records.keys()].map(shown)
    send(list.status, {
      page: 1,
      perPage: 500,
      totalItems: list.totalItems ?? items.length,
      totalPages: list.totalPages,
      items,
    })
  })
  session = sessionWith({})
})

function sessionWith(
  options: { exclusive?: boolean },
  credentials: Target['credentials'] = { superuser: { token: 't' } },
): Session {
  const made = createSession(
    {
      baseUrl: server.url,
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables: { plain },
      credentials,
    },
    { requirements: new Map() },
    { seed: 1, ...options },
  )
  made.scopes.add(unique('x').slice(2, 8))
  return made
}

afterEach(async () => {
  await session.close()
  await server.close()
})

it.each(['..', '.', '%2e%2e', 'a/../b'])('sends nothing to the id %j', async (id) => {
  nextId = () => id
  const api = session.api('superuser')
  await api.create(plain, { title: unique('title') })
  const path = `/api/v1/collections/plain/records/${id}`
  await expect(api.delete(plain, id)).rejects.toThrow()
  await expect(api.raw({ method: 'PATCH', path, headers: {}, body: '{}' })).rejects.toThrow('another path')
  expect(writes).toEqual([expect.stringContaining('POST')])
})

it.each([307, 401, 502])(
  'treats a record as deleted if its response is that for one that never existed: %i',
  async (status) => {
    missing = status
    nextId = () => 'thing0000000003'
    const api = session.api('superuser')
    await api.create(plain, { title: unique('title') })
    await api.delete(plain, 'thing0000000003')
    await api.update(plain, 'thing0000000003', { title: 'again' })
    expect(writes.at(-1)).toMatch(/^PATCH/)
  },
)

it.each([
  ['7', 'the same', true],
  ['7', 'another', false],
  ['thing0000000003', 'another', true],
])("knows whether a record that is still listed was this run's: id %s, %s time", async (id, time, isOurs) => {
  nextId = () => id
  const api = session.api('superuser')
  await api.create(plain, { title: unique('title') })
  await api.delete(plain, id)
  const listed = { ...shown(id), ...(time === 'another' && { created: '2026-01-01 00:00:00.001Z' }) }
  expect(session.ownership.isUndeleted('plain', id, listed)).toBe(isOurs)
  expect(session.ownership.isUndeleted('plain', 'other', listed)).toBe(false)
})

it('views a record again if its id may be reused', async () => {
  nextId = () => '7'
  const api = session.api('superuser')
  await api.create(plain, { title: unique('title') })
  await api.view(plain, '7')
  records.set('7', 'what another client has made since')
  await expect(api.delete(plain, '7')).rejects.toThrow('contains nothing that the run wrote')
  expect(records.size).toBe(1)
})

it('proves several records with one list, and views those that it does not show as ours', async () => {
  let made = 0
  nextId = () => `thing000000000${made++}`
  const api = session.api('superuser')
  for (let n = 0; n < 4; n += 1) await api.create(plain, { title: unique('title') })
  records.set('thing0000000003', 'what another client has made since')
  const deletes = [0, 1, 2, 3].map((n) => `DELETE /api/v1/collections/plain/records/thing000000000${n}`)
  await session.cleanup.cleanTo(0)
  expect(writes.filter((write) => write.startsWith('DELETE')).sort()).toEqual(deletes.slice(0, 3))
  expect([views, [...records.keys()]]).toEqual([1, ['thing0000000003']])
})

it('does not accept its own id as proof for a record in which it wrote more', async () => {
  const id = 'made0up000000002'
  nextId = () => {
    // Another client deletes the record immediately, and reuses its id.
    setImmediate(() => records.set(id, 'of another client'))
    return id
  }
  const api = session.api('superuser')
  await api.create(plain, { id, title: unique('title') })
  await expect(api.delete(plain, id)).rejects.toThrow('no string in it proves that this run wrote it')
  expect(records.get(id)).toBe('of another client')
})

it('says that a table of the tester may have other fields', async () => {
  session.target = { ...session.target, tables: { plain: { ...plain, existing: true } } }
  const id = 'thing0000000003'
  nextId = () => {
    setImmediate(() => records.set(id, ''))
    return id
  }
  const api = session.api('superuser')
  await api.create(plain, { id, title: unique('title') })
  await expect(api.delete(plain, id)).rejects.toThrow(
    'If plain has the fields of the role "plain" under other names, map them under "fields"',
  )
})

it('recognizes a record whose marks it has replaced itself', async () => {
  nextId = () => '7'
  const api = session.api('superuser')
  await api.create(plain, { title: unique('title') })
  await api.view(plain, '7')
  await api.update(plain, '7', { title: 'no mark' })
  await api.update(plain, '7', { title: 'nor here' })
  expect(records.get('7')).toBe('nor here')
  created = '2026-01-01 00:00:01.000Z'
  await expect(api.delete(plain, '7')).rejects.toThrow('contains nothing that the run wrote')
})

it.each([
  ['its list returned 403', false, { status: 403, totalPages: 1 }],
  ['its list reached no last page: page 2 showed no new record', true, { status: 200, totalPages: 9 }],
  [undefined, false, { status: 200, totalPages: 1 }],
])(
  'reports the table whose list did not show every record: %s',
  async (reason, mayBeAboutPages, response) => {
    records.set('thing0000000001', 'of another client')
    list = response
    nextId = () => 'thing0000000002'
    await session.api('superuser').create(plain, { title: unique('title') })
    expect(session.ownership.prior.unlisted).toEqual(
      reason === undefined ? [] : [{ table: 'plain', reason, mayBeAboutPages }],
    )
  },
)

it.each(['PLAIN', 'pbc_1'])('also recognizes previous records under the name %s', async (name) => {
  records.set('thing0000000001', `${unique('title')} of another run with the same seed`)
  nextId = () => 'thing0000000002'
  const api = session.api('superuser')
  await api.create(plain, { title: unique('title') })
  await api.list(plain)
  await expect(api.delete({ role: '', name }, 'thing0000000001')).rejects.toThrow('existed before the run')
})

it('leaves alone a previous record that now contains a string of this run', async () => {
  const id = 'thing0000000001'
  records.set(id, 'of another client')
  nextId = () => 'thing0000000002'
  const text = unique('title')
  await session.api('superuser').create(plain, { title: text })
  // A create without an id in its response has changed it.
  records.set(id, text)
  const { ownership, scopes } = session
  expect(await ownership.standingOfFound({ table: 'plain', id, marks: [text] }, scopes)).toEqual({
    foreign: 'it existed before the run',
  })
  const killed = new Set(scopes)
  expect(await ownership.standingOfFound({ table: 'plain', id, marks: [text] }, killed)).toBe('ours')
})

it('does not know the fate of a killed run’s record if views and lists are rejected alike', async () => {
  missing = 403
  list = { status: 403, totalPages: 1 }
  const found = { table: 'plain', id: 'thing0000000001', marks: [unique('title')] }
  expect(await session.ownership.standingOfFound(found, new Set(session.scopes))).toEqual({
    unknown: 'a view of it returned 403',
  })
})

it('treats an id as its own only if no response has shown it', async () => {
  const id = 'another00000001'
  records.set(id, 'of another client')
  const api = session.api('superuser')
  await api.view(plain, id)
  expect(session.ownership.isGeneratedId(id)).toBe(false)
  expect(session.ownership.isGeneratedId('made0up000000001')).toBe(true)
})

it('continues reading if the number of pages is for a larger page size', async () => {
  records.set('thing0000000001', 'of another client')
  list = { status: 200, totalPages: 1, totalItems: 9 }
  nextId = () => 'thing0000000002'
  await session.api('superuser').create(plain, { title: unique('title') })
  expect(session.ownership.prior.unlisted).toEqual([
    {
      table: 'plain',
      reason: 'its list reached no last page: page 2 showed no new record',
      mayBeAboutPages: true,
    },
  ])
})

it('deletes nothing with the short cut that a lost target could not prove to be the run’s', async () => {
  const all: string[] = []
  const cleanup = new CleanupRegistry({
    alive: async () => true,
    deleteAll: async (records) => all.push(...records.map(({ id }) => id)),
  })
  const removed: string[] = []
  const add = (id: string, standing: () => Promise<'ours'>) =>
    cleanup.add({
      table: 'plain',
      id,
      standing,
      async remove() {
        removed.push(id)
        return { status: 204, reason: '' }
      },
    })
  add('proven', async () => 'ours')
  add('unproven', async () => {
    throw new TargetLostError()
  })
  await cleanup.cleanTo(0)
  expect([all, removed]).toEqual([['proven'], ['unproven']])
})

it.each([
  [false, 1],
  [true, 0],
])('of a server that no one else uses (%s) costs %i views', async (exclusive, expected) => {
  await session.close()
  session = sessionWith({ exclusive })
  nextId = () => 'r1abcdefghijklm'
  await session.api('superuser').create(plain, { title: unique('title') })
  await session.cleanup.cleanTo(0)
  expect([views, records.size, session.cleanup.leftovers.all]).toEqual([expected, 0, []])
})

it("of a record that was there before is another's, even if no one else uses the server", async () => {
  await session.close()
  session = sessionWith({ exclusive: true })
  records.set('r1abcdefghijklm', 'theirs')
  nextId = () => 'r1abcdefghijklm'
  const creating = session.api('superuser').create(plain, { title: unique('title') })
  await expect(creating).rejects.toThrow('existed before the run')
  await session.cleanup.cleanTo(0)
  expect([...records.keys()]).toEqual(['r1abcdefghijklm'])
})

it('advises a superuser where a record is hidden, and not where the server has no views', async () => {
  const unaided = sessionWith({}, {})
  onTestFinished(() => unaided.close())
  const guest = unaided.api('guest')
  const update = async (id: string) => {
    nextId = () => id
    await guest.create(plain, { title: unique('title') })
    return guest.update(plain, id, { title: unique('other') })
  }
  viewable = false
  await expect(update('hidden000000001')).rejects.toThrow(
    /it is listed, but no view returns it\. With the credentials of a superuser, the run may see more of it$/,
  )
  missing = 405
  await expect(update('unseen000000001')).rejects.toThrow(/: the server rejects every view with 405$/)
})
