/**
 * Finds the record of a create without an id in the response: by a string of its body that no other record has.
 *
 * @module
 */

import { soundsSecret } from '../../exchange/secrets/secret-names.ts'
import { marksIn } from '../ownership/marks.ts'
import type { Body } from '../vocabulary/api.ts'
import type { Intent } from './journal.ts'

/** Maximum length of a string to search for: that of the longest title which a check creates, and a filter can hold it. */
const longest = 320

/**
 * Undefined if no field contains a mark of the run: such a record is never searched, since another client's may look
 * the same.
 *
 * @param scopes scopes of the checks of this run
 */
export function intentOf(table: string, body: Body, scopes: ReadonlySet<string>): Intent | undefined {
  // An account is known by its address: a sign-in with it shows the record where no list does.
  const { email, ...others } = body
  for (const [field, value] of Object.entries(email === undefined ? others : { email, ...others })) {
    if (typeof value !== 'string' || value.length > longest || soundsSecret(field)) continue
    if (marksIn(value, scopes).length > 0) return { table, field, value }
  }
  return undefined
}
