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
  // A day that its month does not have stays as written until a modifier computes with it.
  ['%F %j', '2024-02-30', [], '2024-03-01 061'],
  ['%F %j', '2024-02-30', ['subsec'], '2024-02-30 061'],
  ['%F', '2024-02-30', ['-1 month'], '2024-01-30'],
  ['%F', '2024-02-30', ['start of month'], '2024-02-01'],
  ['%F', '2024-02-30', ['start of day'], '2024-02-30'],
  ['%F', '2024-02-30', ['utc'], '2024-03-01'],
  ['%F', '2024-02-30', ['floor'], '2024-02-29'],
  ['%F', '2024-01-31', ['+1 month', 'floor'], '2024-02-29'],
  ['%F', '2024-01-31', ['+1 month', 'ceiling'], '2024-03-02'],
  ['%F', '2024-02-30 ', ['+0 days'], '2024-03-01'],
  ['%F %T', '2024-01-31 24:30', ['auto'], '2024-01-31 24:30:00'],
  ['%F %T', '2024-01-31 24:30', [], '2024-02-01 24:30:00'],
  ['%F %T', '24:30', ['start of day'], '2000-01-01 00:00:00'],
  ['%F %T', '24:30', ['-0001-01-01 10:30:10.5', '+.5 days'], '1998-12-01 01:59:49'],
  ['%F %T', '01:30+05:00', [], '1999-12-31 20:30:00'],
  ['%F %T', '01:30+05:00', ['start of day'], '2000-01-01 00:00:00'],
  ['%T %f', '2024-02-29 10:11:59.9996', [], '10:11:59 59.999'],
  ['%J', 0, ['+1e2 days', '+10 seconds'], '100.0001157407407'],
  ['%s', '2020-01-01 00:00:00.5', ['subsec'], '1577836800.500'],
  ['%F', '-0001-03-31', [], '-001-03-31'],
  ['%F', '9999-12-31', ['+1 day'], null],
  ['%F', '9999-12-31', ['+1 day', '-1 day'], '9999-12-31'],
  ['%F', 1709200000, ['weekday 1', 'localtime'], '2000-01-01'],
  ['%F', D, ['+6000000 days', '-6000000 days'], null],
  ['%F', D, ['+1 day '], null],
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
])('a long string that is nearly a time is rejected quickly (%#)', (text) => {
  const [year, ms] = timed(() => strftime('%Y', text, [], 0))
  expect(year).toBeNull()
  expectWithin(ms, 2000)
})
