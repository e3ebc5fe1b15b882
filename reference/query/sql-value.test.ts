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
  [1e15, true, '1.0e+15'],
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

test('a long string that is nearly a number is rejected at once', () => {
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
