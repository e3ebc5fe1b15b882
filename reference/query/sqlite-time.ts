/**
 * The first step of `strftime`: from a string or number to a time.
 *
 * @module
 */

import { applyModifier, excessOf, isJulian, Y2000 } from './apply-modifier.ts'
import {
  DAY,
  type Day,
  dayOf,
  FIRST,
  isTime,
  millisecondsOf,
  type SqlTime,
  startOf,
  type TimeOfDay,
} from './sql-time.ts'

const MINUTE = 60_000

const CLOCK = '([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]+))?)?'
// No two repeats of the same characters are adjacent: otherwise a long string that nearly matches would take very long.
const ZONE = '(?:[ \\t\\n]*(Z|([+-])([0-9]{2}):([0-9]{2})))?[ \\t\\n]*'
const DATE = /^(-?[0-9]{4})-([0-9]{2})-([0-9]{2})[ T\t\n]*(?![ T\t\n])/
const TIME_ONLY = new RegExp(`^${CLOCK}${ZONE}$`, 'i')
const NUMBER = /^[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?$/i

/** Longest time in characters: a pattern must not run over megabytes of digits. */
const LONGEST = 1000

/**
 * Reads a time value and applies modifiers, as the date functions of SQLite define them: ISO-like strings, times of day
 * (on 2000-01-01), `now`, Julian day numbers.
 *
 * @param now milliseconds since 1970, for `now`
 * @returns undefined if the value or a modifier is invalid
 */
export function sqliteTime(
  value: string | number,
  modifiers: readonly string[],
  now: number,
): SqlTime | undefined {
  let moment = typeof value === 'number' ? fromNumber(value) : fromText(value, now)
  for (const [at, modifier] of modifiers.entries())
    moment = moment && applyModifier(moment, modifier.toLowerCase(), at === 0)
  if (moment === undefined || !isTime(moment.time)) return undefined
  // Without modifiers, SQLite computes the day where the month may be too short for it.
  const written = moment.day
  return modifiers.length === 0 && written !== undefined && written.day > 28
    ? { ...moment, day: dayOf({ time: moment.time }) }
    : moment
}

function fromNumber(value: number): SqlTime {
  return { time: isJulian(value) ? Math.floor(value * DAY + 0.5) + FIRST : Number.NaN, raw: value }
}

function fromText(text: string, now: number): SqlTime | undefined {
  if (text.length > LONGEST) return undefined
  const dated = DATE.exec(text)
  if (dated !== null) {
    const [all, year, month, day] = dated
    const date = { year: Number(year), month: Number(month), day: Number(day) }
    return fromDate(date, text.slice(all.length) || '00:00')
  }
  const timed = readTime(text)
  if (timed !== undefined) {
    const { offset, clock, isUtc } = timed
    return { time: Y2000 + timed.time, clock: offset === 0 ? clock : undefined, isUtc, undated: true }
  }
  if (text.toLowerCase() === 'now') return { time: now, isUtc: true }
  return NUMBER.test(text.trim()) ? fromNumber(Number(text)) : undefined
}

function fromDate(day: Day, text: string): SqlTime | undefined {
  const timed = readTime(text)
  if (timed === undefined || day.month < 1 || day.month > 12 || day.day < 1 || day.day > 31) return undefined
  const time = startOf(day) + timed.time
  const excess = excessOf(day)
  // With an offset, the day and the time of day in UTC are others than those written.
  return timed.offset === 0 ? { ...timed, time, day, excess } : { time, excess, isUtc: true }
}

/** A time of day with its offset: milliseconds from midnight UTC. */
function readTime(text: string): (SqlTime & { clock: TimeOfDay; offset: number }) | undefined {
  const parts = TIME_ONLY.exec(text)
  if (parts === null) return undefined
  const [
    ,
    hours,
    minutes,
    seconds = '0',
    fraction = '0',
    zone,
    sign,
    offsetHours = '0',
    offsetMinutes = '0',
  ] = parts
  // Never rounded up to the next second.
  const below = Math.min(Number(`0.${fraction}`), 0.999)
  const clock = { hours: Number(hours), minutes: Number(minutes), seconds: Number(seconds) + below }
  if (clock.hours > 24 || clock.minutes > 59 || clock.seconds >= 60) return undefined
  if (Number(offsetHours) > 14 || Number(offsetMinutes) > 59) return undefined
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -MINUTE : MINUTE)
  return { time: millisecondsOf(clock) - offset, clock, offset, isUtc: zone !== undefined }
}
