/**
 * Deletes what killed runs left on a target, according to their journals, and at the end of a run what this one may have
 * left under ids that no response returned. A journal belongs to an address, which may serve another database now: each record
 * is viewed first, and deleted only if it has the values that the run wrote.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { messageOf } from '../errors.ts'
import { marksIn } from '../ownership/marks.ts'
import { mostPriorIds, recordsOf } from '../ownership/prior-records.ts'
import { scopesOf } from '../ownership/scopes.ts'
import { mappedTable } from '../target/mapped-table.ts'
import type { Api } from '../vocabulary/api.ts'
import type { CleanUp, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { findIntended } from './find-intended.ts'
import {
  appendEntry,
  type CreatedRecord,
  type Intent,
  type JournalState,
  journalsOf,
  removeJournal,
} from './journal.ts'
import { isKey } from './key-entry.ts'
import { ownSessions } from './own-sessions.ts'
import { recordEntry, removeFirst } from './record-entry.ts'
import type { RecordPlace } from './remove-as.ts'

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
    const found = await recorder.silently(() => search(session, journal.unsure))
    const all = [...new Map([...journal.created, ...found].map((each) => [keyOf(each), each])).values()]
    const created = all.filter((each) => !isKey(each))
    const keys = all.filter(isKey)
    if (keys.length > 0) notes.push(keysNote(journal, keys))
    const scopes = scopesOf(journal.namespace, session.requirements.keys())
    ownership.guests.sawTables(journal.shown)
    let gone = 0
    for (const each of created.toReversed())
      gone += (await recorder.silently(() => recover(session, each, scopes))) ? 1 : 0
    // If the target is lost, the records are kept in the journals, neither deleted nor dropped.
    if (!(await cleanup.reachable())) break
    const left = new Map(cleanup.leftovers.all.map((each) => [keyOf(each), each.reason]))
    const reasons = created.flatMap((each) => left.get(keyOf(each)) ?? [])
    const kept = reasons.length
    if (kept > 0) notes.push(...noteOutcomes(session, journal, created, left))
    const unknown = cleanup.leftovers.withoutId - nameless
    const foreign = ownership.foreign.length - others
    if (created.length > 0) notes.push(tellOf(journal, { all: created.length, gone, foreign }, reasons))
    else if (journal.unsure.length > 0 && unknown === 0) notes.push(noneNote(journal))
    if (forget || kept + unknown === 0) removeJournal(journal.file)
  }
  return notes
}

const keyOf = ({ table, id }: RecordPlace) => `${table}/${id}`

/**
 * The clean-up at the end of a run: what its checks shared, and what was created under an id that no response returned.
 *
 * @param sweeps whether every table is searched for records of the run. @default true
 */
