/**
 * The modifiers of `strftime`, such as `+1 month` and `start of day` (contract-records 2.7). `sqlite-time.ts` reads
 * the time that they change.
 *
 * @module
 */

import {
  DAY,
  type Day,
  dayOf,
  isTime,
  millisecondsOf,
  type SqlTime,
  startOf,
  type TimeOfDay,
} from './sql-time.ts'

const UNITS: Record<string, { milliseconds: number; limit: number }> = {
  second: { milliseconds: 1000, limit: 4.6427e14 },
  minute: { milliseconds: 60_000, limit: 7.7379e12 },
  hour: { milliseconds: 3_600_000, limit: 1.2897e11 },
  day: { milliseconds: DAY, limit: 5_373_485 },
  month: { milliseconds: 30 * DAY, limit: 176_546 },
  year: { milliseconds: 365 * DAY, limit: 14_713 },
}
export const Y2000 = Date.UTC(2000, 0, 1)
const NUMBER = '[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:e[+-]?[0-9]+)?'
const AMOUNT = new RegExp(`^(?=[+0-9-])(${NUMBER})[ \\t\\n]+([a-z]{3,})$`)
const WEEKDAY = new RegExp(`^weekday +(${NUMBER})$`)
const CLOCK_SHIFT = /^([+-]?)([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?$/
const DATE_SHIFT =
  /^([+-])([0-9]{4,5})-([0-9]{2})-([0-9]{2})(?: ([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?))?$/

/** Julian day numbers that exist; any other number is not a time until `unixepoch` or `auto` says so. */
export function isJulian(number: number): boolean {
  return number >= 0 && number < 5373484.5
}

type Change = (moment: SqlTime, isFirst: boolean) => SqlTime | undefined

const inSubseconds: Change = (moment) => ({ ...moment, subseconds: true })

const named: Readonly<Record<string, Change>> = {
  auto: (moment, isFirst) => (isFirst ? fromAuto(moment) : undefined),
  ceiling: ({ time, subseconds }) => ({ time, subseconds }),
  floor: ({ time, excess = 0, subseconds }) => ({ time: time - excess * DAY, excess, subseconds }),
  julianday: ({ time, raw }, isFirst) =>
    isFirst && raw !== undefined && isTime(time) ? { time } : undefined,
  localtime: computed,
  subsec: inSubseconds,
  subsecond: inSubseconds,
  unixepoch: ({ raw }, isFirst) => (isFirst && raw !== undefined ? fromSeconds(raw) : undefined),
  utc: (moment) => (moment.isUtc && isTime(moment.time) ? moment : { ...computed(moment), isUtc: true }),
  'start of day': (moment) => midnight(moment, {}),
  'start of month': (moment) => midnight(moment, { day: 1 }),
  'start of year': (moment) => midnight(moment, { month: 1, day: 1 }),
}

/** The time without its written form. SQLite continues from it after a modifier that failed. */
function computed({ time, excess = 0, subseconds }: SqlTime): SqlTime {
  return { time: isTime(time) ? time : Y2000, excess, subseconds }
}

/**
 * Applies one modifier, as the date functions of SQLite define it: amounts, `start of …`, `weekday N`, `unixepoch` and
 * the like. `localtime` and `utc` only compute the day: the server's time zone is UTC.
 *
 * @param isFirst some modifiers are valid only directly after the time
 * @returns undefined if the modifier is invalid
 */
export function applyModifier(moment: SqlTime, modifier: string, isFirst: boolean): SqlTime | undefined {
  if (Object.hasOwn(named, modifier)) return named[modifier]?.(moment, isFirst)
  return (
    onWeekday(moment, modifier) ??
    byAmount(moment, modifier) ??
    byClock(moment, modifier) ??
    byDate(moment, modifier)
  )
}

function fromSeconds(seconds: number): SqlTime | undefined {
  const time = Math.floor(seconds * 1000 + 0.5)
  return isTime(time) ? { time } : undefined
}

function fromAuto(moment: SqlTime): SqlTime | undefined {
  if (moment.raw === undefined) return moment
  return isJulian(moment.raw) ? { time: moment.time } : fromSeconds(moment.raw)
}

function midnight(moment: SqlTime, changes: Partial<Day>): SqlTime | undefined {
  if (!isTime(moment.time)) return undefined
  const day = { ...writtenDay(moment), ...changes }
  return {
    time: startOf(day),
    day,
    clock: { hours: 0, minutes: 0, seconds: 0 },
    excess: moment.excess,
    subseconds: moment.subseconds,
  }
}

function onWeekday({ time, subseconds }: SqlTime, modifier: string): SqlTime | undefined {
  const wanted = Number(WEEKDAY.exec(modifier)?.[1] ?? Number.NaN)
  if (!(Number.isInteger(wanted) && wanted >= 0 && wanted < 7)) return undefined
  return { time: time + ((wanted - new Date(time).getUTCDay() + 7) % 7) * DAY, subseconds }
}

function writtenDay(moment: SqlTime): Day {
  return moment.undated ? { year: 2000, month: 1, day: 1 } : dayOf(moment)
}

/** Months and years keep the day of the month and run over into the next one; their fractions are 30 and 365 days. */
function byAmount(moment: SqlTime, modifier: string): SqlTime | undefined {
  const [, number, plural = ''] = AMOUNT.exec(modifier) ?? []
  const name = plural.replace(/s$/, '')
  const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined
  const amount = Number(number)
  if (unit === undefined || !(Math.abs(amount) < unit.limit)) return undefined
  const months = name === 'month' ? Math.trunc(amount) : name === 'year' ? Math.trunc(amount) * 12 : undefined
  const moved = months === undefined ? moment : byMonths(moment, dayOf(moment), months)
  const rest = (months === undefined ? amount : amount % 1) * unit.milliseconds
  return {
    time: moved.time + Math.trunc(rest + (amount < 0 ? -0.5 : 0.5)),
    excess: months === undefined ? 0 : moved.excess,
    subseconds: moment.subseconds,
  }
}

function byMonths({ time, clock, subseconds }: SqlTime, before: Day, months: number): SqlTime {
  const count = before.year * 12 + before.month - 1 + months
  const day = { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1, day: before.day }
  const sinceMidnight = clock === undefined ? time - startOf(before) : millisecondsOf(clock)
  return { time: startOf(day) + sinceMidnight, excess: excessOf(day), subseconds }
}

/** Days by which a day lies behind the end of its month. */
export function excessOf({ year, month, day }: Day): number {
  const last = new Date(startOf({ year, month: month + 1, day: 0 })).getUTCDate()
  return Math.max(0, day - last)
}

function readClock(text: string): TimeOfDay | undefined {
  const [, , hours, minutes, seconds = '0'] = CLOCK_SHIFT.exec(text) ?? []
  const clock = { hours: Number(hours), minutes: Number(minutes), seconds: Number(seconds) }
  return clock.hours <= 24 && clock.minutes <= 59 && clock.seconds < 60 ? clock : undefined
}

function byClock({ time, excess, subseconds }: SqlTime, modifier: string): SqlTime | undefined {
  const clock = readClock(modifier)
  if (clock === undefined) return undefined
  const by = millisecondsOf(clock) % DAY
  return { time: time + (modifier.startsWith('-') ? -by : by), excess, subseconds }
}

function byDate(moment: SqlTime, modifier: string): SqlTime | undefined {
  const [, sign, years, months, days, clock] = DATE_SHIFT.exec(modifier) ?? []
  if (sign === undefined || Number(months) > 11 || Number(days) > 30) return undefined
  const factor = sign === '-' ? -1 : 1
  const moved = byMonths(moment, writtenDay(moment), factor * (Number(years) * 12 + Number(months)))
  const shifted = { ...moved, time: moved.time + factor * Number(days) * DAY }
  return clock === undefined ? shifted : byClock(shifted, sign + clock)
}
