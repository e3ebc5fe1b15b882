/**
 * The clean-up registry: what the run created, so that it can be deleted in reverse order, and what could not be deleted.
 * Only what is shown to be this run's is deleted.
 *
 * @module
 */

import { isSuccess } from '../../spec/status-range.ts'
import { messageOf, TargetLostError } from '../errors.ts'
import { saysGone } from '../ownership/says-gone.ts'
import type { Standing } from '../ownership/standing-by-view.ts'
import type { Intent, RecordEntry } from './journal.ts'
import { Leftovers } from './leftovers.ts'
import { UndeletableTables } from './undeletable-tables.ts'

/** The result of a delete. */
export interface Removal {
  status: number
  reason: string
  /** The record still exists, whatever the response was. */
  shown?: boolean
}

/** Why a record still exists. */
type Kept = Pick<Removal, 'reason' | 'shown'> & Partial<Pick<Removal, 'status'>>

export interface CleanupEntry {
  /** The table's path segment. */
  table: string
  id: string
  /** Marks of the run in it. @default none */
  marks?: readonly string[]
  /** The journal of an earlier run has it: this run's does not repeat it. @default false */
  inherited?: boolean
  /** The create that made it: settled once it is deleted. */
  intent?: Intent | undefined
  /** No response named the id, which the create sent: if no record has it, the created one has another. @default false */
  assumed?: boolean
  /** Whose it is: only what this run created is deleted. Absent: it is not a record, and only this run can have created it. */
  standing?(): Promise<Standing>
  /** Whether it still exists although the server said that it was deleted. Called after `verifyDeletedLater`. */
  remains?(): Promise<boolean>
  /** Whether views show that it no longer exists. Called after its delete was rejected. */
  isGone?(): Promise<boolean>
  /** Deletes it as the actor with the most permissions. Returns the status of the response. */
  remove(): Promise<Removal>
  /** Called once it no longer exists. */
  onDeleted?(): void
  /** Called with the reason if it is not this run's: it is left alone. */
  onForeign?(reason: string): void
}

/** Deletes records in this order, with one call. @throws what keeps some of them from being deleted */
export type DeleteAll = (records: readonly { table: string; id: string }[]) => Promise<unknown>

export interface CleanupOptions {
  /** Called for each record created or deleted: the journal of the run. */
  note?: Note
  /** Called when the target has stopped responding: whether it responds again. */
  revive?: () => Promise<boolean>
  /** Whether the target responds. Checked at the end, if it was lost before. */
  alive?: () => Promise<boolean>
  /** Where the target offers a shorter way than a request for each record. */
  deleteAll?: DeleteAll
  /** Proves many records with few requests, before each one is requested. */
  proveTogether?: (entries: readonly CleanupEntry[]) => Promise<void>
  /** Records of one table that are deleted at the same time. @default 1 */
  atOnce?: number
}

export type Note = (entry: RecordEntry) => void

export class CleanupRegistry {
  readonly #entries = new Map<string, CleanupEntry>()
  /** What each entry was when it was added last: the first, the second and so on. */
  readonly #addedAs = new WeakMap<CleanupEntry, number>()
  #added = 0
  #gone = 0
  readonly #kept = new Map<string, CleanupEntry>()
  /** What the clean-up itself needs. */
  readonly #last = new Map<string, CleanupEntry>()
  readonly #lastTables = new Set<string>()
  readonly #undeletable = new UndeletableTables()
  readonly #toVerify = new Set<CleanupEntry>()
  /** What could not be deleted, or may exist. */
  readonly leftovers = new Leftovers()
  readonly #note: Note
  #journalError: string | undefined
  readonly #revive: () => Promise<boolean>
  #deleteAll: DeleteAll | undefined
  readonly #proveTogether: (entries: readonly CleanupEntry[]) => Promise<void>
  readonly #atOnce: number
  /** Why the shorter way is no longer taken. */
  #longWay = ''
  readonly #pendingCreates = new Set<Intent>()
  readonly #alive: () => Promise<boolean>
  /** Once the target has stopped responding, each attempt would time out: the remaining entries are kept for the end of the run. */
  #lost = false
  /** Whether the target was restarted. It is restarted once only: if it dies again, it would keep dying. */
  #revived = false

  constructor({
    note = () => {},
    revive = async () => false,
    alive = async () => false,
    deleteAll,
    proveTogether = async () => {},
    atOnce = 1,
  }: CleanupOptions = {}) {
    this.#alive = alive
    this.#note = note
    this.#revive = revive
    this.#deleteAll = deleteAll
    this.#proveTogether = proveTogether
    this.#atOnce = atOnce
  }

