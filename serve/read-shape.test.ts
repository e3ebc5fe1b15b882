/** The forms that a data file may have, and what is inferred where definitions are missing. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { createReference } from '../reference/reference.ts'
import { loadTables } from '../spec/tables.ts'
import { inferField } from './infer-field.ts'
import { loadData } from './load-data.ts'
import { readShape } from './read-shape.ts'

const folder = mkdtempSync(join(tmpdir(), 'serve-shape-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const notes = { name: 'notes', fields: [{ name: 'text', type: 'text' }] }

describe('the form of a data file', () => {
  it.each<[string, unknown, string[]]>([
    ['a list of definitions', [notes], ['notes']],
    ['the export of the living family', { collections: [notes] }, ['notes']],
    ['definitions next to their roles', { tables: loadTables().slice(0, 1) }, ['conf_plain']],
    ['definitions and records', { tables: [notes], records: { notes: [{ text: 'a' }] } }, ['notes']],
    ['records alone', { records: { notes: [{ text: 'a' }] } }, ['notes']],
    ['plain rows', { notes: [{ text: 'a' }], keys: [{ door: 1 }] }, ['notes', 'keys']],
    ['a plain table that is called records', { records: [{ album: 'x' }] }, ['records']],
    ['a table without rows', { notes: [] }, ['notes']],
    ['nothing', {}, []],
    [
      'parts that are left blank',
      { tables: [notes], records: null, superusers: null, keys: null },
      ['notes'],
    ],
    ['definitions with blanks of an export', [{ ...notes, fields: null, id: null, oauth2: null }], ['notes']],
  ])('%s', (_name, content, names) => {
    const data = readShape(content)
    expect(data.tables.map(({ name }) => name)).toEqual(names)
    createReference({ tables: data.tables, records: data.records })
  })

  it.each<[string, unknown, RegExp]>([
    [
      'a misspelled key of a superuser',
      { superusers: [{ emial: 'a@example.com', password: 'x' }] },
      /^"superusers\.0" has no "email": "emial" is probably a misspelling of it/,
    ],
    ['a text', 'posts', /must be an array or an object, not a string/],
    [
      'settings that are no object',
      { tables: [notes], settings: [] },
      /"settings" must be an object, not an array/,
    ],
    ['a row among rows', { posts: [{ id: 'a' }, 5] }, /"posts\[1\]" must be a row .*, not a number/],
    [
      'a misspelt key next to an export',
      { collections: [notes], recrods: { notes: [] } },
      /unknown key "recrods"\. Did you mean "records"/,
    ],
    [
      'a misspelt key next to a state',
      { version: 1, tables: [], records: {}, files: {}, memory: [], random: { ids: 0 }, setings: {} },
      /unknown key "setings"\. Did you mean "settings"/,
    ],
    ['a misspelt key', { tabels: {}, records: {} }, /"tabels".*Did you mean "tables"/],
    ['rows that are no list', { posts: { id: 1 } }, /"posts" must be an array of rows, not an object/],
    [
      'a row that is no object',
      { records: { posts: [1] } },
      /^"records\.posts\.0" must be an object; found a number/,
    ],
    ['a definition without a name', { tables: [{ fields: [] }] }, /^Table definition 0 has no "name"/],
    [
      'a superuser without a password',
      { tables: [], superusers: [{ email: 'a@example.com' }] },
      /^"superusers\.0" has no "password"\. Add it/,
    ],
    [
      'a key without actions',
      { tables: [], keys: [{ tables: ['*'] }] },
      /^"keys\.0" has no "actions"\. Add it/,
    ],
    [
      'records that are no object',
      { tables: [notes], records: 5 },
      /^"records" must be an object; found a number/,
    ],
    [
      'two lists of definitions',
      { tables: [notes], collections: [notes] },
      /both "tables" and "collections"/,
    ],
    [
      'an id that is no text',
      [{ ...notes, id: 5 }],
      /^"id" of table "notes" must be a string; found a number/,
    ],
    [
      'a mistake below a role',
      { tables: [{ role: 'plain', definition: { ...notes, listRule: 5 } }] },
      /^"listRule" of table "notes" must be a string; found a number/,
    ],
    [
      'a field that is none',
      [{ ...notes, fields: [null] }],
      /"fields\.0" of table "notes" must be an object; found nothing/,
    ],
    ['an id that no path can hold', { posts: [{ id: 'a/b' }] }, /the id of posts\[0\] is "a\/b"/],
    [
      'a stamp that is no date',
      { posts: [{ created: 'soon' }] },
      /posts\[0\]\.created must be a date, not "soon"/,
    ],
  ])('rejects %s and says where', (_name, content, message) => {
    expect(() => readShape(content)).toThrow(message)
  })

  it('passes on the scope of API keys, which need no name', () => {
    const [scope, name] = [{ tables: ['*'], actions: ['list'] }, 'ci']
    expect(readShape({ tables: [notes], keys: [{ ...scope, name }, scope] }).keys).toEqual([
      { ...scope, name },
      { ...scope, name: '' },
    ])
  })

  it('reads YAML and JSON, and names the file and the next step', async () => {
    writeFileSync(join(folder, 'data.yaml'), 'posts:\n  - title: a\n')
    expect((await loadData(join(folder, 'data.yaml'))).tables).toHaveLength(1)
    writeFileSync(join(folder, 'data.json'), '{"posts":')
    await expect(loadData(join(folder, 'data.json'))).rejects.toThrow(
      /syntax error: expected a value, found its end\n.*data\.json:1:10\n/,
    )
    writeFileSync(join(folder, 'marked.json'), '\ufeff{"posts":[{"title":"a"}]}')
    expect((await loadData(join(folder, 'marked.json'))).tables).toHaveLength(1)
    await expect(loadData(join(folder, 'nowhere.json'))).rejects.toThrow(/cannot be read \(ENOENT\)/)
  })
})

const users = { name: 'users', id: 'pbc_u', ids: new Set(['1', '2', 'abcdefghijklmno']) }

test.each<[string, string, unknown[], string]>([
  ['texts', 'title', ['a', 'b'], 'text'],
  ['numbers', 'n', [1, 2.5, null], 'number'],
  ['booleans', 'done', [true, false], 'bool'],
  ['dates', 'at', ['2024-01-02', '2024-01-02T03:04:05Z', ''], 'date'],
  ['what only looks like a date', 'at', ['2024-99-99'], 'text'],
  ['addresses of mail', 'contact', ['a@example.com'], 'email'],
  ['addresses of the web', 'site', ['https://example.com/a'], 'url'],
  ['points', 'where', [{ lon: 1, lat: 2 }], 'geoPoint'],
  ['objects', 'meta', [{ a: 1 }], 'json'],
  ['lists', 'tags', [['a'], []], 'json'],
  ['mixed values', 'x', [1, 'a'], 'json'],
  ['nothing but null', 'x', [null], 'json'],
  ['nothing', 'x', [], 'text'],
  ['short ids in a field called like the table', 'userId', [1, 2], 'relation'],
  ['short ids in a field called otherwise', 'score', [1, 2], 'number'],
  ['ids that are not there', 'userId', [1, 9], 'number'],
  ['long ids under any name', 'owner', ['abcdefghijklmno'], 'relation'],
  ['lists of ids', 'user_ids', [['1'], ['1', '2']], 'relation'],
])('%s are kept', (_name, field, values, type) => {
  expect(inferField(field, values, [users]).type).toBe(type)
})

test('an empty email makes no account, and only short passwords change the shortest', () => {
  const tablesOf = (...accounts: object[]) => readShape({ members: accounts }).tables
  const ann = { email: 'ann@example.com', password: '8letters' }
  expect(tablesOf(ann, { email: '', password: '8letters' })).toMatchObject([{ type: 'base' }])
  const names = (tables: ReturnType<typeof tablesOf>) => tables[0]?.fields?.map(({ name }) => name)
  expect(tablesOf(ann)).toMatchObject([{ type: 'auth' }])
  expect(names(tablesOf(ann))).not.toContain('password')
  expect(names(tablesOf({ ...ann, password: '7letter' }))).toContain('password')
})

test('no field is inferred for what every account and every record has', () => {
  const account = {
    email: 'ann@example.com',
    emailVisibility: true,
    verified: true,
    tokenKey: 'k'.repeat(30),
  }
  const sent = { password: 'secret123', passwordConfirm: 'secret123', updated: '2020-01-02T03:04:05Z' }
  const { tables, records } = readShape({ members: [{ ...account, ...sent, nick: 'a' }] })
  expect(tables[0]?.fields?.map(({ name }) => name)).toEqual(['nick'])
  expect(records.members).toMatchObject([{ updated: '2020-01-02 03:04:05.000Z' }])
})

test('numbers in a relation become the ids of records, and stay numbers elsewhere', () => {
  const { records } = readShape({ users: [{ id: 1 }], posts: [{ userId: 1, stars: 1, user_ids: [1] }] })
  expect(records.posts).toEqual([{ userId: '1', stars: 1, user_ids: ['1'] }])
})

test('what was inferred takes the rows, expands, and lets people sign in', async () => {
  const { tables, records, inferred } = readShape({
    users: [
      { id: 1, email: 'ann@example.com', password: 'short', username: 'Ann' },
      { id: 2, email: 'bo@example.com', password: 'longer-one', username: 'bo' },
    ],
    posts: [
      { id: 7, title: 'x'.repeat(6000), userId: 2, created: '2020-01-02T03:04:05Z', collectionName: 'old' },
    ],
  })
  expect(inferred).toEqual(['users', 'posts'])
  const reference = createReference({ tables, records })
  const get = async (path: string, init?: RequestInit) =>
    (await reference.fetch(`/api/v1/collections/${path}`, init)).json()
  expect(await get('posts/records/7?expand=userId')).toMatchObject({
    id: '7',
    created: '2020-01-02 03:04:05.000Z',
    userId: '2',
    expand: { userId: { username: 'bo' } },
  })
  const body = JSON.stringify({ identity: 'ann', password: 'short' })
  const headers = { 'content-type': 'application/json' }
  expect(await get('users/auth-with-password', { method: 'POST', headers, body })).toMatchObject({
    record: { id: '1' },
  })
})
