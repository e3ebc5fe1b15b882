import { expect, test } from 'vitest'
import { didYouMean, nearest, quoted } from './nearest.ts'

const ids = ['list.page', 'list.per-page', 'list.total-pages', 'batch.order']

test.each([
  ['list.totl-page', 'list.total-pages'],
  ['list.totl', 'list.total-pages'],
  ['LIST.PAGE', 'list.page'],
  ['lst.perpage', 'list.per-page'],
  ['batch.ordre', 'batch.order'],
])('of %s the nearest is %s', (word, expected) => {
  expect(nearest(word, ids)).toBe(expected)
})

test.each([
  ['feilds', 'fields'],
  ['enabeld', 'enabled'],
])('two swapped characters are one mistake: %s', (word, meant) => {
  expect(nearest(word, [meant], 2)).toBe(meant)
})

test('gives no misleading hint', () => {
  expect(nearest('zzzzzzzzzzzz', ids)).toBeUndefined()
  expect(nearest('list.page', [])).toBeUndefined()
  expect(didYouMean('zzzzzzzzzzzz', ids)).toBe('')
  for (const short of ['zz', 'x', 'age']) expect(didYouMean(short, ['id', 'tags'])).toBe('')
  expect(['ib', 'ID', 'tag'].map((short) => nearest(short, ['id', 'tags']))).toEqual(['id', 'id', 'tags'])
})

test('ignores a word that is too long to be a typo, and quotes only its beginning', () => {
  const long = 'list.page'.repeat(100_000)
  expect(nearest(long, ids)).toBeUndefined()
  expect(nearest('list.page', [long])).toBeUndefined()
  expect(quoted(long)).toHaveLength(67)
  expect(quoted('list.page')).toBe('"list.page"')
})

test('formats the hint', () => {
  expect(didYouMean('list.pages', ids)).toBe(' Did you mean "list.page"?')
})
