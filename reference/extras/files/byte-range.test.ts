import { expect, test } from 'vitest'
import { parseRange } from './byte-range.ts'

test.each([
  ['bytes=0-4', { first: 0, last: 4 }],
  ['bytes=6-', { first: 6, last: 10 }],
  ['bytes=-3', { first: 8, last: 10 }],
  ['bytes=-99', { first: 0, last: 10 }],
  ['bytes=0-999', { first: 0, last: 10 }],
  ['BYTES=10-10', { first: 10, last: 10 }],
  ['bytes=11-', 'unsatisfiable'],
  ['bytes=50-60', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['items=0-1', undefined],
])('%s of 11 bytes', (header, range) => {
  expect(parseRange(header, 11)).toEqual(range)
})

test('an empty file has no range', () => {
  expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(parseRange('bytes=-5', 0)).toBe('unsatisfiable')
})
