import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { fc } from '../../test/support/seeded.ts'
import { compilePattern } from './pattern.ts'
import { defaultIdPattern } from './record-id.ts'

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
    ['^\\pL+$', 'Üx', true],
    ['^\\pL+$', 'pL1', false],
    ['^\\PL+$', '12', true],
    ['^[\\pL\\d]+$', 'ß1', true],
    ['^\\p{Greek}+$', 'αβ', true],
    ['^\\p{^Greek}$', 'α', false],
    ['^\\P{^Greek}$', 'α', true],
    ['^\\s$', '\u00a0', false],
    ['^\\s$', '\v', false],
    ['^[\\s]$', '\t', true],
    ['^\\S$', '\u00a0', true],
    ['^[^\\S]$', ' ', true],
    ['^[[:^alpha:]]$', '1', true],
    ['^[[:^alpha:]]$', 'a', false],
    ['^[^[:space:]x]$', 'x', false],
    ['^[\\w-.]+$', 'a-.b', true],
    ['^[\\w-.]+$', 'a/b', false],
    ['^[]a]+$', ']a', true],
    ['^[a-]$', '-', true],
    ['^[+--]$', ',', true],
    ['^\\Qa.b*\\E$', 'a.b*', true],
    ['^\\Qa.b*\\E$', 'axb', false],
    ['^\\@\\_\\/$', '@_/', true],
    ['^\\x41\\x{1F600}\\101$', 'A😀A', true],
    ['^.$', '😀', true],
    ['^.$', '\r', true],
    ['^.$', '\n', false],
    ['(?s)^.$', '\n', true],
    ['(?m)^b$', 'a\nb', true],
    ['(?m)\\Ab', 'a\nb', false],
    ['^a$', 'a\n', false],
    ['^{a}{2}]$', '{a}}]', true],
    ['^a{,2}$', 'a{,2}', true],
    ['(?i)^É$', 'é', true],
    ['^[é-ü😀]+$', 'ö😀', true],
    ['^(a|b)*?c+?$', 'abc', true],
    ['^a(?i)b$', 'aB', true],
    ['^a(?i)b$', 'AB', false],
    ['^(?i:a)b$', 'Ab', true],
    ['^(?i:a)b$', 'AB', false],
    ['(?i)^a(?-i)b$', 'AB', false],
    ['^a(?s:.)b.$', 'a\nbc', true],
    ['^a(?s:.)b.$', 'a\nb\n', false],
    ['(?m:^b$)', 'a\nb\nc', true],
    ['^(?U)a+$', 'aa', true],
    ['^.$', '\ud83d', true],
    ['^..$', '\ude00\ud83d', true],
    ['\ud83d', '😀', false],
    ['\ude00', '😀', false],
    ['a\ud83d', 'a😀', false],
    ['^[😀-😂]{2}$', '😁😂', true],
    ['^\\pL{2}$', '𝔸𝔹', true],
  ])('%j on %j: %s', (pattern, text, matches) => {
    expect(compilePattern(pattern).test(text)).toBe(matches)
  })

  it.each([
    '[',
    '[a',
    '[z-a]',
    '[[:nope:]]',
    '(?=a)',
    '(?<!a)b',
    'a(?z)b',
    '(?P<n>a)(?P<n>b)',
    'a{1001}',
    '(a)\\1',
    '(a',
    'a)',
    '*',
    'a**',
    '\\Z',
    '\\pX',
    '\\p{Nope}',
    '\\e',
    '[\\b]',
    'a\\',
  ])('rejects %j', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(`Invalid regular expression "${pattern}"`)
  })

  it('reports the error and its position', () => {
    expect(() => compilePattern('ab[z-a]')).toThrow(
      'Invalid regular expression "ab[z-a]": invalid character class range: `z-a`',
    )
  })

  it.each([
    ['^(a+)+$', `${'a'.repeat(5000)}!`],
    ['^(\\w+\\s?)*$', `${'ab '.repeat(1600)}!`],
    ['^(a|b|ab)*c$', 'ab'.repeat(2500)],
  ])('takes no longer than the text is long: %j', (pattern, text) => {
    const compiled = compilePattern(pattern)
    const [matches, ms] = timed(() => compiled.test(text))
    expect(matches).toBe(false)
    expectWithin(ms, 1000)
  })

  it.each([
    defaultIdPattern,
    ...[
      '^.+$',
      '^.*$',
      '^[a-z]+$',
      '^[0-9]*$',
      '^[A-Za-z0-9_]{3,40}$',
      '^[a-f0-9-]{8}$',
      '^[A-Z]{2,}$',
      '^[a]{0,3}$',
    ],
  ])('%s needs no library, and means the same', (pattern) => {
    const plain = compilePattern(pattern)
    expect(plain).toBeInstanceOf(RegExp)
    const port = RE2JS.compile(pattern)
    const text = fc.array(fc.constantFrom(...'azAZ09_-\n\r\u2028é😀', '\ud800'), { maxLength: 6 })
    fc.assert(
      fc.property(text, (parts) => {
        expect(plain.test(parts.join(''))).toBe(port.test(parts.join('')))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '^[z-a]+$',
    '^[a-z]+',
    '[a-z]+$',
    '^[a-z]{5,2}$',
    '^[^a]+$',
    '^[a-z]+?$',
    '^[a-z ]+$',
    '^[a-z]{1001}$',
  ])('%s is left to the library', (pattern) => {
    let compiled: unknown
    try {
      compiled = compilePattern(pattern)
    } catch (error) {
      compiled = error
    }
    expect(compiled).not.toBeInstanceOf(RegExp)
  })
})
