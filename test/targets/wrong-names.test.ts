/** A target file that names what the server does not have: exit code 2 with the nearest name, and no verdict. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { targetOf } from '../../harness/target/target-file.ts'
import { createReference } from '../../reference/reference.ts'
import { runConformance } from '../support/run-here.ts'
import { type SmallServer, startSmallServer } from '../support/small-server.ts'

let server: SmallServer
beforeAll(async () => {
  server = await startSmallServer()
})
afterAll(() => server.close())

const notes = { name: 'notes', fields: { title: 'title' } }

it.each<[string, object, string, string]>([
  [
    'a table',
    { tables: { plain: { ...notes, name: 'notez' } } },
    'the server has no table "notez" (a list returned status 404)',
    'did you mean "notes"?',
  ],
  [
    'a table that is like none, or hidden from guests',
    { tables: { plain: { ...notes, name: 'x' } } },
    'the server has no table "x" (a list returned status 404)',
    'tables that were found: users, notes; if guests may not see the table, set the credentials of a superuser',
  ],
  [
    'an auth table',
    { tables: { plain: notes, members: { name: 'user' } } },
    'the server has no table "user" (a list returned status 404)',
    'did you mean "users"?',
  ],
  [
    'a table for a role that is closed to guests',
    { tables: { plain: notes, locked: { name: 'usrs' } } },
    'the server has no table "usrs" (a list returned status 404)',
    'did you mean "users"?',
  ],
  [
    'a field',
    { tables: { plain: { name: 'notes', fields: { title: 'titel' } } } },
    'no record of notes has the field "titel"',
    'did you mean "title"?',
  ],
  [
    'a prefix',
    { prefix: '/api', tables: { plain: notes } },
    'no table responds under the prefix /api; notes, users respond under /api/v1',
    'use prefix: /api/v1',
  ],
])('names the mistake in %s', async (_, content, fact, next) => {
  const target = targetOf({ baseUrl: server.url, ...content }, 'the file', {})
  const error = await runConformance({ target, only: ['list.shape'] }).catch((error: unknown) => error)
  expect(error).toMatchObject({ name: 'ConfigurationError', fact, next })
})

/** A server whose records leave out what is empty, or show it as null. */
async function startNotes(empty: 'left out' | 'null'): Promise<SmallServer> {
  const fields = { title: 'A title', site: empty === 'null' ? null : undefined, rank: 3 }
  return startSmallServer({ fields: { ...fields, ...(empty === 'null' && { kind: null }) } })
}

const everything = { name: 'notes', fields: { text: 'title', url: 'site', number: 'rang' } }

it('notes a field that records may leave out because it is empty', async () => {
  const small = await startNotes('left out')
  try {
    const target = targetOf({ baseUrl: small.url, tables: { plain: notes, everything } }, 'the file', {})
    const { findings, smoke } = await runConformance({ target, only: ['list.shape'] })
    expect(findings).toMatchObject([{ status: 'pass' }])
    expect(smoke.notes.filter((note) => note.startsWith('no record'))).toEqual([
      'no record of notes shows the field "rang" (tables.everything.fields.number): either it is empty in all of them, or the name is wrong: did you mean "rank"?',
    ])
  } finally {
    await small.close()
  }
})

it('names the mistake where records show empty fields', async () => {
  const small = await startNotes('null')
  try {
    const target = targetOf({ baseUrl: small.url, tables: { plain: notes, everything } }, 'the file', {})
    const run = runConformance({ target, only: ['list.shape'] })
    await expect(run).rejects.toMatchObject({ fact: 'no record of notes has the field "rang"' })
  } finally {
    await small.close()
  }
})

it('notes a field that is like none', async () => {
  const tables = { plain: { name: 'notes', fields: { title: 'x' } } }
  const target = targetOf({ baseUrl: server.url, tables }, 'the file', {})
  const { smoke } = await runConformance({ target, only: ['list.shape'] })
  expect(smoke.notes).toContain(
    'no record of notes shows the field "x" (tables.plain.fields.title): either it is empty in all of them, or the name is wrong: their fields are slug, title, body, pinned, rating',
  )
})

it('leaves a closed role alone if no table has a similar name', async () => {
  const tables = { plain: notes, locked: { name: 'hidden_from_everyone' } }
  const target = targetOf({ baseUrl: server.url, tables }, 'the file', {})
  const { findings } = await runConformance({ target, only: ['list.shape'] })
  expect(findings).toMatchObject([{ status: 'pass' }])
})

it('leaves a table alone that an account uses: guests may not see that it exists', async () => {
  const plain = { name: 'hidden_from_everyone', fields: { title: 'title' }, as: 'account' }
  const target = targetOf({ baseUrl: server.url, tables: { plain, members: { name: 'users' } } }, 'file', {})
  const { findings } = await runConformance({ target, only: ['list.shape'] })
  expect(findings).toHaveLength(1)
})

it('names the prefix that is right where a wrong one was given with the address', async () => {
  const run = runConformance({ baseUrl: server.url, prefix: '/v3', only: ['list.shape'] })
  await expect(run).rejects.toMatchObject({
    fact: 'no table responds under the prefix /v3; users, notes respond under /api/v1',
    next: 'use --prefix /api/v1, or omit it',
  })
})

it('names a field that an empty table does not have, after one record', async () => {
  const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'text', type: 'text' as const },
  ]
  const reference = createReference({ tables: [{ name: 'posts', fields, ...open }] })
  const { url, close } = await reference.listen()
  try {
    const content = { baseUrl: url, tables: { plain: { name: 'posts', fields: { title: 'titel' } } } }
    const run = runConformance({ target: targetOf(content, 'the file', {}), only: ['record.id'] })
    const fact = 'no record of posts has the field "titel"'
    await expect(run).rejects.toMatchObject({ name: 'ConfigurationError', fact })
    const [left, another] = await reference.records.list('posts')
    expect(another).toBeUndefined()
    const next = `did you mean "title"? The record that showed this is still there, since nothing in it proves that the run created it: posts/${left?.id}`
    await expect(run).rejects.toMatchObject({ next })
  } finally {
    await close()
  }
})

it('looks for the tables that the command names, and says where none can be looked for', async () => {
  const named = await startSmallServer({ names: { notes: 'Zettelkasten', users: 'Leute' } })
  try {
    const tables = ['Zettelkasten', 'Leute']
    const only = ['record.id']
    const { findings } = await runConformance({ baseUrl: named.url, table: tables, only, runs: 0.1 })
    expect(findings).toMatchObject([{ status: 'pass' }])
    const missing = runConformance({ baseUrl: named.url, table: ['Leutes'], only })
    await expect(missing).rejects.toMatchObject({ fact: 'the server has no table "Leutes"' })
    const target = targetOf({ baseUrl: named.url, tables: { plain: notes } }, 'the file', {})
    await expect(runConformance({ target, table: tables, only })).rejects.toMatchObject({
      fact: '--table names tables to look for, and the target has tables of its own',
    })
  } finally {
    await named.close()
  }
})
