import { describe, expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'

describe('compilePattern', () => {
  it.each([
    ['b', 'abc', true],
    ['^[a-z]+$', 'abc', true],
    ['^[a-z]+$', 'aBc', false],
    ['(?i)^abc$', 'ABC', true],
    ['\\A[[:digit:]]+\\z', '123', true],
    ['(?P<year>\\d+)', 'y2020', true],
    ['^\\p{Lu}$', 'Ü', true],
    ['^a\\-b$', 'a-b', true],
  ])('%j on %j: %s', (pattern, text, matches) => {
    expect(compilePattern(pattern).test(text)).toBe(matches)
  })

  it.each(['[', '(?=a)', '(?<!a)b', '(a)\\1', '*'])('refuses %j', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(`Invalid regular expression "${pattern}"`)
  })
})
