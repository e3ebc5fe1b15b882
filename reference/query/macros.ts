/**
 * `@now` and the other names that depend on the clock only. `resolve.ts` looks here before it looks for a field.
 *
 * @module
 */

import type { SqlValue } from '../vocabulary.ts'

const DAY = 86_400_000

/** Values of the macros for the time of the request, in UTC (contract-records 2.6). */
export const macros: ReadonlyMap<string, (now: number) => SqlValue> = new Map<
  string,
  (now: number) => SqlValue
>([
  ['@now', (now) => stamp(now)],
  ['@yesterday', (now) => stamp(now - DAY)],
  ['@tomorrow', (now) => stamp(now + DAY)],
  ['@todayStart', (now) => `${stamp(now).slice(0, 10)} 00:00:00.000Z`],
  ['@todayEnd', (now) => `${stamp(now).slice(0, 10)} 23:59:59.999Z`],
  ['@monthStart', (now) => stamp(Date.UTC(year(now), month(now)))],
  ['@monthEnd', (now) => stamp(Date.UTC(year(now), month(now) + 1) - 1)],
  ['@yearStart', (now) => stamp(Date.UTC(year(now), 0))],
  ['@yearEnd', (now) => stamp(Date.UTC(year(now) + 1, 0) - 1)],
  ['@second', (now) => new Date(now).getUTCSeconds()],
  ['@minute', (now) => new Date(now).getUTCMinutes()],
  ['@hour', (now) => new Date(now).getUTCHours()],
  ['@day', (now) => new Date(now).getUTCDate()],
  ['@month', (now) => month(now) + 1],
  ['@weekday', (now) => new Date(now).getUTCDay()],
  ['@year', year],
])

function year(now: number): number {
  return new Date(now).getUTCFullYear()
}

function month(now: number): number {
  return new Date(now).getUTCMonth()
}

/** `YYYY-MM-DD HH:MM:SS.mmmZ`, the stored form of dates. */
function stamp(time: number): string {
  return new Date(time).toISOString().replace('T', ' ')
}
