/**
 * The clean-up at the end of a run: what its checks shared, and what it may have left under ids that no response returned.
 *
 * @module
 */

import { marksIn } from '../ownership/marks.ts'
import { mostPriorIds, recordsOf } from '../ownership/prior-records.ts'
import { mappedTable } from '../target/mapped-table.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { accountSessions } from './account-sessions.ts'
import type { CreatedRecord, Intent } from './journal.ts'
import { recordEntry } from './record-entry.ts'
import { findUnnamed, removeFound } from './remove-found.ts'

const stillListed = 'the response to its delete said that it was gone, but it is still listed'

/** @param sweeps whether every table is searched for records of the run. @default true */
export async function cleanEnd(session: Wire & CleanUp, { sweeps = true } = {}): Promise<void> {
  const { cleanup, ownership, recorder } = session
  await recorder.silently(async () => {
    await cleanup.cleanKept()
    const last = cleanup.lastTables
    const tables = sweeps ? [...ownership.prior.tables] : []
    const goneBefore = cleanup.gone
    for (const table of tables) if (!last.has(table)) await sweep(session, table)
    // The youngest first: an account is older than what it created.
    for (const intent of cleanup.pendingCreates.toReversed()) {
      if (cleanup.isKeptToTheEnd(intent)) continue
      const left = cleanup.leftovers.all.length
      // If the target does not respond a search would only wait. The journal keeps it for the next run.
      if (!(await cleanup.reachable())) {
        cleanup.leftovers.reportWithoutId(
          intent.table,
          `its create got no response (${intent.field} ${intent.value}): it may exist`,
        )
        continue
      }
      const isKnown = await removeAccount(session, intent)
      const found = isKnown ? [] : await findUnnamed(session, [intent])
      for (const each of found) await removeFound(session, each)
      const why = isKnown || found.length > 0 ? undefined : whyNotFound(session, intent.table)
      if (why !== undefined && cleanup.leftovers.all.length === left)
        cleanup.leftovers.reportWithoutId(
          intent.table,
          `the response to its create (${intent.field} ${intent.value}) contained no id, or the id of another record, and ${why}: it may exist`,
        )
      if (cleanup.leftovers.all.length === left) cleanup.settle(intent)
    }
    // A delete may have been rejected because of a record that has been found and deleted since.
    const isLeft = (table: string) => cleanup.leftovers.all.some((each) => each.table === table)
    if (cleanup.gone > goneBefore)
      for (const table of tables) if (!last.has(table) && isLeft(table)) await sweep(session, table)
    await cleanup.cleanLast()
    for (const table of tables) if (last.has(table)) await sweep(session, table)
    // Records of other checks that are under way would be new, too.
    if (sweeps) await cleanup.leftovers.resolveMayExist((table) => showsNothingNew(session, table))
  })
}

/**
 * Deletes the account of a create whose response contained no id: a sign-in has shown it, or does so now.
 *
 * @returns false if the account does not exist, or no sign-in shows its id
 */
async function removeAccount(session: Wire & CleanUp, { table, value }: Intent): Promise<boolean> {
  const { accounts, cleanup, ownership } = session
  const signIn = accounts.signInWithoutId(value)
  if (session.actors.knows('superuser') || signIn === undefined) return false
  if (accounts.idOf(value) === undefined)
    await session.cleaner('guest').authWithPassword({ role: '', name: table }, { ...signIn })
  const id = accounts.idOf(value)
  if (id === undefined) return false
  if (accounts.deleted.has(id)) return true
  const claim = { table, id, marks: [value.toLowerCase()], viewers: accountSessions(session, { table, id }) }
  if (ownership.claim(claim) === 'foreign') return true
  const mark = cleanup.mark()
  cleanup.add(recordEntry(session, claim))
  await cleanup.cleanTo(mark)
  return true
}

/** Why a record may exist although a search for its string did not find it; undefined if the search proves that it is not. */
function whyNotFound({ actors, ownership }: Wire & CleanUp, table: string): string | undefined {
  // The record may be hidden from guests, even in a table whose other records are shown to everyone.
  if (!actors.knows('superuser') && !ownership.guests.showsAllTexts(table))
    return 'guests cannot see the record'
  // An update may have replaced the text. Only a list of the whole table shows the record then.
  const { reason } = ownership.prior.unlisted.find((each) => each.table === table) ?? {}
  return reason === undefined ? undefined : `the table cannot be listed as a whole: ${reason}`
}

/** Only a list that shows every record says so, and only to its end. */
async function showsNothingNew(session: Wire & CleanUp, table: string): Promise<boolean> {
  const { actors, cleanup, ownership } = session
  const showsAll = actors.knows('superuser') || ownership.guests.showsAllTexts(table)
  if (!showsAll || !(await cleanup.reachable())) return false
  const name = mappedTable(session, table)?.name ?? table
  let whole = false
  const records = recordsOf(session.mostAble(), name, mostPriorIds, (end) => {
    whole = end === 'whole'
  })
  try {
    for await (const { id } of records)
      if (!ownership.prior.has(name, id) && !cleanup.leftovers.has({ table, id })) return false
  } catch (error) {
    // A list that cannot be read proves nothing.
    if (!(error instanceof Error)) throw error
    return false
  }
  return whole
}

/** Deletes every record of a table that holds a mark of this run, whatever the response to its create or delete was. */
async function sweep(session: Wire & CleanUp, table: string): Promise<void> {
  const { cleanup } = session
  if (!(await cleanup.reachable())) return
  const found = await marked(session, table)
  for (const each of found.toReversed())
    if (!cleanup.isUndeletable(table) || !cleanup.leftovers.has(each)) await removeFound(session, each)
  if (found.length === 0) return
  // A record that could not be deleted is already reported, with the reason.
  for (const { id } of await marked(session, table))
    if (!cleanup.leftovers.has({ table, id })) cleanup.leftovers.report({ table, id }, stillListed)
}

/** The records of a table that contain a mark of this run and did not exist before it. */
async function marked(session: Wire & CleanUp, table: string): Promise<CreatedRecord[]> {
  const { accounts, cleanup, ownership, scopes } = session
  const found: CreatedRecord[] = []
  try {
    const records = recordsOf(session.mostAble(), table, mostPriorIds, (end) =>
      ownership.prior.ended(table, end),
    )
    for await (const { id, record } of records) {
      const marks = marksIn(record, scopes)
      if (marks.length === 0 && ownership.isUndeleted(table, id, record))
        cleanup.leftovers.report({ table, id }, stillListed)
      if (marks.length === 0 && !ownership.wasGiven(table, id)) continue
      if (ownership.prior.has(table, id))
        ownership.leaveAlone(table, id, 'it existed before the run, but now contains a string of this run')
      else {
        found.push({ table, id, marks })
        accounts.found(id, [record.email, record.username])
      }
    }
  } catch (error) {
    // If the table cannot be listed, each create is searched for by its text, and reported.
    if (!(error instanceof Error)) throw error
  }
  return found
}
