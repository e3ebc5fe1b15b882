import { expect, it } from 'vitest'
import { figure, markdownTable, median, ratio } from './ratios.ts'

it('takes the middle of several numbers, in any order', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([10, 9])).toBe(10)
  expect(() => median([])).toThrow('An empty list has no median.')
})

it('aligns the columns of a table', () => {
  expect(
    markdownTable(
      ['', 'ours'],
      [
        ['GET one', '16,600'],
        ['list', ''],
      ],
    ),
  ).toBe(
    ['|         |   ours |', '|---------|-------:|', '| GET one | 16,600 |', '| list    |        |'].join(
      '\n',
    ),
  )
})

it('leaves a cell empty if nothing was measured', () => {
  expect([ratio(1, 2), ratio(1, undefined), ratio(undefined, 1)]).toEqual(['0.50', '', ''])
  expect([figure(16_600.4), figure(0.4216), figure(12), figure(undefined)]).toEqual([
    '16,600',
    '0.42',
    '12',
    '',
  ])
})
