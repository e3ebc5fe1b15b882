/**
 * A server's words do not steer the terminal of whoever reads them, nor turn around what stands there.
 *
 * @module
 */

/** Control characters and those that change the direction of writing, as what they are; lines end as before. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, (sign) => {
    const code = sign.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for every text in a value: done before anything is painted, since colours are control characters too. */
export function visibleIn<Value>(value: Value): Value {
  return mapped(value) as Value
}

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(mapped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each)]))
}