export async function cleanEnd(session: Wire & CleanUp, { sweeps = true } = {}): Promise<void> {
  const { cleanup, ownership, recorder } = session
  await recorder.silently(async () => {
    await cleanup.cleanKept()
    const last = cleanup.lastTables
    const tables = sweeps ? [...ownership.prior.tables] : []
    for (const table of tables) if (!last.has(table)) await sweep(session, table)
    // The youngest first: an account is older than what it created.
    for (const intent of cleanup.pendingCreates.toReversed()) {
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
      const found = isKnown ? [] : await search(session, [intent])
      for (const each of found) await recover(session, each)
      const why = isKnown || found.length > 0 ? undefined : whyNotFound(session, intent.table)
      if (why !== undefined && cleanup.leftovers.all.length === left)
        cleanup.leftovers.reportWithoutId(
          intent.table,
          `the response to its create (${intent.field} ${intent.value}) contained no id, or the id of another record, and ${why}: it may exist`,
        )
      if (cleanup.leftovers.all.length === left) cleanup.settle(intent)
    }
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
  const claim = { table, id, marks: [value.toLowerCase()], viewers: ownSessions(session, { table, id }) }
  if (ownership.claim(claim) === 'foreign') return true
  const mark = cleanup.mark()
  cleanup.add(recordEntry(session, claim))
  await cleanup.cleanTo(mark)
  return true
}

/** Who may delete a record that was found by its text: perhaps only the account that it is. */
function clientsFor(
  session: Wire & CleanUp,
  place: RecordPlace,
  marks: readonly string[],
): (() => Promise<Api>)[] {
  session.accounts.found(place.id, marks)
  const isAccount = session.accounts.signInsOf(place.id).length > 0
  return isAccount ? ownSessions(session, place) : [async () => session.mostAble()]
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
  const reported = new Set(cleanup.leftovers.all.map(keyOf))
  let whole = false
  const records = recordsOf(session.mostAble(), name, mostPriorIds, (end) => {
    whole = end === 'whole'
  })
  try {
    for await (const { id } of records)
      if (!ownership.prior.has(name, id) && !reported.has(`${table}/${id}`)) return false
  } catch (error) {
    // A list that cannot be read proves nothing.
    if (!(error instanceof Error)) throw error
    return false
  }
  return whole
}

/** Nothing shows whose a key is: its id may belong to another client's key by now. */
function keysNote({ startedAt }: JournalState, keys: readonly CreatedRecord[]): string {
  return `a run of ${startedAt} left ${keys.length} API keys behind; they are not revoked, because nothing proves that they are still its own: ${keys.map(({ id }) => id).join(', ')}`
}

/** For records that were reported as left behind and that no list shows. */
function noneNote({ startedAt, unsure }: JournalState): string {
  const records = countOf(unsure.length, 'record')
  return `a run of ${startedAt} may have left ${records} whose id no response contained; now no list shows ${unsure.length === 1 ? 'it' : 'any of them'}`
}

/**
 * @param counts of all records of the run, and of those that do not exist any more, or that are another's
 * @param reasons why the others remain
 */
function tellOf(
  { startedAt }: JournalState,
  { all, gone, foreign }: Record<'all' | 'gone' | 'foreign', number>,
  reasons: readonly string[],
): string {
  const deleted = all - gone - reasons.length - foreign
  const kept = reasons.length === 0 ? '' : `; ${reasons.length} could not be deleted: ${mainReason(reasons)}`
  const outcome =
    reasons.length === all
      ? `none of its ${countOf(all, 'record')} could be deleted: ${mainReason(reasons)}`
      : `${deleted} of ${all} are deleted now${kept}`
  const missing =
    gone === 0
      ? ''
      : `; ${gone} no longer ${gone === 1 ? 'exists' : 'exist'}: a view does not find ${gone === 1 ? 'it' : 'them'}`
  const others =
    foreign === 0 ? '' : `; ${foreign} are no longer that run's and are left alone: the database has changed`
  return `a run of ${startedAt} left records behind: ${outcome}${missing}${others}`
}

/** The most frequent one, and the number of the others. */
function mainReason(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [[main = '', count = 0] = []] = [...counts].sort(([, one], [, other]) => other - one)
  const others = reasons.length - count
  return others === 0 ? main : `${main} (${others} for other reasons)`
}

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

const stillListed = 'its delete returned that it is gone, but it is still listed'

/** Deletes every record of a table that holds a mark of this run, whatever the response to its create or delete was. */
async function sweep(session: Wire & CleanUp, table: string): Promise<void> {
  const { cleanup } = session
  if (!(await cleanup.reachable())) return
  const found = await marked(session, table)
  for (const each of found.toReversed())
    if (!cleanup.isUndeletable(table) || !cleanup.leftovers.has(each)) await recover(session, each)
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

/** The records of creates without a response or without an id in it. If nothing can be listed, each is reported as left behind. */
async function search(session: Wire & CleanUp, unsure: readonly Intent[]): Promise<CreatedRecord[]> {
  const found: CreatedRecord[] = []
  for (const intent of unsure) {
    const { table, field, value } = intent
    // If the target is lost here, the other records are still reported.
    const result = await findIntended(session, session.mostAble(), intent).catch((error: Error) => ({
      reason: error.message,
    }))
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
 * Deletes a record of an earlier create through the cleanup registry, with its second attempt and its leftovers.
 *
 * @returns whether it no longer existed
 */
async function recover(
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
