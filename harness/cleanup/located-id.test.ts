import { expect, it } from 'vitest'
import { locatedId } from './located-id.ts'

const requested = '/api/v1/collections/notes/records'

it.each([
  ['/api/v1/collections/notes/records/r1', 'r1'],
  ['http://elsewhere.example.com/api/v1/collections/7/records/r1', 'r1'],
  ['./records/r1?new', 'r1'],
  ['records/r%2F1', 'r/1'],
  ['records/r%ZZ', 'r%ZZ'],
  ['/api/v1/collections/notes/records/r1/', 'r1'],
  ['/api/v1/collections/notes/records/r1/versions/1', 'r1'],
  ['/api/v1/collections/notes/records/r1?id=2', 'r1'],
  ['/things/r1', 'r1'],
  ['/things/r1#created', 'r1'],
  ['/notes?id=eq.r1', 'r1'],
  ['/api/v1/collections/notes/records?id=r1', 'r1'],
])('finds the id in %s', (location, id) => {
  expect(locatedId(location, requested)).toBe(id)
})

it.each([
  undefined,
  '',
  '/',
  'http://',
  // Only the table.
  '/notes',
  '/notes?select=title',
  '/notes?id=',
  '/api/v1/collections/notes/records/',
])('finds none in %s', (location) => {
  expect(locatedId(location, requested)).toBeUndefined()
})

it('resolves it against the address of the create', () => {
  expect(locatedId('records/r1', `http://127.0.0.1:8090${requested}`)).toBe('r1')
})
