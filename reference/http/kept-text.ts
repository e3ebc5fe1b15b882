/**
 * The JSON of objects that are sent again and again.
 *
 * @module
 */

import type { Json } from '../vocabulary.ts'

/** Estimated characters of a text that is kept, at most: the time it saves grows with it, but so does the memory. */
const longestKept = 2000

/** Characters that are serialized without a check of the time. */
export const writtenAtOnce = 64 * 1024

/** Estimated characters of a serialized record; an estimate that is too high where an exact one costs more. */
export function roughLength(item: Json): number {
  if (typeof item !== 'object' || item === null) return writtenAtOnce
  let length = 2
  for (const key in item) {
    const value = (item as Record<string, Json>)[key]
    if (typeof value === 'string') length += value.length
    else if (Array.isArray(value) && typeof value[0] !== 'object')
      for (const each of value) length += typeof each === 'string' ? each.length + 3 : 20
    else if (typeof value === 'object' && value !== null) length += writtenAtOnce >> 3
    length += 24
  }
  return length
}

/** Undefined: not written yet. */
const texts = new WeakMap<object, string | undefined>()

/**
 * Writes this object only once, if its text is short. It must not change any more, nor anything in it.
 *
 * @returns whether its text is kept
 */
export function keepText(shown: Json & object): boolean {
  if (roughLength(shown) > longestKept) return false
  texts.set(shown, undefined)
  return true
}

/** The JSON of an object whose text is kept; undefined for any other value. */
export function keptText(shown: unknown): string | undefined {
  if (typeof shown !== 'object' || shown === null) return undefined
  const text = texts.get(shown)
  if (text !== undefined || !texts.has(shown)) return text
  const written = JSON.stringify(shown)
  texts.set(shown, written)
  return written
}
