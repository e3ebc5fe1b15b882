/**
 * Finds the records of creates whose response named none, and deletes what was found by its text or in a journal.
 *
 * @module
 */

import { NO_TABLE } from '../support/no-record.ts'
import type { Api } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { accountSessions } from './account-sessions.ts'
import { findIntended } from './find-intended.ts'
import type { CreatedRecord, Intent } from './journal.ts'
import { recordEntry, removeFirst } from './record-entry.ts'
import type { RecordPlace } from './remove-as.ts'

/** The records of creates without a response or without an id in it. If nothing can be listed, each is reported as left behind. */
export async function findUnnamed(
  session: Wire & CleanUp,
  unsure: readonly Intent[],
): Promise<CreatedRecord[]> {
  const found: CreatedRecord[] = []
  for (const intent of unsure) {
    const { table, field, value } = intent
    // If the target is lost here, the other records are still reported.
    const result = await findIntended(session, session.mostAble(), intent).catch((error: Error) => ({
      reason: error.message,
    }))
    if ('reason' in result && (await hasNoTable(session, table))) continue
    if ('ids' in result) found.push(...result.ids.map((id) => ({ table, id, marks: [value.toLowerCase()] })))
    else {
      const reason =
        'listedAs' in result
          ? `the created record (${field} ${value}) is listed with ${result.listedAs}, which no path can contain: delete it yourself`
          : `no response contained the id of the created record (${field} ${value}), and it cannot be searched for: ${result.reason}`
      session.cleanup.leftovers.reportWithoutId(table, reason)
    }
  }
  return found
}

/**
 * Whether the server has no such table, so that no create in it made a record: its list is rejected, and no target has it, or
 * the superuser, who sees every table, does not find it. The setup of an earlier run may have made it, and it was deleted since.
 */
async function hasNoTable(session: Wire & CleanUp, table: string): Promise<boolean> {
  const isMapped = Object.values(session.target.tables).some(({ name, id }) => name === table || id === table)
  if (isMapped || !(table === NO_TABLE || session.actors.knows('superuser'))) return false
  const response = await session
    .mostAble()
    .list({ role: '', name: table })
    .catch(() => undefined)
  return table === NO_TABLE ? response?.ok === false : response?.status === 404
}

/**
 * Deletes a record of an earlier create through the cleanup registry, with its second attempt and its leftovers.
 *
 * @returns whether it no longer existed
 */
export async function removeFound(
  session: Wire & CleanUp,
  { table, id, marks, seen }: CreatedRecord,
  scopes: ReadonlySet<string> = session.scopes,
): Promise<boolean> {
  const { cleanup, ownership } = session
  const mark = cleanup.mark()
  const place = { table, id }
  if (ownership.wasGiven(table, id)) {
    // This run generated its id, which proves that the record is its own.
    const claim = { ...place, marks: [id.toLowerCase()], viewers: [async () => session.mostAble()] }
    ownership.claim(claim)
    cleanup.add({ ...recordEntry(session, claim), inherited: scopes !== session.scopes })
    await cleanup.cleanTo(mark)
    return false
  }
  let isGone = false
  cleanup.add({
    ...place,
    marks,
    inherited: scopes !== session.scopes,
    async standing() {
      const standing = await ownership.standingOfFound({ table, id, marks, seen }, scopes)
      isGone = standing === 'gone'
      return standing
    },
    remove: () => removeFirst(session, { ...place, viewers: clientsFor(session, place, marks) }),
    onDeleted: () => ownership.drop(table, id),
    onForeign: (why) => ownership.leaveAlone(table, id, why),
  })
  await cleanup.cleanTo(mark)
  return isGone
}

/** Who may delete a record that was found by its text: perhaps only the account that it is. */
function clientsFor(
  session: Wire & CleanUp,
  place: RecordPlace,
  marks: readonly string[],
): (() => Promise<Api>)[] {
  session.accounts.found(place.id, marks)
  const isAccount = session.accounts.signInsOf(place.id).length > 0
  return isAccount ? accountSessions(session, place) : [async () => session.mostAble()]
}
