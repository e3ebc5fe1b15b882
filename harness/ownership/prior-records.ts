/**
 * Which records a target held before the run wrote to it: their ids, table by table. A table is listed once, before the
 * first request that may create something in it.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isAboutBody } from '../../spec/status-range.ts'
import type { Api, ApiResponse, Query } from '../vocabulary/api.ts'

/** Maximum number of ids that are read per table. For records beyond, only their content shows whose they are. */
export const mostPriorIds = 10_000
const perPage = 500

export class PriorRecords {
  readonly #tables = new Map<string, Promise<Set<string>>>()
  readonly #known = new Map<string, Set<string>>()
  readonly #unlisted = new Map<string, CutList>()
  readonly #reader: () => Api

  /** @param reader who may list the most */
  constructor(reader: () => Api) {
    this.#reader = reader
  }

  /** Tables that have been listed: those that the run may have written to. */
  get tables(): string[] {
    return [...this.#tables.keys()]
  }

  /**
   * Tables whose list did not show every record, with the reason: there, only the content of a record shows whose it
   * is.
   */
  get unlisted(): ({ table: string } & CutList)[] {
    return [...this.#unlisted].map(([table, end]) => ({ table, ...end }))
  }

  /** How a list of the table ended, before the run or after it. */
  ended(table: string, end: ListEnd): void {
    if (end === 'whole' || this.#unlisted.has(table)) return
    this.#unlisted.set(table, { ...end, reason: `its list ${end.reason}` })
  }

  /** Lists a table, once. What cannot be listed counts as empty. */
  async list(table: string): Promise<void> {
    let ids = this.#tables.get(table)
    if (ids === undefined) {
      ids = this.#read(table)
      this.#tables.set(table, ids)
    }
    try {
      this.#known.set(table, await ids)
    } catch (error) {
      this.#tables.delete(table)
      throw error
    }
  }

  has(table: string, id: string): boolean {
    return this.#known.get(table)?.has(id) === true
  }

  /** Removes an earlier run's record, which this one deletes: its id may be reused. */
  forget(table: string, id: string): void {
    this.#known.get(table)?.delete(id)
  }

  async #read(table: string): Promise<Set<string>> {
    const ids = new Set<string>()
    const records = recordsOf(this.#reader(), table, mostPriorIds, (end) => this.ended(table, end))
    for await (const { id } of records) ids.add(id)
    return ids
  }
}

/** How the reading of a table ended: at its last page, or before it. */
export type ListEnd = 'whole' | CutList

export interface CutList {
  /** Why not all records were read. It continues "the list". */
  reason: string
  /** Whether the cause may be a page parameter that the server rejects or ignores. */
  mayBeAboutPages: boolean
}

/**
 * The records that a table lists, page by page, with their ids as strings.
 *
 * @param most records that are read
 * @param onEnd called with how it ended, unless the caller stopped it
 * @param filter of the list. @default none
 */
export async function* recordsOf(
  api: Api,
  table: string,
  most: number,
  onEnd: (end: ListEnd) => void = () => {},
  filter?: string,
): AsyncGenerator<{ id: string; record: Record<string, unknown> }> {
  const seen = new Set<string>()
  const selection: Query = filter === undefined ? {} : { filter }
  let size: Query = { perPage }
  let first = 1
  /** Records without an id that a path can contain. */
  let nameless = 0
  for (let read = 0; seen.size < most; read += 1) {
    // Without a page number, every server returns the first page.
    const from = read === 0 ? {} : { page: first + read }
    let response = await api.list({ role: '', name: table }, { ...selection, ...size, ...from })
    if (!response.ok && read === 0) {
      // A server may reject this page size.
      size = {}
      response = await api.list({ role: '', name: table }, selection)
    }
    const { ok, status, body } = response
    if (!ok) return onEnd({ reason: `returned ${status}`, mayBeAboutPages: isAboutBody(status) })
    if (!isObject(body) || !Array.isArray(body.items))
      return onEnd({ reason: unusable(response), mayBeAboutPages: false })
    const { items, page, totalPages, totalItems } = body
    const before = seen.size
    for (const record of items) {
      const id = idOf(record)
      if (id === undefined || seen.has(id)) continue
      seen.add(id)
      yield { id, record }
    }
    // A server that ignores the number of the page shows them again.
    if (read === 0 || seen.size > before)
      nameless += items.filter((record) => idOf(record) === undefined).length
    if (read === 0 && typeof page === 'number') first = page
    // A server that shortens its pages may return the number of unshortened ones.
    const isLast = typeof totalPages === 'number' && totalPages > 0 && read + 1 >= totalPages
    const isAll = typeof totalItems !== 'number' || totalItems <= seen.size + nameless
    if (items.length === 0 || (isLast && isAll)) return onEnd('whole')
    // A server that ignores the number of the page shows the same records again.
    if (seen.size === before)
      return onEnd({
        reason: `reached no last page: page ${first + read} showed no new record`,
        mayBeAboutPages: true,
      })
  }
  onEnd({ reason: `reached no last page within ${most} records`, mayBeAboutPages: true })
}

/** What is wrong with the response to a list that succeeded. */
function unusable({ body, text }: Pick<ApiResponse, 'body' | 'text'>): string {
  if (body !== undefined) return 'returned JSON without a list of items'
  return text === '' ? 'returned an empty body' : 'returned a body that is not JSON'
}

/** The id of a record. A number is not an id according to the document, but works in a path. */
export function idOf(record: unknown): string | undefined {
  if (!isObject(record)) return undefined
  const { id } = record
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined
}
