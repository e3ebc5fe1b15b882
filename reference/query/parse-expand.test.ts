import { expect, test } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { leavesOf } from '../../test/query/leaves.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { parseExpand } from './parse-expand.ts'

test.each<[string, string[]]>([
  ['', []],
  ['a', ['a']],
  [' a . b , c ', ['a.b', 'c']],
  ['..a.b..,.', ['a.b']],
  ['a,a.b,a', ['a.b']],
  ['a.b,a', ['a.b']],
  ['a,ab', ['a', 'ab']],
  ['a..b', ['a..b']],
  ['a.b.c.d.e.f.g,a.b.c.d.e.f.h', ['a.b.c.d.e.f']],
  ['a.b.c.d.e,a.b.c.d.e.f.g', ['a.b.c.d.e.f']],
])('the paths of %j', (text, paths) => {
  expect(leavesOf(parseExpand(text)).map((path) => path.join('.'))).toEqual(paths)
})

test.each([
  `${'.'.repeat(500_000)}a${'.'.repeat(500_000)}b`,
  'a.'.repeat(500_000),
  Array.from({ length: 100_000 }, (_, at) => `a.${at}`).join(','),
])('the paths of a megabyte are read quickly (%#)', (text) => {
  const [, ms] = timed(() => parseExpand(text))
  expectWithin(ms, 2000)
})
