/**
 * Percent-encoding of URLs and forms.
 *
 * @module
 */

/** A decoded part of a path. Undefined if its percent-encoding is malformed or is not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The same for a query or a form, where a plus sign is a space. */
export function formDecoded(text: string): string | undefined {
  return percentDecoded(text.replaceAll('+', ' '))
}
