import { expect, test } from 'vitest'
import { danglingNotice, inferField } from './infer-field.ts'

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

test('one wrong id among others is noticed', () => {
  const known = [{ name: 'users', id: 'pbc_users', ids: new Set(['1', '2']) }]
  const notice = (name: string, values: unknown[]) => danglingNotice('posts', name, values, known)
  expect(notice('userId', [1, 99, null])).toBe(
    'posts.userId looks like a relation to users, but 99 is not an id there: kept as a number.',
  )
  expect(notice('user', [['1', '8'], ['9']])).toBe(
    'posts.user looks like a relation to users, but "8" is not an id there (and 1 other value): kept as text.',
  )
  expect([notice('userId', [99]), notice('size', [1, 99]), notice('userId', [1, 2])]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
