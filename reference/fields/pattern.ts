/**
 * Patterns of definitions are written for RE2 (contract-records 3.1) and run here by a port of it: what they mean is
 * what they mean to the family, and no text makes one take longer than the text is long.
 *
 * @module
 */

import { createRequire } from 'node:module'
import { defaultIdPattern } from './record-id.ts'

/** A pattern that is ready to be held against texts. */
export interface Pattern {
  /** Whether it is found anywhere in the text. Unpaired surrogates count as characters of their own. */
  test(text: string): boolean
}

const require = createRequire(import.meta.url)

/**
 * The pattern, unanchored like RE2's match.
 *
 * @throws Error that quotes the pattern when it is none, or uses what RE2 does not know
 */
export function compilePattern(pattern: string): Pattern {
  // Nearly every table has this one and most have no other, so that the port is not even loaded for them.
  if (pattern === defaultIdPattern) return new RegExp(pattern)
  // Tables are made without waiting, so it cannot be an `import()`.
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
