import { describe, expect, test } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { compareUtf8 } from '../store/compare-utf8.ts'
import { numberOf, sqlText } from './sql-value.ts'

test.each([
  [10, true, '10.0'],
  [10, false, '10'],
  [2.5, true, '2.5'],
  [0.1, false, '0.1'],
  [1e21, false, '1.0e+21'],
  [0.00001, false, '1.0e-05'],
  [1e15, true, '1000000000000000.0'],
  [99_999_999_999_999_984, true, '99999999999999984.0'],
  [1e17, true, '1.0e+17'],
  [0.1 + 0.2, false, '0.30000000000000004'],
  [1e16 / 7, false, '1428571428571428.5'],
  [-1.1e-7, false, '-1.1e-07'],
  [Number.MAX_VALUE, false, '1.7976931348623157e+308'],
  [1e15, false, '1000000000000000'],
])('text of %d (literal: %s) is %s', (value, floating, text) => {
  expect(sqlText(value, floating)).toBe(text)
})

test.each([
  ['1', 1],
  [' 2.5 ', 2.5],
  ['1e3', 1000],
  ['.5', 0.5],
  ['5.', 5],
  ['-5.e1', -50],
  ['.', undefined],
  ['1x', undefined],
  ['', undefined],
  ['0x1', undefined],
])('%j reads as %s', (text, value) => {
  expect(numberOf(text)).toBe(value)
})

test('a long string that is nearly a number is rejected quickly', () => {
  const ones = '1'.repeat(1_000_000)
  const [numbers, ms] = timed(() => [numberOf(`${ones}x`), numberOf(`1.${ones}x`)])
  expect(numbers).toEqual([undefined, undefined])
  expectWithin(ms, 2000)
})

describe('compareUtf8', () => {
  test('orders by bytes, as Buffer.compare does, also above U+FFFF', () => {
    const strings = ['', 'A', 'a', 'B', 'é', 'ﬀ', '😀', '\uffff', 'aa', '😀a', '\ue000']
    const byBytes = [...strings].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect([...strings].sort(compareUtf8)).toEqual(byBytes)
  })
})
