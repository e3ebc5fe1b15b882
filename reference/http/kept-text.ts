/**
 * The JSON of objects that are sent again and again.
 *
 * @module
 */

/** Characters of a text that is kept, at most: the time it saves grows with it, but so does the memory. */
const longestKept = 2000

/** Undefined: not written yet. */
const texts = new WeakMap<object, string | undefined>()

/** Writes this object only once. It must not change any more, nor anything in it. */
export function keepText(shown: object): void {
  texts.set(shown, undefined)
}

/** The JSON of an object for which `keepText` was called; undefined for any other value, and for a long text. */
export function keptText(shown: unknown): string | undefined {
  if (typeof shown !== 'object' || shown === null) return undefined
  const text = texts.get(shown)
  if (text !== undefined || !texts.has(shown)) return text
  const written = JSON.stringify(shown)
  if (written.length > longestKept) texts.delete(shown)
  else texts.set(shown, written)
  return written
}
