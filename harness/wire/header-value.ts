/**
 * What may stand in a header (RFC 9110, section 5.5). A value with anything else cannot be sent at all.
 *
 * @module
 */

/** Visible characters of one byte, spaces and tabs: a line break or a wider character is none of them. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}
