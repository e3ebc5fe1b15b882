/**
 * The public form of rows that are shown again and again, if it depends on nothing but the row. Lists and views show
 * the same records many times between two writes; most of their time went into making the same object and its text.
 *
 * @module
 */

import { keepText } from '../http/kept-text.ts'
import type { Json, Row, Table } from '../vocabulary.ts'

export type Shown = { [key: string]: Json }

/** Rows of one table whose form is kept, at most. */
const mostKept = 5000

class ShownRows {
  #once = new WeakSet<Row>()
  #kept = new WeakMap<Row, Shown>()
  /** How many more rows can be kept. Below zero: the number of rows that were not kept. */
  #left = mostKept

  show(row: Row, make: () => Shown): Shown {
    const kept = this.#kept.get(row)
    if (kept !== undefined) return kept
    const shown = make()
    // Most rows are shown only once: of these, only the fact that they were shown is kept.
    if (!this.#once.has(row)) {
      this.#once.add(row)
      return shown
    }
    this.#left -= 1
    // Changed and deleted rows keep their places, so the cache is emptied now and then. This must be rare: otherwise a
    // client that reads a large table page by page would never find a kept form.
    if (this.#left < -10 * mostKept) {
      this.#kept = new WeakMap()
      this.#left = mostKept
    }
    if (this.#left < 0 || !keepText(shown)) return shown
    this.#kept.set(row, shown)
    return Object.freeze(shown)
  }
}

const toClients = new WeakMap<Table, ShownRows>()
const toSuperusers = new WeakMap<Table, ShownRows>()

/** The forms for the current definition of a table: a changed definition is another `Table`. */
export function shownRows(table: Table, superuser: boolean): ShownRows {
  const byTable = superuser ? toSuperusers : toClients
  let rows = byTable.get(table)
  if (rows === undefined) {
    rows = new ShownRows()
    byTable.set(table, rows)
  }
  return rows
}
