import { expect, it } from 'vitest'
import type { ExpectationError } from '../../../harness/judging/expect.ts'
import { type Direction, expectOrder } from './expect-order.ts'

const sorted = [-3, 2, 2, 9, 10]

function failure(found: readonly unknown[], direction: Direction): Partial<ExpectationError> {
  try {
    expectOrder(found, sorted, direction, 'the ranks')
  } catch (error) {
    return error as ExpectationError
  }
  return {}
}

it.each<[string, unknown[], Direction]>([
  ['ascending', [-3, 2, 2, 9, 10], 'ascending'],
  ['descending', [10, 9, 2, 2, -3], 'descending'],
])('accepts %s values', (_name, found, direction) => {
  expect(failure(found, direction)).toEqual({})
})

it.each<[string, unknown[], Direction, string]>([
  ['that is not sorted', [2, 10, 9, 2, -3], 'ascending', '10 comes before 9, in places 2 and 3'],
  ['that is sorted the other way', [-3, 2, 2, 9, 10], 'descending', '-3 comes before 2, in places 1 and 2'],
  ['that is sorted as text', [-3, 10, 2, 2, 9], 'ascending', '10 comes before 2, in places 2 and 3'],
])('shows the values as they came, and the first pair, of a list %s', (_name, found, direction, pair) => {
  expect(failure(found, direction)).toMatchObject({
    message: `the ranks are not in ${direction} order: ${pair}`,
    expected: JSON.stringify(direction === 'ascending' ? sorted : sorted.toReversed()),
    received: JSON.stringify(found),
  })
})

it.each<[string, unknown[]]>([
  ['too few', [-3, 2, 9, 10]],
  ['others', [-3, 2, 4, 9, 10]],
  ['one too often', [-3, 2, 9, 9, 10]],
])('compares the values if there are %s', (_name, found) => {
  expect(failure(found, 'ascending').message).toMatch(/^unexpected value for the ranks in ascending order/)
})
