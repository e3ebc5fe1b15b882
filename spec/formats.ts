/**
 * The formats that our schemas use. Our own implementations, since a format that accepts too much proves nothing.
 *
 * @module
 */

const FORM = '0000-00-00 00:00:00.000Z'
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * `YYYY-MM-DD HH:MM:SS.mmmZ`, and a time that exists: February 30 and 24:00 are invalid. Document section 2.1.
 *
 * Parsed by hand: a list of records has sixty of them, and `Date` took more time than all other checks together.
 */
export function isRecordTime(text: string): boolean {
  if (text.length !== FORM.length) return false
  for (let at = 0; at < FORM.length; at++) {
    const code = text.charCodeAt(at)
    const form = FORM.charCodeAt(at)
    if (form === 48 ? code < 48 || code > 57 : code !== form) return false
  }
  if (twoDigits(text, 11) > 23 || twoDigits(text, 14) > 59 || twoDigits(text, 17) > 59) return false
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if (day < 1 || day > (LONGEST[month - 1] ?? 0)) return false
  if (month !== 2 || day < 29) return true
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
}

/** For `new Ajv({ formats })`. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = { 'record-time': isRecordTime }
