import { expect, it } from 'vitest'
import { formToTheirs, toOurs, toTheirs } from './mapped-table.ts'

const table = { fields: { title: 'text', tags: 'labels' } }

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

it.each<[string, unknown, unknown]>([
  ['a record', { id: '1', text: 'a' }, { id: '1', title: 'a' }],
  ['a list', { page: 1, items: [{ text: 'a' }] }, { page: 1, items: [{ title: 'a' }] }],
  ['a sign-in', { token: 't', record: { labels: [] } }, { token: 't', record: { tags: [] } }],
  ['something else', 'text', 'text'],
  ['nothing', undefined, undefined],
])('returns %s with our names', (_, theirs, ours) => {
  expect(toOurs(table, theirs)).toEqual(ours)
})
