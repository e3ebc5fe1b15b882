/**
 * The records that a run did not create: what they were, and what became of them.
 *
 * @module
 */

import type { Reference } from '../../reference/reference.ts'
import { servicesOf } from '../../reference/services-of.ts'

/** Address of one record: the table's name and the id. */
export interface ForeignPlace {
  table: string
  id: string
}

/** What a run did to records that are not its own, by `table/id`. */
export interface Damage {
  lost: string[]
  changed: string[]
}

/** Every record as text, files included, by table name and id. */
type State = Map<string, Map<string, string>>

/** Tables of the server itself that hold no data of users; an account's rows there go with the account. */
const internal = new Set(['_otps', '_mfas', '_authOrigins', '_externalAuths'])

export class ForeignRecords {
  readonly #reference: Reference
  #kept: State
  #turns = 0
  /** What the server changed or removed itself, `table/id`. */
  readonly #byServer = new Set<string>()

  /** Takes all records of the reference for foreign. */
  constructor(reference: Reference) {
    this.#reference = reference
    this.#kept = stateOf(reference)
  }

  /** How many there are, what the server removed itself not included. */
  get count(): number {
    return [...this.#kept.values()].reduce((sum, records) => sum + records.size, 0)
  }

  /** How many of them the server changed or removed itself. */
  get byServer(): number {
    return this.#byServer.size
  }

  /** Ids in a table, oldest first. @param table its name in any letter case, or its id */
  ids(table = ''): readonly string[] {
    return [...(this.#kept.get(this.#nameOf(table))?.keys() ?? [])]
  }

  /** One of a table's ids, another one each time. An id of no table where the table is empty or unknown. */
  next(table?: string): string {
    const ids = this.ids(table)
    return ids[(this.#turns++ * 7) % Math.max(1, ids.length)] ?? 'nothere00000000'
  }

  has(table: string | undefined, id: string | undefined): boolean {
    return this.#kept.get(this.#nameOf(table ?? ''))?.has(id ?? '') === true
  }

  /** The server changed or removed the record on its own: the run is not to blame. */
  changedByServer(table: string, id: string): void {
    const name = this.#nameOf(table)
    if (this.#kept.get(name)?.delete(id) === true) this.#byServer.add(`${name}/${id}`)
  }

  /** The server made the record on its own, or for someone else: it must stay as it is now. */
  addedByServer(table: string, id: string): void {
    const name = this.#nameOf(table)
    const text = stateOf(this.#reference).get(name)?.get(id)
    if (text !== undefined) this.#kept.get(name)?.set(id, text)
    this.#byServer.delete(`${name}/${id}`)
  }

  /** The server has another database from now on. */
  replacedByServer(): void {
    this.#kept = stateOf(this.#reference)
  }

  damage(): Damage {
    const now = stateOf(this.#reference)
    const damage: Damage = { lost: [], changed: [] }
    for (const [table, records] of this.#kept) {
      for (const [id, text] of records) {
        const present = now.get(table)?.get(id)
        if (present === undefined) damage.lost.push(`${table}/${id}`)
        else if (present !== text) damage.changed.push(`${table}/${id}`)
      }
    }
    return damage
  }

  /** Records that exist now and are not foreign: the records of the run. */
  others(): (ForeignPlace & { text: string })[] {
    return [...stateOf(this.#reference)]
      .filter(([table]) => !internal.has(table))
      .flatMap(([table, records]) =>
        [...records]
          .filter(([id]) => !this.has(table, id) && !this.#byServer.has(`${table}/${id}`))
          .map(([id, text]) => ({ table, id, text })),
      )
  }

  #nameOf(table: string): string {
    return servicesOf(this.#reference).store.current.table(table)?.name ?? table
  }
}

function stateOf(reference: Reference): State {
  const { tables, data } = servicesOf(reference).store.snapshot().root
  const state: State = new Map()
  for (const { id: tableId, name } of tables.values()) {
    const records = new Map<string, string>()
    const held = data.get(tableId)
    for (const { id, values } of held?.rows.values() ?? []) records.set(id, JSON.stringify(values))
    for (const [key, { bytes, type }] of held?.files.entries() ?? []) {
      const id = key.split('\0')[0] ?? ''
      records.set(id, `${records.get(id)}\n${key} ${type} ${Buffer.from(bytes).toString('base64')}`)
    }
    state.set(name, records)
  }
  return state
}
