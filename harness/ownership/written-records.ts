/**
 * The records that a request would change or delete, from its method, path and body, independent of the check's
 * intention. Deliberately lenient, and separate from `exchange/operation.ts`, which parses paths by the document: this
 * module must consider every way in which some server might parse them. A path that it overlooks may cost a foreign
 * record; one that it reads too widely costs a look at a record.
 *
 * @module
 */

import { batchEntries } from '../../exchange/batch-entries.ts'
import { percentDecoded } from '../../exchange/percent-decoded.ts'
import type { WireRequest } from '../wire/transport.ts'

export interface WrittenRecord {
  /** Path segment of the table. */
  table: string
  /** Undefined if the request is about the whole table. */
  id: string | undefined
  /** A create with an id: only a record that existed before the run could be affected. */
  creates?: boolean
}

/** The parts of a request that decide what it writes. */
type Written = Pick<WireRequest, 'method' | 'path' | 'body'>

const reads: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH']
/** Methods that a server might apply to all records if no id follows the table. */
const tableWide: readonly string[] = ['PATCH', 'DELETE', 'PURGE']

/** Whether a request of this method may change something. */
export function changes(method: string): boolean {
  return !reads.includes(method.toUpperCase())
}

/**
 * @param prefix of all paths, `/api/v1` for example. A server may normalize a path and ignore its case, so this does
 *   both.
 */
export function writtenRecords({ method, path, body }: Written, prefix: string): WrittenRecord[] {
  const segments = segmentsOf(path)
  if (!changes(method)) return []
  if (isBatch(segments, prefix))
    return (batchEntries(body) ?? []).flatMap((entry) => {
      const { method: its, url, body: fields } = entry ?? {}
      if (typeof its !== 'string' || typeof url !== 'string') return []
      return recordIn(its.toUpperCase(), segmentsOf(url), fields)
    })
  return recordIn(method.toUpperCase(), segments, fieldsIn(body))
}

function isBatch(segments: readonly string[], prefix: string): boolean {
  return same(segments, [...segmentsOf(prefix), 'batch'])
}

function recordIn(method: string, segments: readonly string[], fields: unknown): WrittenRecord[] {
  if (!changes(method)) return []
  const at = segments.findIndex((each) => each.toLowerCase() === 'collections')
  const [table, records, ...rest] = at === -1 ? [] : segments.slice(at + 1)
  if (table === undefined) return []
  const whole = tableWide.includes(method) ? [{ table, id: undefined }] : []
  if (records === undefined) return whole
  if (records.toLowerCase() !== 'records') return []
  if (rest.length > 0) return [{ table, id: rest.join('/') }]
  // Some servers accept a list of records where others accept one.
  const ids = (Array.isArray(fields) ? fields : [fields]).flatMap((each) => {
    const { id } = (each ?? {}) as { id?: unknown }
    return typeof id === 'string' && id !== '' ? [id] : []
  })
  // A create with an id may affect an existing record; one without cannot.
  if (ids.length > 0) return ids.map((id) => ({ table, id, creates: method === 'POST' }))
  return whole
}

/** The parts of a path, as a server that normalizes it reads them. A `..` segment is kept: it is never sent. */
function segmentsOf(path: string): string[] {
  const bare = path.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? ''
  return bare
    .split('/')
    .map((segment) => percentDecoded(segment) ?? segment)
    .filter((each) => each !== '' && each !== '.')
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, at) => each.toLowerCase() === b[at]?.toLowerCase())
}

function fieldsIn(body: string | Uint8Array | undefined): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}
