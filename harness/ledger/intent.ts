/**
 * What finds the record of a create again when no answer to it came: a text of its body that no other record has.
 *
 * @module
 */

import type { Body } from '../vocabulary/api.ts'
import type { Intent } from './journal.ts'

/** What `unique` makes: a prefix, then the letters of its check, then a number. */
const uniqueText = /-([a-z0-9]{6})[a-z0-9]{3,}/
/** Fields whose values have no business on disk. */
const secret = /pass|secret|token|code/i

/**
 * Undefined where the body has no such text: a record with nothing but everyday words is never searched for, since
 * somebody else's may look the same.
 *
 * @param scopes letters of the checks of this run
 */
export function intentOf(table: string, body: Body, scopes: ReadonlySet<string>): Intent | undefined {
  for (const [field, value] of Object.entries(body)) {
    if (typeof value !== 'string' || value.length > 200 || /[\t\r\n]/.test(value) || secret.test(field))
      continue
    if (scopes.has(uniqueText.exec(value)?.[1] ?? '')) return { table, field, value }
  }
  return undefined
}
