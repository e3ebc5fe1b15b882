/** What killed runs left, according to their journals: deleted if it is still theirs, and never anything else. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { uniqueNames } from '../ownership/scopes.ts'
import { createSession } from '../session/create-session.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Session } from '../vocabulary/session.ts'
import { appendEntry, journalsOf, openJournal, type RecordEntry } from './journal.ts'
import { recoverLeftovers } from './recover-leftovers.ts'

const plain = { role: 'plain', name: 'plain' }
const startedAt = '2026-01-01T00:00:00.000Z'
const records = new Map<string, string>()
let deletes: string[]
/** Called before a delete is executed: the status of its response, if it is rejected. */
let onDelete: (id: string) => number | undefined
/** The status of every list. */
let listed: number
let folder: string
let server: TestServer
let session: Session

beforeEach(async () => {
  records.clear()
  deletes = []
  onDelete = () => undefined
  listed = 200
  folder = mkdtempSync(join(tmpdir(), 'recover-'))
  server = await startTestServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const id = pathname.split('/').at(-1) ?? ''
    const send = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (request.method === 'DELETE') {
      deletes.push(id)
      const rejected = onDelete(id)
      if (rejected !== undefined) return send(rejected, { message: 'it is held' })
      return send(records.delete(id) ? 204 : 404)
    }
    if (id !== 'records') return records.has(id) ? send(200, shown(id)) : send(404, {})
    const filter = searchParams.get('filter')
    const items = [...records.keys()].map(shown).filter(({ title }) => !filter || filter.includes(title))
    send(listed, { page: 1, perPage: 500, totalItems: items.length, totalPages: 1, items })
  })
  session = sessionWith({})
})

