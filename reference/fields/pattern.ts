/**
 * Patterns of definitions are written for RE2 (contract-records 3.1) and run here by a port of it. So they mean the
 * same as in the observed family, and matching takes linear time.
 *
 * @module
 */

import { createRequire } from 'node:module'
import { defaultIdPattern } from './record-id.ts'

/** A compiled pattern, ready for matching. */
export interface Pattern {
  /** Whether the pattern matches anywhere in the string. Unpaired surrogates count as characters of their own. */
  test(text: string): boolean
}

const require = createRequire(import.meta.url)

/**
 * The pattern, unanchored like RE2's match.
 *
 * @throws Error that quotes the pattern if it is invalid, or uses syntax that RE2 does not support
 */
export function compilePattern(pattern: string): Pattern {
  // Nearly every table has this pattern and most have no other, so that the port need not even be loaded.
  if (pattern === defaultIdPattern) return new RegExp(pattern)
  // Tables are created synchronously, so it cannot be an `import()`.
  const { RE2JS }: typeof import('re2js') = require('re2js')
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `Invalid regular expression "${pattern}": ${reason.replace(/^error parsing regexp: /, '')}`,
    )
  }
}
