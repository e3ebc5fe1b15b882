/**
 * Finds values under the name of a secret in any text: JSON, valid or not, also inside a JSON string; `name=value` in
 * queries, forms and cookies; parts of a multipart body.
 *
 * @module
 */

import { formDecoded } from '../percent-decoded.ts'
import { endOfString } from '../size-of-json.ts'
import { isPlaceholder, mayNameSecrets, secretName } from './secret-names.ts'

/** Returns the replacement of a value; undefined keeps the value. */
export type Replace = (name: string, value: string) => string | undefined

/** Matches only up to the value: a pattern that matches a long string with escapes overflows the stack. */
const inJson = /"((?:[^"\\]|\\.){1,100})"(\s*:\s*)(?:(")|(-?\d[\d.eE+-]*))/g
const inString = /\\"([\w.-]{1,100})\\"(\s*:\s*)\\"/g
const pair = /(^|[?&;\s,({"'])([\w.%[\]-]{1,100})=([^&;\s"',)}]+)/g
const partName = /name="([^"\r\n]{1,100})"/g
/** Most characters from the name of a part to the end of its headers. */
const longestHead = 8_000

/** Replaces each value under the name of a secret. `codes`: `code` is such a name too. */
export function replaceNamed(text: string, replace: Replace, codes = false): string {
  if (!mayNameSecrets(text)) return text
  const nameOf = (key: string) => secretName(key) ?? (codes && key === 'code' ? '$CODE' : undefined)
  const taken = (key: string, value: string): string | undefined => {
    const name = value === '' || isPlaceholder(value) ? undefined : nameOf(key)
    return name === undefined ? undefined : replace(name, value)
  }
  let out = text
  if (out.includes('form-data')) out = inPartsReplaced(out, taken)
  out = inJsonReplaced(out, (key, value) =>
    nameOf(key) === undefined ? undefined : taken(key, unescaped(value)),
  )
  if (out.includes('\\"'))
    out = inStringReplaced(out, (key, value) => taken(key, unescaped(unescaped(value))))
  return out.replace(pair, (whole, before: string, key: string, value: string) => {
    const name = taken(formDecoded(key) ?? key, formDecoded(value) ?? value)
    return name === undefined ? whole : `${before}${key}=${name}`
  })
}

/**
 * Replaces the value of each part of a multipart body. Its end is searched from where the last search ended: a pattern
 * would search the whole rest from each name.
 */
function inPartsReplaced(text: string, taken: (key: string, value: string) => string | undefined): string {
  let out = ''
  let [kept, blank] = [0, 0]
  partName.lastIndex = 0
  for (let found = partName.exec(text); found !== null; found = partName.exec(text)) {
    if (blank < partName.lastIndex) blank = text.indexOf('\r\n\r\n', partName.lastIndex)
    if (blank < 0) break
    if (blank - found.index > longestHead) continue
    const from = blank + 4
    const to = text.indexOf('\r\n--', from)
    if (to < 0) break
    const name = taken(found[1] ?? '', text.slice(from, to))
    if (name !== undefined) {
      out += text.slice(kept, from) + name
      kept = to
    }
    partName.lastIndex = to
  }
  return kept === 0 ? text : out + text.slice(kept)
}

/** Replaces each string or number under a key of JSON, valid or not. */
function inJsonReplaced(text: string, taken: (key: string, value: string) => string | undefined): string {
  let out = ''
  let kept = 0
  inJson.lastIndex = 0
  for (let found = inJson.exec(text); found !== null; found = inJson.exec(text)) {
    const [, key = '', colon = '', quote, number = ''] = found
    const from = inJson.lastIndex - number.length
    const to = quote === undefined ? inJson.lastIndex : endOfString(text, from - 1)
    const name = taken(key, text.slice(from, to))
    if (name !== undefined) {
      out += `${text.slice(kept, found.index)}"${key}"${colon}"${name}${quote === undefined ? '"' : ''}`
      kept = to
    }
    inJson.lastIndex = quote === undefined ? to : to + 1
  }
  return kept === 0 ? text : out + text.slice(kept)
}

/** Replaces each string under a key of JSON inside a JSON string. */
function inStringReplaced(text: string, taken: (key: string, value: string) => string | undefined): string {
  let out = ''
  let kept = 0
  inString.lastIndex = 0
  for (let found = inString.exec(text); found !== null; found = inString.exec(text)) {
    const from = inString.lastIndex
    const to = endOfInnerString(text, from)
    const name = taken(found[1] ?? '', text.slice(from, to))
    if (name !== undefined) {
      out += text.slice(kept, from) + name
      kept = to
    }
    inString.lastIndex = to
  }
  return kept === 0 ? text : out + text.slice(kept)
}

/**
 * The end of a string inside a JSON string: at a quotation mark with one backslash, or with none, where the outer string
 * ends. Three backslashes and a quotation mark are one character of the inner string. It also ends with its line.
 */
function endOfInnerString(text: string, from: number): number {
  const end = innerQuote(text, from)
  const line = text.slice(from, end).indexOf('\n')
  return line < 0 ? end : from + line
}

function innerQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at
    while (first > from && text[first - 1] === '\\') first--
    const backslashes = at - first
    if (backslashes % 2 === 0) return at
    if (backslashes % 4 === 1) return at - 1
  }
  return text.length
}

function unescaped(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string
  } catch {
    return value
  }
}
