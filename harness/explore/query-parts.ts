/**
 * The parts of the query of a list that the document leaves open, and how the records of a trial show that a form of one has
 * an effect.
 *
 * @module
 */

import type { Binding } from '../../spec/vocabulary.ts'
import type { Query } from '../vocabulary/api.ts'
import type { QueryPart } from '../vocabulary/target.ts'
import { conditionText, orderText, overridesForm } from '../wire/query-text.ts'
import type { queryForms } from './query-forms.ts'

/** A record of the trial: its id, and the text in the field that is called `title` here. */
export interface Row {
  id: string
  title: string
}

export interface ShownPage {
  rows: Row[]
  /** Number and size of the page, as the list reports them. */
  page: unknown
  perPage: unknown
}

/** What a list with this query shows; undefined if it is not a list. */
export type List = (binding: Binding, query: Query) => Promise<ShownPage | undefined>

/** What shows whether a form has an effect. */
export interface QueryTrial {
  list: List
  /** What the server calls `title`. */
  field: string
  rows: readonly [Row, ...Row[]]
  /** Parts that were tried before, and have no form that is known. */
  silent: readonly QueryPart[]
}

interface Part {
  what: keyof typeof queryForms
  /** Whether the server understands the form; undefined if the records of the trial do not show it. */
  fits(binding: Binding, trial: QueryTrial): Promise<boolean | undefined>
}

/** Page sizes that are requested until one has an effect. */
const triedSizes = [1, 5, 50]
/** Page sizes that are requested until one is accepted, so that few pages show the records of the trial. */
const largeSizes = [100, 20]
/** Maximum number of pages on which the records of the trial are looked for. */
const mostPages = 10

/** In the order in which they are tried: what is known of pages shows the records of an order. */
export const queryParts: readonly Part[] = [
  {
    what: 'page size',
    async fits(binding, { list }) {
      const usual = await list(binding, {})
      // A server may reject a size, or raise it: then another one changes what it reports.
      for (const perPage of triedSizes) {
        const shown = await list(binding, { perPage })
        if (perPage === 1 && shown?.rows.length === 1) return true
        if (typeof shown?.perPage === 'number' && shown.perPage !== usual?.perPage) return true
      }
      return false
    },
  },
  {
    what: 'page number',
    async fits(binding, { list }) {
      let size: Query = { perPage: 1 }
      let first = await list(binding, size)
      if (first === undefined) {
        size = {}
        first = await list(binding, size)
      }
      const start = numberOf(first)
      const second = await list(binding, { ...size, page: start + 1 })
      // A page beyond the last may be rejected, and a parameter that is not known, too.
      if (second === undefined)
        return (await list(binding, { ...size, page: start })) === undefined ? false : undefined
      if (second.page === start + 1 || second.rows[0]?.id !== first?.rows[0]?.id) return true
      // The last page may be shown again, where all records are on it.
      return first?.rows.length === 1 ? false : undefined
    },
  },
  {
    what: 'filter',
    async fits(binding, { list, field, rows: [row] }) {
      const shown = async (name: string, value: string) =>
        (await list(binding, { filter: conditionText(binding, name, value) }))?.rows
      const finds = (rows: readonly Row[] | undefined) => rows?.length === 1 && rows[0]?.id === row.id
      if (!finds(await shown(field, row.title))) return false
      if ((await shown(field, `no-${row.title}`))?.length !== 0) return false
      if (!overridesForm(binding, 'filter')) return true
      // A form that was guessed may search instead: for a part of the text, or in any field.
      return (
        !finds(await shown(field, row.title.slice(0, -1))) && !finds(await shown(`no${field}`, row.title))
      )
    },
  },
  {
    what: 'order',
    // One direction is not enough: the other one may have another form, and be ignored or rejected in this one.
    async fits(binding, trial) {
      const ascending = [...trial.rows].sort((one, other) => (one.title < other.title ? -1 : 1))
      const upwards = await showsInOrder(binding, trial, 'ascending', ascending)
      return upwards === true ? showsInOrder(binding, trial, 'descending', ascending.toReversed()) : upwards
    },
  },
]

/**
 * Whether a list shows the records of the trial in the expected order; undefined if it does not show enough of them. Two of
 * three are enough: in both directions together, no other order shows them alike. That an order loses a record is for the
 * checks to see.
 */
async function showsInOrder(
  binding: Binding,
  { list, field, silent }: QueryTrial,
  direction: 'ascending' | 'descending',
  expected: readonly Row[],
): Promise<boolean | undefined> {
  const sort = orderText(binding, field, direction)
  const size = silent.includes('page size') ? {} : await largeSize(binding, list)
  const first = await list(binding, { ...size, sort })
  if (first === undefined) return false
  const start = numberOf(first)
  const found: string[] = []
  let body: ShownPage | undefined = first
  for (let read = 1; body !== undefined; read += 1) {
    found.push(...body.rows.flatMap(({ id }) => (expected.some((row) => row.id === id) ? [id] : [])))
    if (found.some((id, at) => id !== expected[at]?.id)) return false
    if (found.length === expected.length) return true
    if (silent.includes('page number') || body.rows.length === 0 || read === mostPages) break
    body = await list(binding, { ...size, sort, page: start + read })
  }
  return found.length > 1 ? true : undefined
}

/** The number of the first page: with which one they begin is left open. */
function numberOf(first: ShownPage | undefined): number {
  return Number.isInteger(first?.page) ? Number(first?.page) : 1
}

async function largeSize(binding: Binding, list: List): Promise<Query> {
  for (const perPage of largeSizes) if ((await list(binding, { perPage })) !== undefined) return { perPage }
  return {}
}