  /** Why the journal could not be written to its end: later runs do not know all that this one left. */
  get journalError(): string | undefined {
    return this.#journalError
  }

  /** Number of records that no longer exist. */
  get gone(): number {
    return this.#gone
  }

  /** A full disk must not keep anything from being deleted. What follows a line that may be cut would be lost too. */
  #write(entry: RecordEntry): void {
    if (this.#journalError !== undefined) return
    try {
      this.#note(entry)
    } catch (error) {
      this.#journalError = messageOf(error)
    }
  }

  /** A create is about to be sent. `settle` is called once its response is there and was understood. */
  intend(intent: Intent): Intent {
    this.#pendingCreates.add(intent)
    this.#write({ event: 'creating', ...intent })
    return intent
  }

  /** The result of the create is known. */
  settle(intent: Intent): void {
    if (!this.#pendingCreates.delete(intent)) return
    this.#write({ event: 'settled', ...intent })
  }

  /** Creates whose record is not known: there was no response, or it contained no id. */
  get pendingCreates(): readonly Intent[] {
    return [...this.#pendingCreates]
  }

  /** The pending create of a record with the same text, if there is one. */
  pendingLike({ table, field, value }: Intent): Intent | undefined {
    return this.pendingCreates.find(
      (each) => each.table === table && each.field === field && each.value === value,
    )
  }

  /** Whether its record is known, and lasts until `cleanLast`: nothing has to search for it. */
  isKeptToTheEnd(intent: Intent): boolean {
    return [...this.#last.values()].some((entry) => entry.intent === intent)
  }

  add(added: CleanupEntry): void {
    const key = `${added.table}/${added.id}`
    const entry = this.#withEarlierIntent(added, this.#entries.get(key))
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#added += 1
    this.#addedAs.set(entry, this.#added)
    if (entry.inherited === true) return
    this.#write({ event: 'created', table: entry.table, id: entry.id, marks: entry.marks ?? [] })
  }

  /** Of two creates that returned the same id, the first is settled: its record is deleted, or is deleted with this entry. */
  #withEarlierIntent(entry: CleanupEntry, earlier: CleanupEntry | undefined): CleanupEntry {
    const intent = earlier?.intent
    if (earlier === undefined || intent === undefined || intent === entry.intent) return entry
    // The server reuses the id of a record that it has deleted.
    if (this.#toVerify.delete(earlier)) this.settle(intent)
    return entry.intent === undefined && this.#pendingCreates.has(intent) ? { ...entry, intent } : entry
  }

  /** A guest has seen this record. To be called once for each. */
  noteSeenByGuest(table: string, id: string): void {
    this.#write({ event: 'seen', table, id })
  }

  /** Takes over what another registry of the run, which has ended, could not delete or does not know. */
  adopt(other: CleanupRegistry): void {
    this.leftovers.adopt(other.leftovers)
    this.#journalError ??= other.#journalError
  }

  /** It has been deleted already. */
  markDeleted(table: string, id: string): void {
    const key = `${table}/${id}`
    const entry = this.#find(key)
    if (entry === undefined) return
    this.#forget(key, entry)
  }

  /**
   * A response says that it is deleted, and only the actor that created it could see that it is not: the clean-up views
   * it again.
   */
  verifyDeletedLater(table: string, id: string): void {
    const key = `${table}/${id}`
    const entry = this.#find(key)
    if (entry === undefined) return
    this.#toVerify.add(entry)
    entry.onDeleted?.()
  }

  #find(key: string): CleanupEntry | undefined {
    return this.#entries.get(key) ?? this.#kept.get(key) ?? this.#last.get(key)
  }

  #forget(key: string, entry: CleanupEntry): void {
    this.#entries.delete(key)
    this.#kept.delete(key)
    this.#last.delete(key)
    this.#gone += 1
    entry.onDeleted?.()
    if (entry.intent !== undefined) this.settle(entry.intent)
    // An earlier attempt may have failed.
    this.leftovers.drop(entry)
    this.#write({ event: 'gone', table: entry.table, id: entry.id })
  }

  /** A point in time to which `cleanTo` returns, whatever becomes of older entries. */
  mark(): number {
    return this.#added
  }

  #addedSince(mark: number): [string, CleanupEntry][] {
    return [...this.#entries].filter(([, entry]) => (this.#addedAs.get(entry) ?? 0) > mark)
  }

  /** What was added after the mark lasts until `cleanKept`: several checks use it. */
  keepFrom(mark: number): void {
    for (const [key, entry] of this.#addedSince(mark)) this.#keep(key, entry)
  }

  /**
   * What was added after the mark lasts until `cleanLast`: the clean-up itself needs it.
   *
   * @param table in which it is, even if no response contained its id
   */
  keepToTheEnd(mark: number, table: string): void {
    this.#lastTables.add(table)
    for (const [key, entry] of this.#addedSince(mark)) {
      this.#entries.delete(key)
      this.#last.set(key, entry)
    }
  }

  /** The tables with records that last until `cleanLast`. */
  get lastTables(): ReadonlySet<string> {
    return this.#lastTables
  }

  /** Deletes what the clean-up itself needed. To be called once, when everything else is deleted. */
  async cleanLast(): Promise<void> {
    for (const [key, entry] of this.#last) this.#kept.set(key, entry)
    this.#last.clear()
    await this.cleanKept()
  }

  /** Whether clean-up can continue: a target that was lost is probed again. */
  async reachable(): Promise<boolean> {
    if (this.#lost) this.#lost = !(await this.#alive())
    return !this.#lost
  }

  /**
   * Deletes the kept entries, including those that a lost target kept from being deleted. To be called once, at the end of
   * a run: what remains then is a leftover.
   */
  async cleanKept(): Promise<void> {
    // A target that is lost meanwhile gets a second attempt.
    for (let tries = 0; tries < 2 && (await this.reachable()); tries += 1) {
      for (const [key, entry] of this.#kept) this.#entries.set(key, entry)
      this.#kept.clear()
      await this.cleanTo(0)
    }
    for (const entry of [...this.#entries.values(), ...this.#kept.values()]) this.#report(entry, lostMessage)
    this.#entries.clear()
    this.#kept.clear()
  }

  /**
   * Deletes what was added after the mark, youngest first. Never throws: what the target does not delete is a leftover.
   * If the target is lost, the rest is kept for the end.
   */
  async cleanTo(mark: number): Promise<void> {
    const young = await this.#ours(this.#addedSince(mark).reverse())
    const rejected: [string, CleanupEntry, Kept][] = []
    const waiting: [string, CleanupEntry][] = []
    const deleted = await this.#deletedAtOnce(young.flatMap(([, entry, proven]) => (proven ? [entry] : [])))
    for (const group of alike(young, this.#atOnce)) {
      const outcomes = await Promise.all(
        group.map(([, entry]) => (deleted.has(entry) ? undefined : this.#removed(entry))),
      )
      for (const [at, [key, entry]] of group.entries()) {
        const outcome = outcomes[at]
        if (!deleted.has(entry)) this.#undeletable.note(entry.table, outcome)
        if (outcome === undefined) this.#forget(key, entry)
        else if (this.#lost) waiting.push([key, entry])
        else rejected.push([key, entry, outcome])
      }
    }
    // A delete may have been rejected because of a record that has been deleted since.
    for (const [key, entry, kept] of rejected) {
      this.#entries.delete(key)
      const outcome = this.isUndeletable(entry.table) ? kept : await this.#removed(entry)
      // For an account that has been deleted meanwhile, an existing record looks missing.
      if (outcome === undefined && kept.shown !== true) this.#forget(key, entry)
      else if (this.#lost) waiting.push([key, entry])
      else if (kept.shown !== true && (await this.#isGone(entry))) this.#forget(key, entry)
      else this.#report(entry, kept.reason + this.#longWay)
    }
    // In the order in which they were added: the youngest is deleted first then, too.
    for (const [key, entry] of waiting.reverse()) this.#keep(key, entry)
  }

  /** Whether the deletes so far show that no record of the table can be deleted: each is tried only once then. */
  isUndeletable(table: string): boolean {
    return this.#undeletable.has(table)
  }

  #keep(key: string, entry: CleanupEntry): void {
    this.#entries.delete(key)
    this.#kept.set(key, entry)
  }

  /**
   * Entries that are proven to be this run's, and those that could not be proven because the target is lost: a delete by
   * request proves those first, the shorter way does not. The others no longer exist, or are left alone and reported.
   */
  async #ours(
    entries: readonly [string, CleanupEntry][],
  ): Promise<[key: string, entry: CleanupEntry, proven: boolean][]> {
    // Records that this does not prove are viewed, one by one.
    if (!this.#lost) await this.#proveTogether(entries.map(([, entry]) => entry)).catch(() => {})
    const standings = await Promise.all(entries.map(([, entry]) => this.#standingOf(entry)))
    return entries.flatMap(([key, entry], at) => {
      const standing = standings[at] ?? 'lost'
      if (standing === 'ours' || standing === 'lost') return [[key, entry, standing === 'ours']]
      // The record that the create made is searched for at the end.
      if (standing === 'gone')
        this.#forget(key, entry.assumed === true ? { ...entry, intent: undefined } : entry)
      else {
        this.#entries.delete(key)
        if ('foreign' in standing) {
          entry.onForeign?.(standing.foreign)
          this.#write({ event: 'gone', table: entry.table, id: entry.id })
        } else
          this.#report(
            entry,
            `it is not proven to be ${runOf(entry)}'s: ${standing.unknown}${soughtBy(entry)}`,
          )
      }
      return []
    })
  }

  /** A check may have deleted it in a batch, or with another record, and any status may be that of a missing record. */
  async #isGone(entry: CleanupEntry): Promise<boolean> {
    if (this.isUndeletable(entry.table)) return false
    return (await entry.isGone?.().catch(() => false)) === true
  }

  async #standingOf(entry: CleanupEntry): Promise<Standing | 'lost'> {
    if (this.#lost) return 'lost'
    if (entry.standing === undefined) return 'ours'
    try {
      if (this.#toVerify.delete(entry) && (await entry.remains?.()) !== true) return 'gone'
      return await entry.standing()
    } catch (error) {
      // If the target is lost, the delete fails too, and handles that.
      if (error instanceof TargetLostError) return 'lost'
      return { unknown: messageOf(error) }
    }
  }

  #report(entry: CleanupEntry, reason: string): void {
    // Its id is known, so nothing needs to search for it.
    if (entry.intent !== undefined) this.#pendingCreates.delete(entry.intent)
    this.leftovers.report(entry, reason)
  }

  /** Entries that need no request of their own any more. If the shorter way fails, each is deleted by a request. */
  async #deletedAtOnce(entries: readonly CleanupEntry[]): Promise<ReadonlySet<CleanupEntry>> {
    const records = entries.filter(({ standing }) => standing !== undefined)
    if (this.#deleteAll === undefined || this.#lost || records.length === 0) return new Set()
    try {
      await this.#deleteAll(records.map(({ table, id }) => ({ table, id })))
      return new Set(records)
    } catch (error) {
      // It would fail, or time out, at every clean-up.
      this.#deleteAll = undefined
      this.#longWay = `; ${messageOf(error)}`
      return new Set()
    }
  }

  /** Undefined if it is deleted, otherwise why it is not. */
  async #removed(entry: CleanupEntry): Promise<Kept | undefined> {
    if (this.#lost) return { reason: lostMessage }
    try {
      const kept = keptBy(await entry.remove())
      if (kept?.shown !== true || this.isUndeletable(entry.table)) return kept
      // An actor that still sees it may be deleted next.
      return keptBy(await entry.remove())
    } catch (error) {
      if (!(error instanceof TargetLostError)) return { reason: messageOf(error) }
    }
    this.#lost = this.#revived || !(await this.#revive())
    this.#revived = true
    return this.#removed(entry)
  }
}

/** Groups adjacent entries of the same table, at most `most` in each: an account is deleted after what it created. */
function alike<T extends readonly [string, CleanupEntry, ...unknown[]]>(
  entries: readonly T[],
  most: number,
): T[][] {
  const groups: T[][] = []
  for (const each of entries) {
    const last = groups.at(-1)
    if (last?.[0]?.[1].table === each[1].table && last.length < most) last.push(each)
    else groups.push([each])
  }
  return groups
}

const lostMessage = new TargetLostError().message

const runOf = ({ inherited }: CleanupEntry) => (inherited === true ? 'the earlier run' : 'this run')

/** How to find the record if its id may be wrong. */
function soughtBy({ intent }: CleanupEntry): string {
  return intent === undefined ? '' : `; the created record has ${intent.field} ${intent.value}`
}

function keptBy({ status, reason, shown }: Removal): Kept | undefined {
  return shown !== true && (isSuccess(status) || saysGone({ status }))
    ? undefined
    : { reason: `the delete returned ${status}: ${reason}`, status, shown }
}
