import { expect, test } from 'vitest'
import { inferField } from './infer-field.ts'

test.each([
  ['text', 'a', { type: 'text' }],
  ['lists', ['b'], { type: 'json' }],
  ['objects', { c: 1 }, { type: 'json' }],
])('the values of very many rows: %s', (_, value, inferred) => {
  expect(inferField('field', Array(200_000).fill(value), [])).toMatchObject(inferred)
})

test('lists of ids in very many rows', () => {
  const known = [{ name: 'posts', id: 'pbc_posts', ids: new Set(['p1']) }]
  expect(inferField('posts', Array(200_000).fill(['p1', 'p1']), known)).toMatchObject({
    type: 'relation',
    maxSelect: 100,
  })
})

test('room for long text is counted in characters', () => {
  expect(inferField('text', ['😀'.repeat(5000)], [])).toEqual({ name: 'text', type: 'text' })
  expect(inferField('text', ['😀'.repeat(5001)], [])).toMatchObject({ max: 10_002 })
})
