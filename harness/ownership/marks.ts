/**
 * The marks of a run: the letters that stand in every string it calls unique. A record that holds one was written by
 * this run; without one nothing shows whose it is. Pure.
 *
 * @module
 */

/** What `unique` puts after its prefix: the letters of its check, then a number. A user name has `_` in place of `-`. */
const markedText = /[-_]([a-z0-9]{6})[a-z0-9]{3,}/gi
/**
 * Fields whose values are never shown, and have no business on disk. By any part of the name, unlike what redaction looks
 * for: the journal is not redacted, and a field that is only called so is missed by nobody.
 */
export const secretField = /pass|secret|token/i
/** Levels of a value that are searched. A response may be nested deeper than a program can follow. */
const deepest = 20

/**
 * All marks in a value, in lower case, each once: those of its strings, however deep.
 *
 * @param scopes letters of the checks of this run
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

/** Whether a value holds one of these marks. Letter case does not count: a server may normalise what it keeps. */
export function holdsMark(value: unknown, marks: readonly string[]): boolean {
  return (
    marks.length > 0 &&
    eachString(value, (text) => {
      const lower = text.toLowerCase()
      return marks.some((mark) => lower.includes(mark))
    })
  )
}

/** Visits the strings of a value, but for those of secret fields. True as soon as `found` is. */
function eachString(value: unknown, found: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === 'string') return found(value)
  if (typeof value !== 'object' || value === null || depth > deepest) return false
  return Object.entries(value).some(
    ([key, inner]) => !secretField.test(key) && eachString(inner, found, depth + 1),
  )
}

/** The marks in a request's body, whatever its media type. */
export function marksInBody(body: string | Uint8Array | undefined, scopes: ReadonlySet<string>): string[] {
  if (body === undefined) return []
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
  let value: unknown = text
  try {
    value = JSON.parse(text)
  } catch {
    // A form, or what no server should take: its text is searched as it is.
  }
  return marksIn(value, scopes)
}
