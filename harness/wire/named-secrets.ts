/**
 * Finds what stands under the name of a secret in a text of any kind: JSON, whole or broken, also inside a string of
 * JSON; `name=value` of queries, forms and cookies; parts of a multipart body.
 *
 * @module
 */

import { isPlaceholder, mayNameSecrets, secretName } from './secret-names.ts'

/** Gives what shall stand in the place of a value; undefined leaves it. */
export type Replace = (name: string, value: string) => string | undefined

const inJson = /"((?:[^"\\]|\\.){1,100})"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)("?)|(-?\d[\d.eE+-]*))/g
const inString = /\\"([\w.-]{1,100})\\"(\s*:\s*)\\"((?:(?!\\?").)*)/g
const pair = /(^|[?&;\s,({"'])([\w.%[\]-]{1,100})=([^&;\s"',)}]+)/g
const part = /(name="([^"\r\n]{1,100})"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)([\s\S]*?)(?=\r\n--)/g

/** The text with each value replaced that stands under the name of a secret. `codes`: `code` names one, too. */
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
  out = out.replace(
    inJson,
    (whole, key: string, colon: string, value: string | undefined, end = '', number = '') => {
      const name = taken(key, value === undefined ? number : unescaped(value))
      return name === undefined ? whole : `"${key}"${colon}"${name}${value === undefined ? '"' : end}`
    },
  )
  if (out.includes('\\"'))
    out = out.replace(inString, (whole, key: string, colon: string, value: string) => {
      const name = taken(key, value)
      return name === undefined ? whole : `\\"${key}\\"${colon}\\"${name}`
    })
  return out.replace(pair, (whole, before: string, key: string, value: string) => {
    const name = taken(decoded(key), decoded(value))
    return name === undefined ? whole : `${before}${key}=${name}`
  })
}

function unescaped(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string
  } catch {
    return value
  }
}

/** A part of a query or of a form as it was meant. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
