import { sqliteTime } from './sqlite-time.ts'

const DAY = 86_400_000
const JULIAN_EPOCH = 2_440_587.5

/**
 * Formats a time with the conversions of SQLite's `strftime` (contract-records 2.7).
 *
 * @param value an ISO-like string, a Julian day number, or `now`; null returns null
 * @param now milliseconds since the epoch, for `now`.
 * @returns null if the value, a modifier or a conversion is invalid
 */
export function strftime(
  format: string,
  value: string | number | null,
  modifiers: readonly string[],
  now: number,
): string | null {
  if (value === null) return null
  const time = sqliteTime(value, modifiers, now)
  if (time === undefined) return null
  let text = ''
  for (let at = 0; at < format.length; at += 1) {
    const char = format.charAt(at)
    if (char !== '%') {
      text += char
      continue
    }
    at += 1
    const part = conversions[format.charAt(at)]
    if (part === undefined) return null
    text += part(new Date(time))
  }
  return text
}

const conversions: Record<string, (date: Date) => string> = {
  d: (date) => pad(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2),
  f: (date) => `${pad(date.getUTCSeconds())}.${pad(date.getUTCMilliseconds(), 3)}`,
  F: (date) => `${year(date)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`,
  G: (date) => pad(isoWeek(date).year, 4),
  g: (date) => pad(isoWeek(date).year % 100),
  H: (date) => pad(date.getUTCHours()),
  I: (date) => pad(hour12(date)),
  j: (date) => pad(dayOfYear(date) + 1, 3),
  J: (date) => String(Number((JULIAN_EPOCH + date.getTime() / DAY).toPrecision(16))),
  k: (date) => String(date.getUTCHours()).padStart(2),
  l: (date) => String(hour12(date)).padStart(2),
  m: (date) => pad(date.getUTCMonth() + 1),
  M: (date) => pad(date.getUTCMinutes()),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  R: (date) => `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}`,
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  S: (date) => pad(date.getUTCSeconds()),
  T: (date) => `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`,
  u: (date) => String(date.getUTCDay() || 7),
  U: (date) => pad(Math.floor((dayOfYear(date) + 7 - date.getUTCDay()) / 7)),
  V: (date) => pad(isoWeek(date).week),
  w: (date) => String(date.getUTCDay()),
  W: (date) => pad(Math.floor((dayOfYear(date) + 7 - ((date.getUTCDay() + 6) % 7)) / 7)),
  Y: year,
  '%': () => '%',
}

function year(date: Date): string {
  const value = date.getUTCFullYear()
  return value < 0 ? `-${pad(-value, 4)}` : pad(value, 4)
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}

function hour12(date: Date): number {
  return date.getUTCHours() % 12 || 12
}

/** Days since January 1, from 0. */
function dayOfYear(date: Date): number {
  const start = new Date(date)
  start.setUTCMonth(0, 1)
  return Math.round((date.getTime() - start.getTime()) / DAY)
}

/** ISO 8601: week 1 contains the year's first Thursday. */
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY)
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 }
}
