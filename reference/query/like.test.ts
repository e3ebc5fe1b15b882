import { expect, test } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
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

/** The same by backtracking through code points: slow and simple. A to Z match in either case, other letters do not. */
function naive(text: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return text.length === 0
  if (first === '%') return naive(text, rest) || (text.length > 0 && naive(text.slice(1), pattern))
  return text.length > 0 && (first === '_' || first === lower(text[0])) && naive(text.slice(1), rest)
}

const lower = (char = '') => (/[A-Z]/.test(char) ? char.toLowerCase() : char)

test('matches as a plain matcher does, whatever the text and the pattern', () => {
  // The Kelvin sign and the long s are letters whose other case is K and S.
  const chars = fc.constantFrom(
    'a',
    'K',
    'k',
    's',
    '.',
    'é',
    'É',
    '\u212a',
    '\u017f',
    '\u{1f418}',
    '\u{1f419}',
  )
  const strings = fc.array(chars, { maxLength: 8 })
  const patterns = fc.array(fc.oneof(chars, fc.constantFrom('%', '_')), { maxLength: 7 })
  const substrings = fc.array(chars, { minLength: 1, maxLength: 3 }).map((found) => ['%', ...found, '%'])
  fc.assert(
    fc.property(strings, fc.oneof(patterns, substrings), (text, pattern) => {
      expect(likeMatcher(pattern.join(''))(text.join(''))).toBe(naive(text, pattern.map(lower)))
    }),
    { numRuns: 2000 },
  )
})

test('reports the cost of `_`, and nothing if a search is enough', () => {
  const text = 'a'.repeat(100_000)
  const stepsOf = (pattern: string) => {
    let steps = 0
    likeMatcher(pattern)(text, (more) => {
      steps += more
    })
    return steps
  }
  expect(stepsOf(`%${'a'.repeat(1000)}b%`)).toBe(0)
  expect(stepsOf(`%${'a%'.repeat(1000)}b%`)).toBe(0)
  expect(stepsOf(`%${'a_'.repeat(50)}b%`)).toBeGreaterThan(100_000)
})
