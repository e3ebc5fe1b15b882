/**
 * What finds the record of a create again when no response tells its id: a string of its body that no other record has.
 *
 * @module
 */

import { marksIn, secretField } from '../ownership/marks.ts'
import type { Body } from '../vocabulary/api.ts'
import type { Intent } from './journal.ts'

/** Characters of the longest string that a table is asked for. */
const longest = 200

/**
 * Undefined where no field holds a mark of the run: such a record is never searched for, since another's may look the
 * same.
 *
 * @param scopes letters of the checks of this run
 */
export function intentOf(table: string, body: Body, scopes: ReadonlySet<string>): Intent | undefined {
  for (const [field, value] of Object.entries(body)) {
    if (typeof value !== 'string' || value.length > longest || secretField.test(field)) continue
    if (marksIn(value, scopes).length > 0) return { table, field, value }
  }
  return undefined
}
