/**
 * Regular expressions of a description. Validators in many languages read them; the patterns in definitions are for
 * RE2.
 *
 * @module
 */
import { escapePattern } from '../spec/escape-pattern.ts'

/** Syntax that differs between RE2 and ECMA-262: flags, named classes, and text anchors. */
const different = /\(\?(?!:)|\[\[:|\\[AzQECpP]/

/** Whether a pattern of a definition means the same in RE2 and in ECMA-262, which JSON Schema uses. */
export function isPortablePattern(pattern: string): boolean {
  if (different.test(pattern)) return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** A pattern that also matches the empty string. */
export function orEmpty(pattern: string): string {
  return `^$|${pattern}`
}

/** A pattern for any of the strings, without anchors. */
export function anyOfStrings(strings: readonly string[]): string {
  return `(?:${strings.map(escapePattern).join('|')})`
}
