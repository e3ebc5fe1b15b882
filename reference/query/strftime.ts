import {
  DAY,
  type Day,
  dayOf,
  FIRST,
  millisecondsOf,
  type SqlTime,
  startOf,
  type TimeOfDay,
  timeOfDay,
} from './sql-time.ts'
import { sqliteTime } from './sqlite-time.ts'

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
  const moment = sqliteTime(value, modifiers, now)
  if (moment === undefined) return null
  const parts = { ...dayOf(moment), ...timeOfDay(moment), time: moment.time, moment }
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
    text += part(parts)
  }
  return text
}

interface Parts extends Day, TimeOfDay {
  /** Milliseconds since 1970. */
  time: number
  moment: SqlTime
}

const conversions: Record<string, (parts: Parts) => string> = {
  d: ({ day }) => pad(day),
  e: ({ day }) => String(day).padStart(2),
  f: ({ seconds }) => Math.min(seconds, 59.999).toFixed(3).padStart(6, '0'),
  F: ({ year, month, day }) => `${yearText(year)}-${pad(month)}-${pad(day)}`,
  G: (parts) => yearText(isoWeek(parts).year),
  g: (parts) => pad(isoWeek(parts).year % 100),
  H: ({ hours }) => pad(hours),
  I: ({ hours }) => pad(hour12(hours)),
  j: (parts) => pad(dayOfYear(parts) + 1, 3),
  J: ({ time }) => String(Number(((time - FIRST) / DAY).toPrecision(16))),
  k: ({ hours }) => String(hours).padStart(2),
  l: ({ hours }) => String(hour12(hours)).padStart(2),
  m: ({ month }) => pad(month),
  M: ({ minutes }) => pad(minutes),
  p: ({ hours }) => (hours < 12 ? 'AM' : 'PM'),
  P: ({ hours }) => (hours < 12 ? 'am' : 'pm'),
  R: ({ hours, minutes }) => `${pad(hours)}:${pad(minutes)}`,
  s: ({ time, moment }) => (moment.subseconds ? (time / 1000).toFixed(3) : String(Math.floor(time / 1000))),
  S: ({ seconds }) => pad(Math.floor(seconds)),
  T: ({ hours, minutes, seconds }) => `${pad(hours)}:${pad(minutes)}:${pad(Math.floor(seconds))}`,
  u: ({ time }) => String(new Date(time).getUTCDay() || 7),
  U: (parts) => pad(Math.floor((dayOfYear(parts) + 7 - new Date(parts.time).getUTCDay()) / 7)),
  V: (parts) => pad(isoWeek(parts).week),
  w: ({ time }) => String(new Date(time).getUTCDay()),
  W: (parts) => pad(Math.floor((dayOfYear(parts) + 7 - weekdayFromMonday(parts.time)) / 7)),
  Y: ({ year }) => yearText(year),
  '%': () => '%',
}

function yearText(year: number): string {
  // The sign counts as one of the four characters.
  return year < 0 ? `-${pad(-year, 3)}` : pad(year, 4)
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}

function hour12(hours: number): number {
  return hours % 12 || 12
}

/** Monday is 0. */
function weekdayFromMonday(time: number): number {
  return (new Date(time).getUTCDay() + 6) % 7
}

/** Days since January 1, from 0. */
function dayOfYear({ time, year, ...clock }: Pick<Parts, 'time' | 'year' | keyof TimeOfDay>): number {
  return Math.round((time - millisecondsOf(clock) - startOf({ year, month: 1, day: 1 })) / DAY)
}

/** ISO 8601: week 1 contains the year's first Thursday. */
function isoWeek(parts: Parts): { year: number; week: number } {
  const time = parts.time + (3 - weekdayFromMonday(parts.time)) * DAY
  const { year } = dayOf({ time })
  return { year, week: Math.floor(dayOfYear({ ...parts, time, year }) / 7) + 1 }
}
