/**
 * Finds out how a server reads the query of a list: its names for page and page size, and its syntax of filter and sort.
 * The document leaves all of this open. The form of the profile is tried first, then forms that other servers use.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { recordOfCreate } from '../cleanup/record-of-create.ts'
import type { Query } from '../vocabulary/api.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
import type { QueryPart, TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { conditionText, formHint, noForm, orderText, overridesForm, queryText } from '../wire/query-text.ts'
import { pageOf } from './page-of.ts'
import { requestSenderOf } from './send-request.ts'

/** A record of the trial: its id, and the text in the field that is called `title` here. */
interface Row {
  id: string
  title: string
}

interface Shown {
  rows: Row[]
  /** Number and size of the page, as the list reports them. */
  page: unknown
  perPage: unknown
}

/** What a list with this query shows; undefined if it is not a list. */
type List = (binding: Binding, query: Query) => Promise<Shown | undefined>

/** One part of a query that the document leaves open. */
interface Part {
  what: QueryPart
  /** Forms in addition to the profile's. */
  forms: readonly Binding[]
  /** Whether the server understands the form; undefined if the records of the trial do not show it. */
  fits(
    binding: Binding,
    list: List,
    field: string,
    rows: readonly [Row, ...Row[]],
  ): Promise<boolean | undefined>
}

/** Page sizes that are requested until one has an effect. */
const triedSizes = [1, 5, 50]

const named = (key: string, ...names: string[]): Binding[] => names.map((name) => ({ [key]: name }))
const condition = (parameter: string, equals: string): Binding => ({
  'list.filter': parameter,
  'filter.equals': equals,
})
const order = (parameter: string, ascending: string, descending: string): Binding => ({
  'list.sort': parameter,
  'sort.ascending': ascending,
  'sort.descending': descending,
})

