import { join } from 'node:path'
import { expect, test } from 'vitest'
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
  [{ tables: [{ number: 1 }], collection: [{ name: 'stamps' }] }, ['tables', 'collection']],
])('records of any other table make one: %j', (content, names) => {
  expect(readShape(content).tables.map(({ name }) => name)).toEqual(names)
})
