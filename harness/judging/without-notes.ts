/**
 * The notes in parentheses at the end of a finding's message: they are about this run, not about the server.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'

/** @param during the check that sent the request; undefined: it was sent before the checks */
export function seenNote(during: string | undefined): string {
  return during === undefined ? ' (seen before the checks)' : ` (seen in ${during})`
}

/** Comes last. @param count of requests that a finding does not show */
export function omittedNote(count: number): string {
  return ` (omitted: ${countOf(count, 'earlier request')})`
}

/** The message without both. */
export function withoutNotes(message: string): string {
  return message
    .replace(/ \(omitted: \d{1,9} earlier requests?\)$/, '')
    .replace(/ \(seen (?:in [\w.-]+|before the checks)\)$/, '')
}
