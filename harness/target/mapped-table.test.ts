import { expect, it } from 'vitest'
import type { TableRef, Target } from '../vocabulary/target.ts'
import { formToTheirs, mappedTable, type ShownAs, toOurs, toTheirs } from './mapped-table.ts'

const table = { role: 'plain', fields: { title: 'text', tags: 'labels' } }

it('sends the names of the target, modifiers with them', () => {
  expect(toTheirs(table, { title: 'a', 'tags+': ['b'], '+tags': ['c'], other: 1 })).toEqual({
    text: 'a',
    'labels+': ['b'],
    '+labels': ['c'],
    other: 1,
  })
  expect(toTheirs({}, { title: 'a' })).toEqual({ title: 'a' })
  expect(toTheirs(table, { constructor: 'a' })).toEqual({ constructor: 'a' })
})

it('maps forms in the same way', () => {
  const form = new FormData()
  form.append('title', 'a')
  form.append('tags', new Blob(['x']), 'x.txt')
  const keys = [...formToTheirs(table, form).keys()]
  expect(keys).toEqual(['text', 'labels'])
})

it.each<[string, unknown, unknown, ShownAs?]>([
  ['a record', { id: '1', text: 'a' }, { id: '1', title: 'a' }],
  ['a record next to a message', { done: 1, record: { text: 'a' } }, { done: 1, record: { title: 'a' } }],
  [
    'a record with fields called items and record',
    { id: '1', text: 'a', items: [{ text: 'b' }], record: { text: 'c' } },
    { id: '1', title: 'a', items: [{ text: 'b' }], record: { text: 'c' } },
  ],
  ['a list', { page: 1, items: [{ text: 'a' }] }, { page: 1, items: [{ title: 'a' }] }, 'list'],
  ['a sign-in', { token: 't', record: { labels: [] } }, { token: 't', record: { tags: [] } }, 'sign-in'],
  ['a record with a field of its own', { text: 'a', title: 'b' }, { title: 'a', 'title (unmapped)': 'b' }],
  [
    'a record with a field that has a meaning in another role',
    { text: 'a', rank: 1 },
    { title: 'a', 'rank (unmapped)': 1 },
  ],
  ['something else', 'text', 'text'],
  ['nothing', undefined, undefined],
])('returns %s with our names', (_, theirs, ours, shown) => {
  expect(toOurs(table, theirs, shown)).toEqual(ours)
})

it('leaves the fields of a table of accounts, and those of tables that a setup made', () => {
  const record = { id: '1', email: 'a@example.com', rank: 2 }
  expect(toOurs({ role: 'members', existing: true }, record)).toEqual(record)
  expect(toOurs({ role: 'plain' }, record)).toEqual(record)
  expect(toOurs({ role: 'plain', existing: true }, record)).toEqual({
    id: '1',
    'email (unmapped)': 'a@example.com',
    'rank (unmapped)': 2,
  })
})

it.each<[string, TableRef[], object]>([
  [
    'that is mapped to other names',
    [
      { role: 'plain', name: 'notes', fields: { title: 'text' } },
      { role: 'child', name: 'notes', fields: { name: 'text', parent: 'book' }, values: { kind: 'a' } },
    ],
    { text: 'a', book: 'b' },
  ],
  [
    'with our names in one of them',
    [
      { role: 'plain', name: 'notes' },
      { role: 'child', name: 'notes', fields: { name: 'title', parent: 'book' } },
    ],
    { title: 'a', book: 'b' },
  ],
])('gives a table with two roles the fields of both: one %s', (_, tables, theirs) => {
  const target = {
    tables: Object.fromEntries(tables.map((table) => [table.role, table])),
  } as unknown as Target
  const table = mappedTable({ target }, 'notes')
  if (table === undefined) throw new Error('no table')
  expect(table.role).toBe('plain')
  expect(toTheirs(table, { name: 'a', parent: 'b' })).toEqual(theirs)
  expect(toOurs(table, theirs)).toEqual({ title: 'a', parent: 'b' })
  expect(table.values).toEqual(tables[1]?.values)
})
