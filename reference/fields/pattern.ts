/**
 * Patterns of definitions are written for RE2 (contract-records 3.1) and run here by a port of it. So they mean the
 * same as in the living family, and matching takes linear time.
 *
 * @module
 */

import { RE2JS } from 're2js'

/** A compiled pattern, ready for matching. */
export interface Pattern {
  /** Whether the pattern matches anywhere in the string. Unpaired surrogates count as characters of their own. */
  test(text: string): boolean
}

/**
 * Patterns for a whole string of ASCII letters, digits, `_` and `-`. They contain no surrogate pairs and need no
 * backtracking.
 */
const PLAIN =
  /^\^\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[A-Za-z0-9_])+-?\](?:[+*]|\{\d{1,3}(?:,\d{0,3})?\})\$$/
/** In RE2, a dot is anything but a line feed. */
const anyLine: Readonly<Record<string, RegExp>> = { '^.+$': /^[^\n]+$/, '^.*$': /^[^\n]*$/ }

/** For most patterns of real tables, a RegExp means the same and is faster. */
function plainPattern(pattern: string): RegExp | undefined {
  if (Object.hasOwn(anyLine, pattern)) return anyLine[pattern]
  if (!PLAIN.test(pattern)) return undefined
  try {
    return new RegExp(pattern)
  } catch {
    // A range is out of order: the port of RE2 reports the error.
    return undefined
  }
}

/**
 * The pattern, unanchored like RE2's match.
 *
 * @throws Error that quotes the pattern if it is invalid, or uses syntax that RE2 does not support
 */
export function compilePattern(pattern: string): Pattern {
  const plain = plainPattern(pattern)
  if (plain !== undefined) return plain
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `Invalid regular expression "${pattern}": ${reason.replace(/^error parsing regexp: /, '')}`,
    )
  }
}
