import { describe, expect, it } from 'vitest'
import { compareText, like, lowerAscii } from './text.ts'

describe('compareText', () => {
  it('orders by bytes of UTF-8, not by units of UTF-16', () => {
    const sorted = ['', '10', '9', 'A', 'Z', 'a', 'aa', 'é', 'ﾮ', '🐘']
    expect(sorted.toReversed().sort(compareText)).toEqual(sorted)
    expect(['ﾮ', '🐘'].sort()).toEqual(['🐘', 'ﾮ'])
  })
})

describe('lowerAscii', () => {
  it('leaves other letters as they are', () => {
    expect(lowerAscii('ÀBİ')).toBe('Àbİ')
  })
})

describe('like', () => {
  it.each([
    ['hello', 'ELL', true],
    ['hello', 'h_l', false],
    ['h_llo', 'h_l', true],
    ['hello', 'h%', true],
    ['say hello', 'h%', false],
    ['hello', '%o', true],
    ['hello', 'h_llo%', true],
    ['hello', '%l%l%', true],
    ['hello', '%l%l%l%', false],
    ['', '%', true],
    ['', '_%', false],
    ['🐘', '_%', true],
    ['🐘🐘', '__%', true],
    ['🐘', '__%', false],
    ['ÉCOLE', 'é%', false],
    ['anything', '', true],
    ['a\nb', 'a%b', true],
  ])('%j ~ %j is %s', (text, wanted, expected) => {
    expect(like(text, wanted)).toBe(expected)
  })
})
