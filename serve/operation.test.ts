import { expect, it } from 'vitest'
import { type ControlBodyKey, checkBody } from './operation.ts'
import { controlOperations } from './operations.ts'

const keys: Record<string, ControlBodyKey> = {
  name: { type: 'string', required: true, says: 'a name' },
  kind: { type: 'string', oneOf: ['one', 'two'], says: 'a kind' },
  tables: { type: 'strings', required: 'end', says: 'tables' },
  count: { type: 'integer', says: 'how many' },
  end: { type: 'any', says: 'instead' },
}

it.each([
  { name: 'x', tables: [] },
  { name: 'x', end: null },
  { name: 'x', tables: ['a'], kind: 'two', count: -3 },
])('accepts %j', (body) => {
  expect(() => checkBody(body, keys)).not.toThrow()
})

it.each<[object, RegExp]>([
  [{ tables: [] }, /^"name" is required and must be a string\.$/],
  [{ name: '', tables: [] }, /^"name" is required/],
  [{ name: 'x' }, /^"tables" or "end" is required\.$/],
  [{ name: 1, tables: [] }, /^"name" must be a string, not 1\.$/],
  [{ name: 'x', tables: ['a', 1] }, /^"tables" must be an array of strings, not \["a",1\]\.$/],
  [{ name: 'x', tables: [], kind: 'three' }, /^"kind" must be one of one, two, not "three"\.$/],
  [{ name: 'x', tables: [], count: 1.5 }, /^"count" must be an integer, not 1\.5\.$/],
  [{ name: 'x', tables: [], nmae: 1 }, /^Unknown key "nmae"\. Did you mean "name"\? Use name, kind, /],
])('rejects %j', (body, message) => {
  expect(() => checkBody(body as Record<string, unknown>, keys)).toThrow(message)
})

it.each(['control', 'console'] as const)(
  'no two operations of the %s have the same method and path',
  (group) => {
    const names = controlOperations
      .filter(({ groups }) => groups.includes(group))
      .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(names.length).toBeGreaterThan(10)
    expect(names).toEqual([...new Set(names)])
  },
)

it('names only keys of the same operation as what a key can be sent instead of', () => {
  const alternatives = controlOperations.flatMap(({ body = {} }) =>
    Object.values(body).flatMap(({ required }) =>
      typeof required === 'string' ? [{ required, keys: Object.keys(body) }] : [],
    ),
  )
  expect(alternatives.length).toBeGreaterThan(0)
  for (const { required, keys } of alternatives) expect(keys).toContain(required)
})
