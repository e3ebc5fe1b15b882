import { expect, test } from 'vitest'
import { containsPattern, likeMatcher } from './like.ts'

test.each([
  ['Hello World', 'hello', true],
  ['hello world', 'hello%', true],
  ['oh hello', 'hello%', false],
  ['hello', 'H_llo%', true],
  ['hello', 'H_llo', false],
  ['H_llo', 'H_llo', true],
  ['50%', '50\\%', true],
  ['500', '50\\%', false],
  ['a\\b', 'a\\b', true],
  ['a\\b', '\\', true],
  ['É', 'é', false],
  ['anything', '', true],
  ['x', '%', true],
  ['😀x', '_x%', true],
  ['aXbXc', '%x%x%', true],
  ['abc', 'abc\\\\', false],
])('%j contains %j: %s', (text, right, expected) => {
  expect(likeMatcher(containsPattern(right))(text)).toBe(expected)
})

test('a pattern that ends in a lone backslash matches nothing', () => {
  expect(likeMatcher('%\\')('\\')).toBe(false)
})

test('many wildcards stay fast', () => {
  const pattern = `${'%a'.repeat(200)}%b`
  expect(likeMatcher(pattern)('a'.repeat(5000))).toBe(false)
})
