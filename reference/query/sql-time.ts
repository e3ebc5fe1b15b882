/**
 * Days and times as the date functions of SQLite know them. `sqlite-time.ts` reads them, `apply-modifier.ts` changes
 * them, `strftime.ts` formats them.
 *
 * @module
 */

/** A day as written: February 30 is a day here, until a modifier computes with it. Months from 1. */
export interface Day {
  year: number
  month: number
  day: number
}

/** A time of day as written: 24:30 is one here. Seconds with their fraction. */
export interface TimeOfDay {
  hours: number
  minutes: number
  seconds: number
}

/** A time while modifiers are applied. */
export interface SqlTime {
  /** Milliseconds since 1970; NaN if the time does not exist. */
  time: number
  /** As written, until a modifier computes it. */
  day?: Day
  clock?: TimeOfDay
  /** A time of day without a date: SQLite takes 2000-01-01 only where a modifier changes the day itself. */
  undated?: boolean
  /** The number that the time came from, until a modifier decides its meaning. */
  raw?: number
  /** Days by which the last change of months ran past the end of its month: `floor` takes them back. */
  excess?: number
  /** The time is known to be in UTC, so that `utc` changes nothing. */
  isUtc?: boolean
  /** `subsec` was among the modifiers: `%s` has a fraction. */
  subseconds?: boolean
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** Julian day 0 and the end of year 9999, in milliseconds since 1970: times outside do not exist. */
export const FIRST = -210_866_760_000_000
const LAST = 253_402_300_799_999

/** Start of a day in milliseconds since 1970, NaN outside of the years that exist. Any month and day run over. */
export function startOf({ year, month, day }: Day): number {
  if (!(year >= -4713 && year <= 9999)) return Number.NaN
  // Unlike Date.UTC, this takes the years 0 to 99 as they are.
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

/** Milliseconds since midnight. */
export function millisecondsOf({ hours, minutes, seconds }: TimeOfDay): number {
  return hours * HOUR + minutes * MINUTE + Math.floor(seconds * 1000 + 0.5)
}

/** Whether SQLite has a date for this time. */
export function isTime(time: number): boolean {
  return time >= FIRST && time <= LAST
}

/** The day as written, or computed; parts are NaN if the day does not exist. */
export function dayOf({ time, day }: SqlTime): Day {
  if (day !== undefined) return day
  const date = new Date(isTime(time) ? time : Number.NaN)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The time of day as written, or computed. */
export function timeOfDay({ time, clock }: SqlTime): TimeOfDay {
  if (clock !== undefined) return clock
  const ofDay = time - Math.floor(time / DAY) * DAY
  return {
    hours: Math.floor(ofDay / HOUR),
    minutes: Math.floor(ofDay / MINUTE) % 60,
    seconds: (ofDay % MINUTE) / 1000,
  }
}
