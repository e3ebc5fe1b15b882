/**
 * Regular expressions of a description are read by validators in many languages, and written by us from definitions
 * whose patterns are for RE2.
 *
 * @module
 */

/** What RE2 and ECMA-262 read differently: flags, classes by name, and ends of the text. */
const different = /\(\?(?!:)|\[\[:|\\[AzQECpP]/

/** Whether a pattern of a definition means the same to RE2 and to ECMA-262, which JSON Schema names. */
export function isPortable(pattern: string): boolean {
  if (different.test(pattern)) return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** The pattern of what matches, or is empty. */
export function orEmpty(pattern: string): string {
  return `^$|${pattern}`
}

/** The pattern of a string, without anchors. */
export function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

/** The pattern of any of the strings, without anchors. */
export function anyOfStrings(strings: readonly string[]): string {
  return `(?:${strings.map(escaped).join('|')})`
}
