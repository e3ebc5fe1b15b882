/**
 * Registers a record that was found by its text as this run's, since the response to its create contained no id.
 *
 * @module
 */

import { BlockedError } from '../judging/expect.ts'
import type { OwnershipClaim } from '../ownership/holds-proof.ts'
import { idOf } from '../ownership/prior-records.ts'
import type { WireRecord } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { accountSessions } from './account-sessions.ts'
import type { Intent } from './journal.ts'
import { recordEntry } from './record-entry.ts'

/**
 * @param intent of the create: it is settled once the record is deleted
 * @param marks of the run in the create
 * @throws BlockedError if it existed before the run
 */
export function addFound(
  session: Wire & CleanUp,
  { table, field, value }: Intent,
  record: WireRecord,
  marks: readonly string[],
): void {
  const { accounts, cleanup, ownership } = session
  // A server may return ids as numbers: in a path they are strings.
  const id = idOf(record) ?? ''
  // Perhaps only the account that it is may delete it.
  accounts.found(id, [value])
  const claim: OwnershipClaim = { table, id, marks, viewers: accountSessions(session, { table, id }) }
  if (ownership.claim(claim) === 'foreign')
    throw new BlockedError(`the record ${id} of ${table} existed before the run: it is left alone`)
  ownership.saw(table, [record])
  cleanup.add({ ...recordEntry(session, claim), intent: cleanup.pendingLike({ table, field, value }) })
}
