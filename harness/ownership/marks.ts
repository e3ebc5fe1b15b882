/**
 * The marks of a run: the letters in each of its unique strings. A record with a mark was written by this run; without
 * one, nothing shows whose it is. Pure.
 *
 * @module
 */

import { soundsSecret } from '../../exchange/secrets/secret-names.ts'

/** What `unique` appends to its prefix: the letters of its check, then a number. A username has `_` instead of `-`. */
const markedText = /[-_]([a-z0-9]{6})[a-z0-9]{3,}/gi
/** Maximum depth of the search. A response may be nested deeper than the stack allows. */
const deepest = 20

/**
 * All marks in the strings of a value at any depth, in lower case, without duplicates.
 *
 * @param scopes scopes of the checks of this run
 */
export function marksIn(value: unknown, scopes: ReadonlySet<string>): string[] {
  const marks = new Set<string>()
  eachString(value, (text) => {
    for (const [whole, scope = ''] of text.matchAll(markedText))
      if (scopes.has(scope.toLowerCase())) marks.add(whole.slice(1).toLowerCase())
    return false
  })
  return [...marks]
}

/** Whether a value contains one of these marks. Case-insensitive: a server may normalize what it stores. */
export function holdsMark(value: unknown, marks: readonly string[]): boolean {
  return (
    marks.length > 0 &&
    eachString(value, (text) => {
      const lower = text.toLowerCase()
      return marks.some((mark) => lower.includes(mark))
    })
  )
}

/** Visits the strings of a value, except in secret fields, which are never shown. True as soon as `found` is. */
function eachString(value: unknown, found: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === 'string') return found(value)
  if (typeof value !== 'object' || value === null || depth > deepest) return false
  return Object.entries(value).some(
    ([key, inner]) => !soundsSecret(key) && eachString(inner, found, depth + 1),
  )
}

/** The marks in a request body of any media type. */
export function marksInBody(body: string | Uint8Array | undefined, scopes: ReadonlySet<string>): string[] {
  if (body === undefined) return []
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
  let value: unknown = text
  try {
    value = JSON.parse(text)
  } catch {
    // A form, or an invalid body: its text is searched as it is.
  }
  return marksIn(value, scopes)
}
