/**
 * Finds values under the name of a secret in any text: JSON, valid or not, also inside a JSON string; `name=value` in
 * queries, forms and cookies; parts of a multipart body.
 *
 * @module
 */

import { formDecoded } from '../percent-decoded.ts'
import { isPlaceholder, mayNameSecrets, secretName } from './secret-names.ts'

/** Returns the replacement of a value; undefined keeps the value. */
export type Replace = (name: string, value: string) => string | undefined

/** Matches only up to the value: a pattern that matches a long string with escapes overflows the stack. */
const inJson = /"((?:[^"\\]|\\.){1,100})"(\s*:\s*)(?:(")|(-?\d[\d.eE+-]*))/g
const inString = /\\"([\w.-]{1,100})\\"(\s*:\s*)\\"(.*?)(?=\\?"|$)/gm
const pair = /(^|[?&;\s,({"'])([\w.%[\]-]{1,100})=([^&;\s"',)}]+)/g
const part = /(name="([^"\r\n]{1,100})"[^\r\n]*\r\n(?:[^\r\n]+\r\n){0,20}\r\n)([\s\S]*?)(?=\r\n--)/g

/** Replaces each value under the name of a secret. `codes`: `code` is such a name too. */
export function replaceNamed(text: string, replace: Replace, codes = false): string {
  if (!mayNameSecrets(text)) return text
  const nameOf = (key: string) => secretName(key) ?? (codes && key === 'code' ? '$CODE' : undefined)
  const taken = (key: string, value: string): string | undefined => {
    const name = value === '' || isPlaceholder(value) ? undefined : nameOf(key)
    return name === undefined ? undefined : replace(name, value)
  }
  let out = text
  if (out.includes('form-data'))
    out = out.replace(part, (whole, head: string, key: string, value: string) => {
      const name = taken(key, value)
      return name === undefined ? whole : head + name
    })
  out = inJsonReplaced(out, (key, value) =>
    nameOf(key) === undefined ? undefined : taken(key, unescaped(value)),
  )
  if (out.includes('\\"'))
    out = out.replace(inString, (whole, key: string, colon: string, value: string) => {
      const name = taken(key, value)
      return name === undefined ? whole : `\\"${key}\\"${colon}\\"${name}`
    })
  return out.replace(pair, (whole, before: string, key: string, value: string) => {
    const name = taken(formDecoded(key) ?? key, formDecoded(value) ?? value)
    return name === undefined ? whole : `${before}${key}=${name}`
  })
}

/** Replaces each string or number under a key of JSON, valid or not. */
function inJsonReplaced(text: string, taken: (key: string, value: string) => string | undefined): string {
  let out = ''
  let kept = 0
  inJson.lastIndex = 0
  for (let found = inJson.exec(text); found !== null; found = inJson.exec(text)) {
    const [, key = '', colon = '', quote, number = ''] = found
    const from = inJson.lastIndex - number.length
    const to = quote === undefined ? inJson.lastIndex : endOfString(text, from)
    const name = taken(key, text.slice(from, to))
    if (name !== undefined) {
      out += `${text.slice(kept, found.index)}"${key}"${colon}"${name}${quote === undefined ? '"' : ''}`
      kept = to
    }
    inJson.lastIndex = quote === undefined ? to : to + 1
  }
  return kept === 0 ? text : out + text.slice(kept)
}

/** Index of the next unescaped quote; the end of the text if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before > from && text[before - 1] === '\\') before -= 1
    if ((at - before) % 2 === 0) return at
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
