/**
 * Deletes what killed runs left on a target, according to their journals. A journal belongs to an address, which may serve
 * another database now: each record is viewed first, and deleted only if it has the values that the run wrote.
 *
 * @module
 */

import { messageOf } from '../errors.ts'
import { scopesOf } from '../ownership/scopes.ts'
import type { CleanUp, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { appendEntry, type CreatedRecord, type JournalState, journalsOf, removeJournal } from './journal.ts'
import { isKey } from './key-entry.ts'
import { keysNote, noneNote, outcomeNote } from './recovery-notes.ts'
import type { RecordPlace } from './remove-as.ts'
import { findUnnamed, removeFound } from './remove-found.ts'

/**
 * @param forget also ends the journals of records that could not be deleted: no later run tries again, or lists them
 * @returns notes for the report, one line each; what could not be deleted is added to the leftovers of this run, once
 */
export async function recoverLeftovers(
  session: Wire & CleanUp & RunSettings,
  { folder, forget = false }: { folder?: string; forget?: boolean } = {},
): Promise<string[]> {
  if (session.options.readOnly === true || session.options.journal === undefined) return []
  const notes: string[] = []
  for (const journal of journalsOf(session.target.baseUrl, folder)) {
    if (journal.alive) continue
    const { cleanup, recorder, ownership } = session
    const others = ownership.foreign.length
    const nameless = cleanup.leftovers.withoutId
    const found = await recorder.silently(() => findUnnamed(session, journal.unsure))
    const all = [...new Map([...journal.created, ...found].map((each) => [keyOf(each), each])).values()]
    const created = all.filter((each) => !isKey(each))
    const keys = all.filter(isKey)
    if (keys.length > 0) notes.push(keysNote(journal, keys))
    const scopes = scopesOf(journal.namespace, session.requirements.keys())
    ownership.guests.sawTables(journal.shown)
    let gone = 0
    for (const each of created.toReversed())
      gone += (await recorder.silently(() => removeFound(session, each, scopes))) ? 1 : 0
    // If the target is lost, the records are kept in the journals, neither deleted nor dropped.
    if (!(await cleanup.reachable())) break
    const left = new Map(cleanup.leftovers.all.map((each) => [keyOf(each), each.reason]))
    const reasons = created.flatMap((each) => left.get(keyOf(each)) ?? [])
    const kept = reasons.length
    if (kept > 0) notes.push(...noteOutcomes(session, journal, created, left))
    const unknown = cleanup.leftovers.withoutId - nameless
    const foreign = ownership.foreign.length - others
    if (created.length > 0) notes.push(outcomeNote(journal, { all: created.length, gone, foreign }, reasons))
    else if (journal.unsure.length > 0 && unknown === 0) notes.push(noneNote(journal))
    if (forget || kept + unknown === 0) removeJournal(journal.file)
  }
  return notes
}

const keyOf = ({ table, id }: RecordPlace) => `${table}/${id}`

/**
 * Keeps the journal of an earlier run up to date: what does not remain, and what a guest has seen by now.
 *
 * @returns notes for the report
 */
function noteOutcomes(
  { ownership }: CleanUp,
  { file, startedAt }: JournalState,
  created: readonly CreatedRecord[],
  left: ReadonlyMap<string, string>,
): string[] {
  try {
    for (const each of created) {
      const { table, id, seen = false } = each
      if (!left.has(keyOf(each))) appendEntry(file, { event: 'gone', table, id })
      else if (!seen && ownership.guests.has(table, id)) appendEntry(file, { event: 'seen', table, id })
    }
    return []
  } catch (error) {
    // On a full disk, for example: the next run views these records again, which does no harm.
    return [`the journal of a run of ${startedAt} cannot be updated: ${messageOf(error)}`]
  }
}
