import { expect, test } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { MOMENT } from '../../test/query/small-world.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { macros } from './macros.ts'
import { strftime } from './strftime.ts'

const D = '2024-02-29 12:34:56.789Z'

test.each<[string, string | number | null, string[], string | null]>([
  ['%Y-%m-%d %H:%M:%S', D, [], '2024-02-29 12:34:56'],
  ['%f %j %W %U %w %u %%', D, [], '56.789 060 09 08 4 4 %'],
  ['%G %g %V', '2019-12-30', [], '2020 20 01'],
  ['%e|%k|%l|%I|%p|%P', '2021-03-04 01:00', [], ' 4| 1| 1|01|AM|am'],
  ['%F %T %R', D, [], '2024-02-29 12:34:56 12:34'],
  ['%s %J', '2020-01-01', [], '1577836800 2458849.5'],
  ['%F', D, ['+1 year'], '2025-03-01'],
  ['%F', D, ['start of month', '+1 month', '-1 day'], '2024-02-29'],
  ['%F', D, ['weekday 0'], '2024-03-03'],
  ['%F', D, ['start of year'], '2024-01-01'],
  ['%F %T', D, ['+1.5 days'], '2024-03-02 00:34:56'],
  ['%T', D, ['+01:30'], '14:04:56'],
  ['%F', D, ['-0001-01-01'], '2023-01-28'],
  ['%F', 0, ['unixepoch'], '1970-01-01'],
  ['%F', 2458849.5, [], '2020-01-01'],
  ['%H', '2020-01-01T10:00:00+02:00', [], '08'],
  ['%F', '12:00', [], '2000-01-01'],
  ['%F', '2020-02-30', [], '2020-03-01'],
  ['%F %T', 'now', [], '2026-03-04 05:06:07'],
  ['%F', D, ['bad'], null],
  ['%q', D, [], null],
  ['%F', 'garbage', [], null],
  ['%F', '', [], null],
  ['%F', null, [], null],
])('strftime(%j, %j, %j) is %j', (format, value, modifiers, expected) => {
  expect(strftime(format, value, modifiers, MOMENT)).toBe(expected)
})

test.each([
  ['@now', '2026-03-04 05:06:07.089Z'],
  ['@yesterday', '2026-03-03 05:06:07.089Z'],
  ['@tomorrow', '2026-03-05 05:06:07.089Z'],
  ['@todayStart', '2026-03-04 00:00:00.000Z'],
  ['@todayEnd', '2026-03-04 23:59:59.999Z'],
  ['@monthStart', '2026-03-01 00:00:00.000Z'],
  ['@monthEnd', '2026-03-31 23:59:59.999Z'],
  ['@yearStart', '2026-01-01 00:00:00.000Z'],
  ['@yearEnd', '2026-12-31 23:59:59.999Z'],
  ['@second', 7],
  ['@minute', 6],
  ['@hour', 5],
  ['@day', 4],
  ['@month', 3],
  ['@weekday', 3],
  ['@year', 2026],
])('%s is %j', (name, expected) => {
  expect(macros.get(name)?.(MOMENT)).toBe(expected)
})

test.each([
  `${'1'.repeat(1_000_000)}x`,
  `1.${'1'.repeat(1_000_000)}x`,
  `2020-01-01${' '.repeat(1_000_000)}x`,
  `2020-01-01${'T'.repeat(500_000)}${'\n'.repeat(500_000)}x`,
  `2020-01-01 10:00${' '.repeat(1_000_000)}x`,
  `10:00${' '.repeat(1_000_000)}x`,
])('a long string that is nearly a time is rejected at once (%#)', (text) => {
  const [year, ms] = timed(() => strftime('%Y', text, [], 0))
  expect(year).toBeNull()
  expectWithin(ms, 2000)
})