afterEach(async () => {
  await session.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const shown = (id: string) => ({
  id,
  title: records.get(id) ?? '',
  created: '2026-01-01 00:00:00.000Z',
  collectionId: 'pbc_1',
  collectionName: 'plain',
})

function sessionWith(options: Partial<SessionOptions>): Session {
  return createSession(
    {
      baseUrl: server.url,
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables: { plain },
      credentials: { superuser: { token: 'superuser-token' } },
    },
    { requirements: new Map([['a.must', madeUpRequirement('a.must')]]) },
    { seed: 1, journal: join(folder, 'own.journal'), ...options },
  )
}

/** The journal of a run that was killed, and the strings that it made unique. */
function killedRun(seed = 7) {
  const { file = '', namespace = '' } = openJournal(server.url, seed, undefined, folder) ?? {}
  const head = JSON.parse(readFileSync(file, 'utf8')) as object
  const old = { ...head, pid: 2 ** 30, startedAt }
  writeFileSync(file, `${JSON.stringify(old)}\n`)
  const unique = uniqueNames(namespace, 'a.must')
  const note = (entry: RecordEntry) => appendEntry(file, entry)
  return {
    file,
    note,
    unique,
    /** A record that it created. On the server it now has this title. @default its own */
    left(id: string, title?: string) {
      const own = unique('title')
      records.set(id, title ?? own)
      note({ event: 'created', table: 'plain', id, marks: [own.slice('title-'.length)] })
    },
  }
}

const recover = (more: { forget?: boolean } = {}) => recoverLeftovers(session, { folder, ...more })

it('deletes what a killed run created, the youngest first, and ends its journal', async () => {
  const { left, file } = killedRun()
  for (const id of ['left0000000001', 'left0000000002']) left(id)
  records.set('other000000001', 'of another client')
  expect(await recover()).toEqual([`a run of ${startedAt} left records behind: 2 of 2 are deleted now`])
  expect(deletes).toEqual(['left0000000002', 'left0000000001'])
  expect([...records.keys()]).toEqual(['other000000001'])
  expect([existsSync(file), session.cleanup.leftovers.all]).toEqual([false, []])
})

it('leaves a record alone if its content no longer comes from the run', async () => {
  const { left, file } = killedRun()
  left('left0000000001', 'what another client has written since')
  left('left0000000002')
  const [note] = await recover()
  expect(note).toContain("1 of 2 are deleted now; 1 are no longer that run's and are left alone")
  expect(deletes).toEqual(['left0000000002'])
  expect([...records.keys()]).toEqual(['left0000000001'])
  expect(session.ownership.foreign).toMatchObject([{ table: 'plain', id: 'left0000000001' }])
  // No later run may delete it either.
  expect(existsSync(file)).toBe(false)
})

it('counts what no longer exists, and sends no delete for it', async () => {
  const { left } = killedRun()
  left('left0000000001')
  records.clear()
  expect(await recover()).toEqual([
    `a run of ${startedAt} left records behind: 0 of 1 are deleted now; 1 no longer exists: a view does not find it`,
  ])
  expect(deletes).toEqual([])
})

it('keeps what it cannot delete in the journal, and nothing else', async () => {
  const { left, file } = killedRun()
  left('left0000000001')
  left('held0000000001')
  onDelete = (id) => (id.startsWith('held') ? 400 : undefined)
  expect((await recover())[0]).toContain(
    '1 of 2 are deleted now; 1 could not be deleted: the delete returned 400: it is held',
  )
  expect(session.cleanup.leftovers.all).toMatchObject([
    { table: 'plain', id: 'held0000000001', reason: 'the delete returned 400: it is held' },
  ])
  expect(journalsOf(server.url, folder)).toMatchObject([{ file, created: [{ id: 'held0000000001' }] }])
})

it('says why it can delete nothing', async () => {
  const { left } = killedRun()
  for (const id of ['held0000000001', 'held0000000002', 'held0000000003']) left(id)
  onDelete = (id) => (id.endsWith('1') ? 403 : 405)
  expect(await recover()).toEqual([
    `a run of ${startedAt} left records behind: none of its 3 records could be deleted: the delete returned 405: it is held (1 for other reasons)`,
  ])
})

it('ends the journal of what it cannot delete if the user wants it forgotten', async () => {
  killedRun().left('held0000000001')
  onDelete = () => 400
  await recover({ forget: true })
  expect(session.cleanup.leftovers.all).toHaveLength(1)
  expect(journalsOf(server.url, folder)).toEqual([])
})

it('finds the record of a create without a response by its text', async () => {
  const { note, unique } = killedRun()
  const value = unique('title')
  records.set('left0000000001', value)
  records.set('other000000001', 'of another client')
  note({ event: 'creating', table: 'plain', field: 'title', value })
  expect((await recover())[0]).toContain('1 of 1 are deleted now')
  expect([...records.keys()]).toEqual(['other000000001'])
  expect(journalsOf(server.url, folder)).toEqual([])
})

it('says that no list shows a record whose create got no response', async () => {
  const { note, unique, file } = killedRun()
  note({ event: 'creating', table: 'plain', field: 'title', value: unique('title') })
  expect(await recover()).toEqual([
    `a run of ${startedAt} saw no response to 1 create; no list shows such a record now, so there is nothing to delete`,
  ])
  expect(existsSync(file)).toBe(false)
})

it('keeps the journal of a create that it cannot search for', async () => {
  const { note, unique, file } = killedRun()
  note({ event: 'creating', table: 'plain', field: 'title', value: unique('title') })
  listed = 403
  expect(await recover()).toEqual([])
  expect(session.cleanup.leftovers.all).toMatchObject([{ table: 'plain', id: 'unknown' }])
  expect(existsSync(file)).toBe(true)
})

it.each([
  [404, 'an earlier setup', []],
  [403, 'an earlier setup', ['conf_old_plain']],
  [403, NO_TABLE, []],
])('a list that returns %i in %s leaves %j open', async (status, name, open) => {
  const { note, unique, file } = killedRun()
  const table = name === NO_TABLE ? name : 'conf_old_plain'
  note({ event: 'creating', table, field: 'title', value: unique('title') })
  listed = status
  await recover()
  expect(session.cleanup.leftovers.all.map((each) => each.table)).toEqual(open)
  expect(existsSync(file)).toBe(open.length > 0)
})

it('revokes no key: nothing proves whose it is', async () => {
  const { note, file } = killedRun()
  note({ event: 'created', table: 'API keys', id: 'k1', marks: [] })
  expect(await recover()).toEqual([
    expect.stringMatching(/left 1 API keys behind; they are not revoked.*: k1$/),
  ])
  expect([session.count.requests, existsSync(file)]).toEqual([0, false])
})

it('touches nothing of a run that lives', async () => {
  const { file = '', namespace = '' } = openJournal(server.url, 7, undefined, folder) ?? {}
  const title = uniqueNames(namespace, 'a.must')('title')
  records.set('live0000000001', title)
  appendEntry(file, { event: 'created', table: 'plain', id: 'live0000000001', marks: [title.slice(6)] })
  expect(await recover()).toEqual([])
  expect([deletes, records.size, existsSync(file)]).toEqual([[], 1, true])
})

it('keeps the journals of all killed runs if the target is lost', async () => {
  const files = [7, 8].map((seed) => {
    const { left, file } = killedRun(seed)
    left(`left000000000${seed}`)
    return file
  })
  server.close()
  expect(await recover()).toEqual([])
  expect([files.map((file) => existsSync(file)), records.size]).toEqual([[true, true], 2])
})

it.each<[string, Partial<SessionOptions>]>([
  ['a read-only run', { readOnly: true }],
  ['a run without a journal', { journal: undefined }],
])('%s sends nothing', async (_, options) => {
  const { left, file } = killedRun()
  left('left0000000001')
  await session.close()
  session = sessionWith(options)
  expect(await recover()).toEqual([])
  expect([session.count.requests, records.size, existsSync(file)]).toEqual([0, 1, true])
})

it('repeats nothing of an earlier run in its own journal', async () => {
  await session.close()
  const { file = '' } = openJournal(server.url, 1, undefined, folder) ?? {}
  session = sessionWith({ journal: file })
  killedRun().left('left0000000001')
  await recover()
  expect(records.size).toBe(0)
  expect(readFileSync(file, 'utf8')).not.toContain('"created"')
})

it('continues if the journal of an earlier run can no longer be written', async () => {
  const { left } = killedRun()
  left('left0000000001')
  left('held0000000001')
  onDelete = (id) => {
    rmSync(folder, { recursive: true, force: true })
    return id.startsWith('held') ? 400 : undefined
  }
  expect(await recover()).toEqual([
    expect.stringContaining('cannot be updated: ENOENT'),
    expect.stringContaining('1 of 2 are deleted now'),
  ])
  expect(session.cleanup.leftovers.all).toMatchObject([{ id: 'held0000000001' }])
})
