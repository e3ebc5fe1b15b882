/**
 * The characters that a header may contain (RFC 9110, section 5.5). Any other value cannot be sent.
 *
 * @module
 */

/** Visible single-byte characters, spaces and tabs: no line breaks or wider characters. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

/** The same text with each other character percent-encoded, as in a URL. */
export function asHeaderValue(text: string): string {
  return text.toWellFormed().replace(/[^\t\x20-\x7e\x80-\xff]/gu, encodeURIComponent)
}
