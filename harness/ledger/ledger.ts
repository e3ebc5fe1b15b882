/**
 * What the run created, so that it can be deleted again in reverse order, and what could not be deleted.
 *
 * @module
 */

import { TargetLostError } from '../errors.ts'
import type { Leftover } from '../vocabulary/findings.ts'
import type { Intent, Sign } from './journal.ts'

/** What came of a delete. */
export interface Removal {
  status: number
  reason: string
  /** Whatever was answered, the record is still there. */
  shown?: boolean
}

export interface LedgerEntry {
  /** The table's path segment. */
  table: string
  id: string
  /** Deletes it as the most able actor there is. Gives the status of the answer. */
  remove(): Promise<Removal>
  /** No record: nothing but `remove` can delete it. */
  apart?: boolean
}

/** Deletes records in this order, all at once. @throws what keeps some of them from being deleted */
export type DeleteAll = (records: readonly { table: string; id: string }[]) => Promise<unknown>

export interface LedgerParts {
  /** Told of everything that is created and gone again: the journal of the run. */
  note?: Note
  /** Asked once nobody answers: whether somebody does again. */
  revive?: () => Promise<boolean>
  /** Where the target offers a shorter way than a request for each record. */
  deleteAll?: DeleteAll
}

export type SentKind = 'reads' | 'signIns' | 'writes'

export type Note = (sign: Sign, table: string, id: string) => void

export class Ledger {
  readonly #entries = new Map<string, LedgerEntry>()
  readonly #kept = new Map<string, LedgerEntry>()
  readonly leftovers: Leftover[] = []
  /** The last session of accounts that signed in, by id. */
  readonly tokens = new Map<string, string>()
  readonly #note: Note
  /** What was sent, by what it could do: a read-only run shows no writes. */
  readonly counts: Record<SentKind, number> = { reads: 0, signIns: 0, writes: 0 }
  readonly #revive: () => Promise<boolean>
  #deleteAll: DeleteAll | undefined
  /** Why the shorter way is not gone any more. */
  #longWay = ''
  readonly #unsure = new Set<Intent>()
  /** Once nobody answers any more each further attempt would only wait. */
  #lost = false
  /** Once is enough: what dies twice would die for ever. */
  #revived = false

  constructor({ note = () => {}, revive = async () => false, deleteAll }: LedgerParts = {}) {
    this.#note = note
    this.#revive = revive
    this.#deleteAll = deleteAll
  }

  /** A create is about to be sent. Gives what is to be called once its answer is there and was understood. */
  intend(intent: Intent): () => void {
    this.#unsure.add(intent)
    this.#note('?', intent.table, `${intent.field}=${intent.value}`)
    return () => this.settle(intent)
  }

  /** It is known what came of it. */
  settle(intent: Intent): void {
    this.#unsure.delete(intent)
    this.#note('.', intent.table, `${intent.field}=${intent.value}`)
  }

  /** Creates whose record is not known: an answer never came, or told no id. */
  get unsure(): readonly Intent[] {
    return [...this.#unsure]
  }

  sent(kind: SentKind): void {
    this.counts[kind] += 1
  }

  enter(entry: LedgerEntry): void {
    const key = `${entry.table}/${entry.id}`
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#note('+', entry.table, entry.id)
  }

  /** Something was created, and neither request nor answer said under which id: nobody can delete it. */
  nameless(table: string, reason = 'the answer to its creation did not tell its id'): void {
    this.leftovers.push({ table, id: 'unknown', reason })
  }

  /** Somebody deleted it already. */
  strike(table: string, id: string): void {
    this.#entries.delete(`${table}/${id}`)
    this.#kept.delete(`${table}/${id}`)
    this.#note('-', table, id)
  }

  /** A place to which `cleanTo` returns. */
  mark(): number {
    return this.#entries.size
  }

  /** What was entered after the mark lasts until `cleanKept`: several checks use it. */
  keepFrom(mark: number): void {
    for (const [key, entry] of [...this.#entries].slice(mark)) {
      this.#entries.delete(key)
      this.#kept.set(key, entry)
    }
  }

  /** Deletes what was kept. To be called once, at the end of a run. */
  async cleanKept(): Promise<void> {
    for (const [key, entry] of this.#kept) this.#entries.set(key, entry)
    this.#kept.clear()
    await this.cleanTo(0)
  }

  /** Deletes what was entered after the mark, youngest first. Never throws: what remains is a leftover. */
  async cleanTo(mark: number): Promise<void> {
    const young = [...this.#entries].slice(mark).reverse()
    const refused: [string, LedgerEntry, string][] = []
    const deleted = await this.#deletedAtOnce(young.map(([, entry]) => entry))
    for (const [key, entry] of young) {
      const outcome = deleted.has(entry) ? undefined : await this.#removed(entry)
      if (outcome === undefined) {
        this.#entries.delete(key)
        this.#note('-', entry.table, entry.id)
      } else refused.push([key, entry, outcome])
    }
    // What was refused may have been held by something that is gone by now.
    for (const [key, entry, reason] of refused) {
      this.#entries.delete(key)
      if ((await this.#removed(entry)) === undefined) this.#note('-', entry.table, entry.id)
      else this.leftovers.push({ table: entry.table, id: entry.id, reason: reason + this.#longWay })
    }
  }

  /** What needs no request of its own any more. Whatever keeps the shorter way from being gone, the longer one is left. */
  async #deletedAtOnce(entries: readonly LedgerEntry[]): Promise<ReadonlySet<LedgerEntry>> {
    const records = entries.filter(({ apart }) => apart !== true)
    if (this.#deleteAll === undefined || this.#lost || records.length === 0) return new Set()
    try {
      await this.#deleteAll(records.map(({ table, id }) => ({ table, id })))
      return new Set(records)
    } catch (error) {
      // What failed once would fail, or be waited for, at every clean-up.
      this.#deleteAll = undefined
      this.#longWay = `; ${error instanceof Error ? error.message : String(error)}`
      return new Set()
    }
  }

  /** Undefined when it is gone, otherwise why it is not. */
  async #removed(entry: LedgerEntry): Promise<string | undefined> {
    if (this.#lost) return gone
    try {
      return refusedReason(await entry.remove())
    } catch (error) {
      if (!(error instanceof TargetLostError)) return error instanceof Error ? error.message : String(error)
    }
    this.#lost = this.#revived || !(await this.#revive())
    this.#revived = true
    return this.#removed(entry)
  }
}

const gone = new TargetLostError().message

function refusedReason({ status, reason, shown }: Removal): string | undefined {
  return (status >= 200 && status < 300) || (status === 404 && shown !== true)
    ? undefined
    : `the delete was answered with ${status}: ${reason}`
}
