import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createReference } from '../reference/reference.ts'
import { asDataError, loadData } from './load-data.ts'
import { readShape } from './read-shape.ts'

test('mistakes in a definition are in one line, apart from each other', () => {
  const tables = [
    {
      name: 'posts',
      listRule: 'title = ',
      viewRule: 'nope = 1',
      fields: [{ name: 'title', type: 'text' as const }],
    },
  ]
  let message = ''
  try {
    createReference({ tables })
  } catch (error) {
    message = (asDataError(error, 'data.yaml') as Error).message
  }
  expect(message).toMatch(
    /The definition of table "posts" cannot be used\. Correct these places: listRule: .*; viewRule: \S/,
  )
  expect(message.split('\n')[0]).not.toMatch(/ {2}/)
})

test('all tables and all records with mistakes are named', () => {
  const given = (options: object) => {
    try {
      createReference(options)
    } catch (error) {
      return (asDataError(error, 'data.yaml') as Error).message
    }
    return 'no error'
  }
  const tables = ['posts', 'tags'].map((name) => ({ name, listRule: 'nope = 1' }))
  expect(given({ tables })).toMatch(
    /table "posts" .*: listRule: .*; The definition of table "tags" .*: listRule: /,
  )
  const post = { id: 'id_posts', name: 'posts', fields: [{ name: 'title', type: 'text' }] }
  const note = { name: 'notes', fields: [{ name: 'post', type: 'relation', collectionId: 'id_posts' }] }
  const records = { posts: [{ titel: 'x' }, { title: 'y' }, { text: 'z' }] }
  expect(given({ tables: [post], records })).toMatch(
    /Records cannot be used: Record posts\[0\] .*; Record posts\[2\] /,
  )
  const lost = { notes: [{ post: 'lost' }, {}, { post: 'gone' }] }
  const message = given({ tables: [post, note], records: lost })
  expect(message).toContain('There is no "lost" in "posts".; Record notes[2] does not fit its table: post: ')
  expect(message).toContain('There is no "gone" in "posts"')
  const many = given({ tables: [post], records: { posts: Array(12).fill({ titel: 'x' }) } })
  expect([many.match(/Record posts/g)?.length, many.includes('There are more')]).toEqual([10, true])
})

function dataFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'data.json')
  writeFileSync(file, text)
  return file
}

test('a mistake in the data has its file, and what to read', async () => {
  const file = dataFile('{ "tables": [{ "name": "posts" }], "records": [] }')
  await expect(loadData(file)).rejects.toMatchObject({
    message: expect.stringMatching(/^the data file cannot be used: .*"records"/),
    place: `--data ${file}`,
    next: expect.stringContaining('serve.md'),
  })
})

test('lines that follow a whole sentence are joined to it', () => {
  const error = asDataError(new Error('\nA table is missing.\n  Add it.\n'), 'data.yaml')
  expect((error as Error).message).toMatch(/^the data file cannot be used: A table is missing\. Add it(?!\.)/)
})

test('a mistake in JSON has its place', async () => {
  const file = dataFile('{\n  "tables": [\n    { "name": "posts" },\n  ]\n}')
  const error = await loadData(file).catch((thrown) => thrown)
  expect(error.message).toContain('the data file has a syntax error: expected a value, found ]')
  expect(error.place).toBe(`--data ${file}:4:3`)
})

test('the next step names the page in the package that is installed', () => {
  const error = asDataError(new Error('a.'), 'data.yaml')
  expect(error).toMatchObject({ next: `see "The data file" in ${join('docs', 'serve.md')}` })
})

test.each(['tables.ts', 'tables.mjs'])('%s is a module, and no data file', async (file) => {
  await expect(loadData(join(import.meta.dirname, '../spec', file))).rejects.toThrow(
    'a data file is JSON or YAML, not a module',
  )
})

test.each<[object, string]>([
  [
    { tables: [{ name: 'posts' }], records: { postz: [{ title: 'x' }] } },
    'the data has records of a table "postz", which it does not define. Did you mean "posts"?',
  ],
  [{ tabels: [{ name: 'posts', fields: [] }] }, '"tabels" has table definitions. Did you mean "tables"?'],
])('a misspelled name in %j makes no table', (content, message) => {
  expect(() => readShape(content)).toThrow(message)
})

test.each<[object, string[]]>([
  [{ tables: [{ name: 'posts' }], records: { members: [{ title: 'x' }] } }, ['posts', 'members']],
  [{ tables: [{ name: 'tags' }], records: { logs: [{ title: 'x' }] } }, ['tags', 'logs']],
  [{ tabels: [{ fields: ['a'] }] }, ['tabels']],
  [{ tables: [{ number: 1 }], collection: [{ name: 'stamps' }] }, ['tables', 'collection']],
])('records of any other table make one: %j', (content, names) => {
  expect(readShape(content).tables.map(({ name }) => name)).toEqual(names)
})
