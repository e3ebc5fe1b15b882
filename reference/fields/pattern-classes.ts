/**
 * Character classes that RE2 names and JavaScript does not, or names otherwise, as the inside of a JavaScript class.
 *
 * @module
 */

/** By name: first and last character of each range, in order. */
const ranges: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  ascii: '\x00\x7F',
  blank: '\t\t  ',
  cntrl: '\x00\x1F\x7F\x7F',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  word: '09AZ__az',
  xdigit: '09AFaf',
}

/** What `\s` is to RE2: not the vertical tab, and nothing beyond ASCII. */
const blanks = '\t\n\f\r  '

function inside(pairs: string, negated: boolean): string {
  const bounds = Array.from(pairs, (_, at) => pairs.charCodeAt(at))
  // What lies between the ranges is bounded by the neighbours of their bounds.
  const kept = negated
    ? [0, ...bounds.map((code, at) => (at % 2 === 0 ? code - 1 : code + 1)), 0x10ffff]
    : bounds
  let text = ''
  for (let at = 0; at < kept.length; at += 2) {
    const [first = 0, last = 0] = kept.slice(at, at + 2)
    if (first <= last) text += `${codePoint(first)}-${codePoint(last)}`
  }
  return text
}

/** A character by its number, right inside and outside of a class. */
export function codePoint(code: number): string {
  return `\\u{${code.toString(16)}}`
}

/** `[:name:]` or `[:^name:]`; nothing where RE2 knows no such name. */
export function posixClass(name: string, negated: boolean): string | undefined {
  const pairs = Object.hasOwn(ranges, name) ? ranges[name] : undefined
  return pairs === undefined ? undefined : inside(pairs, negated)
}

/** `\s` or `\S`. */
export function blankClass(negated: boolean): string {
  return inside(blanks, negated)
}

/** `\p{name}` or `\P{name}`: a general category by its letters, or a script; nothing where there is none. */
export function propertyClass(name: string, negated: boolean): string | undefined {
  const property = name === 'Any' || /^[A-Z][a-z]?$/.test(name) ? name : `Script=${name}`
  const text = `\\${negated ? 'P' : 'p'}{${property}}`
  try {
    new RegExp(text, 'u')
    return text
  } catch {
    return undefined
  }
}