const parts: readonly Part[] = [
  {
    what: 'page size',
    forms: named('list.perPage', 'limit', 'per_page', 'pageSize', 'page_size', 'size', 'page[size]'),
    async fits(binding, list) {
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
    forms: named('list.page', 'page[number]', 'pageNumber', 'page_number', 'number', 'p'),
    async fits(binding, list) {
      let size: Query = { perPage: 1 }
      let first = await list(binding, size)
      if (first === undefined) {
        size = {}
        first = await list(binding, size)
      }
      // From which number on pages count is left open.
      const start = Number.isInteger(first?.page) ? Number(first?.page) : 1
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
    forms: [
      condition('filter', "{field} = '{value}'"),
      condition('', '{field}={value}'),
      condition('', 'filter[{field}]={value}'),
      condition('', '{field}=eq.{value}'),
      condition('', 'filters[{field}][$eq]={value}'),
      condition('filter', '{field}={value}'),
      condition('filter', '{field}:{value}'),
      condition('filter', '{"{field}":"{value}"}'),
      condition('where', '{"{field}":"{value}"}'),
      condition('$filter', "{field} eq '{value}'"),
      condition('q', '{field}:"{value}"'),
    ],
    async fits(binding, list, field, [row]) {
      const hits = (await list(binding, { filter: conditionText(binding, field, row.title) }))?.rows
      if (hits?.length !== 1 || hits[0]?.id !== row.id) return false
      const misses = await list(binding, { filter: conditionText(binding, field, `no-${row.title}`) })
      return misses?.rows.length === 0
    },
  },
  {
    what: 'order',
    forms: [
      order('sort', '{field}:asc', '{field}:desc'),
      order('sort', '{field},asc', '{field},desc'),
      order('', 'sort={field}&order=asc', 'sort={field}&order=desc'),
      order('', 'sortBy={field}&order=asc', 'sortBy={field}&order=desc'),
      order('', 'orderBy={field}&order=asc', 'orderBy={field}&order=desc'),
      order('order', '{field}.asc', '{field}.desc'),
      order('sort', '{field} asc', '{field} desc'),
      order('orderBy', '{field} asc', '{field} desc'),
      order('$orderby', '{field} asc', '{field} desc'),
      ...['orderBy', 'order_by', 'ordering', 'order'].map((name) => order(name, '{field}', '-{field}')),
    ],
    async fits(binding, list, field, rows) {
      const ascending = [...rows].sort((one, other) => (one.title < other.title ? -1 : 1))
      for (const direction of ['ascending', 'descending'] as const) {
        const shown = (await list(binding, { sort: orderText(binding, field, direction) }))?.rows ?? []
        const expected = direction === 'ascending' ? ascending : ascending.toReversed()
        const places = expected.map(({ id }) => shown.findIndex((row) => row.id === id))
        // They may be on another page.
        if (places.includes(-1)) return undefined
        if (places.some((place, at) => place < (places[at - 1] ?? place))) return false
      }
      return true
    },
  },
]

/**
 * Finds out which forms of a query have an effect, and completes the binding of an explored target with them. Of any other
 * target only the form of the profile is tried, for the parts for which its binding has none of its own. Creates three records,
 * and deletes them. A claim says in which form a query has to have an effect: then nothing is tried.
 *
 * @param plain a table that takes records with one text
 * @returns notes for the report, one line each
 */
export async function tryQuery(
  session: Wire & CleanUp & TargetFacts,
  plain: TableRef,
  unique: (prefix?: string) => string,
): Promise<string[]> {
  const explores = session.target.explored !== undefined
  // A form that the tester names is not replaced by another one.
  const open = parts.filter(({ what }) => !overridesForm(session.target.binding, what))
  if (open.length === 0 || (!explores && session.target.profile !== undefined)) return []
  const mark = session.cleanup.mark()
  try {
    const rows = await trialRows(session, plain, unique)
    if (rows === undefined) return []
    const field = plain.fields?.title ?? 'title'
    const list = lister(session, plain, field)
    const given = session.target.binding
    const own: Record<string, string> = {}
    const silent: QueryPart[] = []
    for (const { what, forms, fits } of open) {
      let known: boolean | undefined = false
      for (const form of explores ? [{}, ...forms] : [{}]) {
        const fitting = await fits({ ...given, ...own, ...form }, list, field, rows)
        if (fitting === false) continue
        known = fitting
        if (fitting === undefined) continue
        Object.assign(own, form)
        break
      }
      // If the page size is not known, either, nothing more can be said about the number.
      const isUnclear = known === undefined && what === 'page number' && silent.includes('page size')
      if (known === false || isUnclear) silent.push(what)
    }
    const { target } = session
    session.target = {
      ...target,
      binding: { ...given, ...own },
      unknownForms: target.profile === undefined ? silent : [],
    }
    return notesOfForms(own, silent)
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/** What there is to say of the forms that a server takes, and of those without an effect. */
export function notesOfForms(own: Binding, silent: readonly QueryPart[]): string[] {
  const notes: string[] = []
  if (Object.keys(own).length > 0)
    notes.push(
      `lists take other parameters than those of the profile, and the run uses them: "binding": ${JSON.stringify(own)}`,
    )
  for (const part of silent) notes.push(`${noForm(part)}: if the server has another one, ${formHint(part)}`)
  return notes
}

/**
 * Their titles have another order than their creation, forwards and backwards: a server may read the direction of a form
 * that names the field otherwise, and apply it to the order of creation.
 */
async function trialRows(
  session: Wire & CleanUp,
  plain: TableRef,
  unique: (prefix?: string) => string,
): Promise<[Row, ...Row[]] | undefined> {
  const api = session.api('guest')
  const rows: Row[] = []
  for (const prefix of ['b-try', 'a-try', 'c-try']) {
    const title = unique(prefix)
    const response = await api.create(plain, { title })
    const record = response.ok ? await recordOfCreate(session, api, plain, response, { title }) : undefined
    if (record === undefined) return undefined
    rows.push({ id: record.id, title })
  }
  const [first, ...others] = rows
  return first && [first, ...others]
}

function lister(session: Wire & TargetFacts, table: TableRef, field: string): List {
  const sendRequest = requestSenderOf(session)
  const path = makePaths(session.target.binding).records(table)
  const token = session.standIns.get(table.name)
  return async (binding, query) => {
    const response = await sendRequest(path + queryText(binding, query), { token })
    const rows = pageOf(response)
      ?.filter(isObject)
      .map((item) => ({ id: String(item.id), title: String(item[field]) }))
    const { page, perPage } = isObject(response.body) ? response.body : {}
    return rows && { rows, page, perPage }
  }
}
