/**
 * What the run created, so that it can be deleted again in reverse order, and what could not be deleted.
 *
 * @module
 */

import { TargetLostError } from './errors.ts'
import type { Leftover, Reply } from './vocabulary.ts'

export interface LedgerEntry {
  /** The table's path segment. */
  table: string
  id: string
  /** Deletes it as the most able actor there is. Gives the status of the answer. */
  remove(): Promise<{ status: number; reason: string }>
}

export type SentKind = 'reads' | 'signIns' | 'writes'

/** `+` for what was created, `-` for what is gone. */
export type Note = (sign: '+' | '-', table: string, id: string) => void

export class Ledger {
  readonly #entries = new Map<string, LedgerEntry>()
  readonly #kept = new Map<string, LedgerEntry>()
  readonly leftovers: Leftover[] = []
  /** The last session of accounts that signed in, by id. */
  readonly tokens = new Map<string, string>()
  readonly #note: Note
  /** What was sent, by what it could do: a read-only run shows no writes. */
  readonly counts: Record<SentKind, number> = { reads: 0, signIns: 0, writes: 0 }
  /** Set once nobody answers any more: each further attempt would only wait. */
  #lost: string | undefined

  /** @param note told of everything that is created and gone again: the journal of the run */
  constructor(note: Note = () => {}) {
    this.#note = note
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
  nameless(table: string): void {
    this.leftovers.push({ table, id: 'unknown', reason: 'the answer to its creation did not tell its id' })
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
    for (const [key, entry] of young) {
      const outcome = await this.#removed(entry)
      if (outcome === undefined) {
        this.#entries.delete(key)
        this.#note('-', entry.table, entry.id)
      } else refused.push([key, entry, outcome])
    }
    // What was refused may have been held by something that is gone by now.
    for (const [key, entry, reason] of refused) {
      this.#entries.delete(key)
      if ((await this.#removed(entry)) === undefined) this.#note('-', entry.table, entry.id)
      else this.leftovers.push({ table: entry.table, id: entry.id, reason })
    }
  }

  /** Undefined when it is gone, otherwise why it is not. */
  async #removed(entry: LedgerEntry): Promise<string | undefined> {
    if (this.#lost !== undefined) return this.#lost
    try {
      const { status, reason } = await entry.remove()
      return (status >= 200 && status < 300) || status === 404
        ? undefined
        : `the delete was answered with ${status}: ${reason}`
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (error instanceof TargetLostError) this.#lost = message
      return message
    }
  }
}

/** What came of a delete, as it was recorded and not as it was received: a server may show the very token it refuses. */
export function removalOf({ status, exchange }: Reply): { status: number; reason: string } {
  return { status, reason: (exchange.response?.body ?? '').slice(0, 200) }
}
