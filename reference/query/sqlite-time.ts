const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Julian day 0 and the end of year 9999, in milliseconds since 1970: times outside do not exist. */
const FIRST = -210_866_760_000_000
const LAST = 253_402_300_799_999

const CLOCK = '([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]+))?)?'
// No two repeats of the same characters are adjacent: otherwise a long string that nearly matches would take very long.
const ZONE = '(?:[ \\t\\n]*(?:Z|([+-])([0-9]{2}):([0-9]{2})))?[ \\t\\n]*'
const DATE_TIME = new RegExp(
  `^(-?)([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ T]+(?:[\\t\\n][ \\t\\n]*)?${CLOCK}${ZONE})?$`,
  'i',
)
const TIME_ONLY = new RegExp(`^${CLOCK}${ZONE}$`, 'i')
const AMOUNT = /^([+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?) *(day|hour|minute|second|month|year)s?$/i
const CLOCK_SHIFT = new RegExp(`^([+-])${CLOCK}$`)
const DATE_SHIFT =
  /^([+-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?: ([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?)?$/

/** Longest time in characters: a pattern must not run over megabytes of digits. */
const LONGEST = 1000

/** A time while modifiers are applied. `raw` is the number that it came from, until a modifier decides its meaning. */
interface Moment {
  time: number
  raw?: number
}

/**
 * Reads a time value and applies modifiers, as the date functions of SQLite define them: ISO-like strings, times of day
 * (on 2000-01-01), `now`, Julian day numbers; amounts, `start of …`, `weekday N`, `unixepoch` and the like. `localtime`
 * and `utc` change nothing: the server's time zone is UTC.
 *
 * @returns milliseconds since 1970, or undefined if the value or a modifier is invalid
 */
export function sqliteTime(
  value: string | number,
  modifiers: readonly string[],
  now: number,
): number | undefined {
  let moment = typeof value === 'number' ? fromNumber(value) : fromText(value, now)
  for (const [at, modifier] of modifiers.entries()) {
    if (moment === undefined) return undefined
    moment = modified(moment, modifier.trim().toLowerCase(), at === 0)
  }
  if (moment === undefined || !(moment.time >= FIRST && moment.time <= LAST)) return undefined
  return moment.time
}

function fromNumber(value: number): Moment {
  return { time: value >= 0 && value < 5373484.5 ? fromJulian(value) : Number.NaN, raw: value }
}

function fromJulian(days: number): number {
  return Math.floor(days * DAY + 0.5) + FIRST
}

function fromText(text: string, now: number): Moment | undefined {
  if (text.length > LONGEST) return undefined
  const dated = DATE_TIME.exec(text)
  if (dated !== null) {
    const [, minus, year, month, day, ...clock] = dated
    const date = dateOf(Number(year) * (minus === '-' ? -1 : 1), Number(month), Number(day))
    const time = clock[0] === undefined ? 0 : timeOf(clock)
    return date === undefined || time === undefined ? undefined : { time: date + time }
  }
  const timed = TIME_ONLY.exec(text)
  if (timed !== null) {
    const time = timeOf(timed.slice(1))
    return time === undefined ? undefined : { time: Date.UTC(2000, 0, 1) + time }
  }
  if (text.toLowerCase() === 'now') return { time: now }
  const trimmed = text.trim()
  return /^[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(trimmed)
    ? fromNumber(Number(trimmed))
    : undefined
}

function dateOf(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  return civil(year, month - 1, day)
}

/** Hours, minutes, seconds, fraction and offset, as milliseconds of the day in UTC. */
function timeOf(parts: readonly (string | undefined)[]): number | undefined {
  const [hours, minutes, seconds = '0', fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = parts
  if (Number(hours) > 24 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  if (Number(offsetHours) > 14 || Number(offsetMinutes) > 59) return undefined
  const offset = (Number(offsetHours) * HOUR + Number(offsetMinutes) * MINUTE) * (sign === '-' ? -1 : 1)
  const millis = Math.floor(Number(`${seconds}.${fraction || 0}`) * 1000 + 0.5)
  return Number(hours) * HOUR + Number(minutes) * MINUTE + millis - offset
}

function modified(moment: Moment, modifier: string, isFirst: boolean): Moment | undefined {
  const { time, raw } = moment
  switch (modifier) {
    case 'unixepoch':
      return raw === undefined || !isFirst ? undefined : { time: Math.floor(raw * 1000 + 0.5) }
    case 'julianday':
      return raw === undefined || !isFirst ? undefined : { time }
    case 'auto':
      if (!isFirst) return undefined
      return raw === undefined || (raw >= 0 && raw < 5373484.5)
        ? { time }
        : { time: Math.floor(raw * 1000 + 0.5) }
    case 'localtime':
    case 'utc':
    case 'subsec':
    case 'subsecond':
    case 'ceiling':
    case 'floor':
      return { time }
    case 'start of day':
      return { time: Math.floor(time / DAY) * DAY }
    case 'start of month':
      return { time: civil(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth(), 1) }
    case 'start of year':
      return { time: civil(new Date(time).getUTCFullYear(), 0, 1) }
  }
  const weekday = /^weekday ([0-6])(?:\.0*)?$/.exec(modifier)
  if (weekday !== null) {
    const ahead = (Number(weekday[1]) - new Date(time).getUTCDay() + 7) % 7
    return { time: time + ahead * DAY }
  }
  return shifted(time, modifier)
}

function shifted(time: number, modifier: string): Moment | undefined {
  const amount = AMOUNT.exec(modifier)
  if (amount !== null)
    return { time: time + shiftBy(time, Number(amount[1]), (amount[2] ?? '').toLowerCase()) }
  const clock = CLOCK_SHIFT.exec(modifier)
  if (clock !== null) {
    const by = timeOf(clock.slice(2))
    return by === undefined ? undefined : { time: time + (clock[1] === '-' ? -by : by) }
  }
  const date = DATE_SHIFT.exec(modifier)
  if (date === null) return undefined
  const [, sign, years, months, days, hours = '0', minutes = '0', seconds = '0'] = date
  if (Number(months) > 11 || Number(days) > 30) return undefined
  const factor = sign === '-' ? -1 : 1
  const moved = time + shiftBy(time, factor * (Number(years) * 12 + Number(months)), 'month')
  const rest = Number(days) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1000
  return { time: moved + factor * rest }
}

/** Months and years keep the day of the month and run over into the next one; their fractions are 30 and 365 days. */
function shiftBy(time: number, amount: number, unit: string): number {
  const whole = Math.trunc(amount)
  const fraction = amount - whole
  const round = (millis: number) => Math.trunc(millis + (millis < 0 ? -0.5 : 0.5))
  if (unit === 'month' || unit === 'year') {
    const date = new Date(time)
    const months = unit === 'month' ? whole : whole * 12
    const day = civil(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate())
    const moved = day + (((time % DAY) + DAY) % DAY)
    return moved - time + round(fraction * (unit === 'month' ? 30 : 365) * DAY)
  }
  const size = unit === 'day' ? DAY : unit === 'hour' ? HOUR : unit === 'minute' ? MINUTE : 1000
  return round(amount * size)
}

/** Start of a day; unlike Date.UTC it takes the years 0 to 99 as they are. */
function civil(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getTime()
}
