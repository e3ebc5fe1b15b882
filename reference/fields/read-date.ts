/**
 * The accepted date formats (contract-records 3.3). The first format that matches is used; a date that does not exist
 * matches none.
 *
 * @module
 */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const parts: Record<string, string> = {
  Y: '(?<year>\\d{4})',
  y: '(?<shortYear>\\d{2})',
  M: '(?<month>\\d{2})',
  N: '(?<monthName>[A-Za-z]{3})',
  D: '(?<day>\\d{2})',
  d: ' ?(?<day>\\d{1,2})',
  W: '[A-Za-z]{3}',
  L: '[A-Za-z]{3,6}day',
  T: '(?<hour>\\d{1,2}):(?<minute>\\d{2}):(?<second>\\d{2})(?:[.,](?<fraction>\\d+))?',
  H: '(?<hour>\\d{1,2}):(?<minute>\\d{2})',
  K: '(?<hour>\\d{1,2}):(?<minute>\\d{2})(?<half>AM|PM)',
  C: '(?<offset>[+-]\\d{2}:\\d{2})',
  O: '(?<offset>[+-]\\d{4})',
  Z: '(?<offset>Z|[+-]\\d{2}:\\d{2})',
  X: '(?<offset>Z|[+-]\\d{4})',
  A: '(?:GMT(?<zoneHours>[+-]\\d{1,2})|[A-Z]{3,5}|[+-]\\d{2})',
}

/** Formats in the order in which they are tried; a letter represents a part above, everything else for itself. */
const forms = [
  "Y-M-D T'Z",
  'Y-M-D',
  "Y-M-D'TTZ",
  "Y-M-D'TT",
  'W, D N Y T O',
  'W, D N Y T A',
  'D N y H O',
  'D N y H A',
  'L, D-N-y T A',
  'Y-M-D T O A',
  "Y-M-D'TTO",
  'Y-M-D TX',
  'Y-M-D T',
  'W N d T Y',
  'W N d T A Y',
  'W N D T O Y',
  'Y-M-D TZ',
  'D N Y',
  'Y-M-D T C',
  'Y-M-D T O',
  'K',
  'N d T',
].map(
  (form) =>
    new RegExp(`^${form.replace(/'(.)|([A-Za-z])/g, (_, plain, key) => plain ?? parts[key] ?? key)}$`),
)

/** Longest date in characters: a pattern must not run over megabytes of digits. */
const longest = 1000

/** `YYYY-MM-DD HH:MM:SS.mmmZ`, or empty for everything that is not a date, numbers included. Never throws. */
export function readDate(input: unknown): string {
  if (typeof input !== 'string' || input === '' || input.length > longest) return ''
  for (const form of forms) {
    const found = form.exec(input)?.groups
    const time = found && momentOf(found)
    if (time !== undefined) return dateText(time)
  }
  return ''
}

/** The wire form of a time in milliseconds since the epoch. Empty for the year 1 and for years without four digits. */
export function dateText(time: number): string {
  const text = new Date(time).toISOString().replace('T', ' ')
  return /^\d{4}-/.test(text) && text !== '0001-01-01 00:00:00.000Z' ? text : ''
}

type Found = Record<string, string | undefined>

/** Milliseconds since the epoch, or undefined if the day or time does not exist. */
function momentOf(found: Found): number | undefined {
  const year = found.shortYear === undefined ? Number(found.year ?? 0) : fullYear(Number(found.shortYear))
  const month = found.monthName ? months.indexOf(found.monthName.toLowerCase()) : Number(found.month ?? 1) - 1
  const day = Number(found.day ?? 1)
  const hour = hourOf(found)
  const minute = Number(found.minute ?? 0)
  const second = Number(found.second ?? 0)
  const offset = offsetMinutes(found)
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined
  const milliseconds = Number((found.fraction ?? '').slice(0, 3).padEnd(3, '0'))
  return date.setUTCHours(hour, minute - offset, second, milliseconds)
}

function fullYear(short: number): number {
  return short >= 69 ? 1900 + short : 2000 + short
}

function hourOf(found: Found): number {
  const hour = Number(found.hour ?? 0)
  if (!found.half) return hour
  if (hour > 12) return 24
  return (hour % 12) + (found.half === 'PM' ? 12 : 0)
}

function offsetMinutes({ offset, zoneHours }: Found): number | undefined {
  if (zoneHours) return Number(zoneHours) * 60
  if (!offset || offset === 'Z') return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? []
  if (!(Number(hours) <= 24 && Number(minutes) <= 59)) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
