import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { fc } from '../../test/support/seeded.ts'
import { createPaint } from './paint.ts'
import { wrapped } from './wrapped.ts'

it.each([
  ['short', 40, ['short']],
  ['  expected  one two three', 20, ['  expected  one two', '    three']],
  ['  ✗ list.shape  the list has no page', 20, ['  ✗ list.shape  the', '    list has no page']],
  [
    '    expected  a response of the operation, in one of the statuses that it has',
    60,
    ['    expected  a response of the operation, in one of the', '              statuses that it has'],
  ],
  ['    $ curl -sS http://127.0.0.1:8090/api', 20, ['    $ curl -sS http://127.0.0.1:8090/api']],
  ['    replay    npx conformance --seed 7', 20, ['    replay    npx conformance --seed 7']],
  ['  about http://127.0.0.1:8090/a-long-path', 20, ['  about', '    http://127.0.0.1:8090/a-long-path']],
  ['  next    conformance doctor --target x.yaml', 20, ['  next    conformance doctor --target x.yaml']],
  ['  npx conformance --only list.shape', 20, ['  npx conformance --only list.shape']],
  ['  page        https://example.com/a#list.shape', 20, ['  page        https://example.com/a#list.shape']],
  ['    < {"title":"one two","body":"three four"}', 20, ['    < {"title":"one two","body":"three four"}']],
  [
    '  received  {"a": "one two three", "b": "four \\" five"}',
    20,
    ['  received  {"a":', '    "one two three",', '    "b":', '    "four \\" five"}'],
  ],
  [
    '  then run `conformance doctor --forget` to stop listing them',
    20,
    ['  then run', '    `conformance doctor --forget`', '    to stop listing', '    them'],
  ],
  [
    '    received  ["mango-0wmpz1000","apple-0wmpz1001","zebra-0wmpz1002"] in all',
    60,
    ['    received  ["mango-0wmpz1000","apple-0wmpz1001","zebra-0wmpz1002"]', '              in all'],
  ],
  ['  a size of 3" is too small for it', 20, ['  a size of 3" is', '    too small for it']],
])('%j in %i columns', (line, columns, lines) => {
  expect(wrapped(line, columns)).toEqual(lines)
})

it('keeps every word, in lines that fit', () => {
  const words = fc.array(fc.stringMatching(/^[a-z.]{1,12}$/), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(words, fc.integer({ min: 24, max: 120 }), (all, columns) => {
      const lines = wrapped(`    ${all.join(' ')}`, columns)
      expect(lines.every((line) => line.length <= columns)).toBe(true)
      expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual(all)
    }),
  )
})

it('does not count colors', () => {
  const paint = createPaint(true)
  const [first, ...others] = wrapped(`  ${paint.red('one')} ${paint.dim('two three four')}`, 12)
  expect(stripVTControlCharacters(first ?? '')).toBe('  one two')
  expect(others.map(stripVTControlCharacters)).toEqual(['    three', '    four'])
})

it('a long line of quotation marks without an end is wrapped quickly', () => {
  const [, ms] = timed(() => wrapped('\\"'.repeat(20_000), 80))
  expectWithin(ms, 1_000)
})
