/**
 * The path prefix of the interface.
 *
 * @module
 */

/** Prefix of every path in the document (section 9). A server may have another one, or none. */
export const documentPrefix = '/api/v1'

/** Whether a string is a prefix as it is written everywhere: `/api/v1`, or empty, without a slash at the end. */
export function isPrefix(text: string): boolean {
  return /^(\/[\w.~-]+)*$/.test(text)
}

/** A prefix as it is written everywhere. Slashes at its ends may be missing or too many. */
export function prefixOf(text: string = documentPrefix): string {
  const bare = text.replace(/^\/+|\/+$/g, '')
  return bare === '' ? '' : `/${bare}`
}
