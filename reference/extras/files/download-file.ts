/**
 * `GET /files/{table}/{id}/{name}`: the content of a stored file. `thumb` is ignored: the original is sent.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { countOf } from '../../../spec/count-of.ts'
import { didYouMean, quoted } from '../../../spec/nearest.ts'
import { isSuperusersTable, rejectForeignSuperuser } from '../../auth/superusers.ts'
import { sentence, tokenFault } from '../../auth/token-fault.ts'
import { ApiError, notFound, type RejectionReason } from '../../errors.ts'
import { keepReason } from '../../http/seen-request-body.ts'
import { findRow, findTable } from '../../records/find.ts'
import type { RequestContext } from '../../services.ts'
import type { Caller, Field, Reader, Row, StoredFile, Table } from '../../vocabulary.ts'
import { closedTo } from '../may-read.ts'
import { type ByteRange, parseRanges, type RangeFault } from './byte-range.ts'
import { fileHeaders, validatorsOf } from './file-headers.ts'
import { contentRange, joinRanges } from './join-ranges.ts'
import { type AskedHeaders, judgePreconditions, rangeCounts } from './preconditions.ts'

function fileField(table: Table, row: Row, name: string): Field | undefined {
  return table.fields.find((field) => {
    const value = row.values[field.name]
    return field.type === 'file' && (Array.isArray(value) ? value.includes(name) : value === name)
  })
}

function noFile(table: Table, row: Row, name: string): RejectionReason {
  return () => {
    const names = table.fields
      .filter(({ type }) => type === 'file')
      .flatMap((field): unknown[] => [row.values[field.name]].flat())
      .filter((one) => typeof one === 'string')
      .filter((one) => one !== '')
    const place = `${table.name}/${row.id}`
    return names.length === 0
      ? `${place} has no file.`
      : `${place} has no file ${quoted(name)}.${didYouMean(name, names)} It has: ${names.join(', ')}.`
  }
}

/**
 * @param linked whom the link identifies
 * @param closed why the record is hidden from that caller
 */
function protectedFile(
  { headers }: RequestContext,
  { table, field }: { table: Table; field: Field },
  { caller, fault }: LinkCaller,
  closed: RejectionReason,
): RejectionReason {
  return () => {
    const unread = headers().authorization ? ' The Authorization header does not count here.' : ''
    const fact = fault === undefined ? `The URL has no file token, in "token".${unread}` : fault()
    return [
      `Field "${field.name}" of "${table.name}" is protected.${caller.kind === 'guest' ? ` ${fact}` : ''}`,
      ...[closed()].flat(),
    ]
  }
}

/** Whom a link identifies. */
interface LinkCaller {
  caller: Caller
  /** Why the token of the link is not valid. Absent without a token. */
  fault?: () => string
}

/** A link cannot carry a header, so a token in the query identifies the caller. */
async function linkCaller(context: RequestContext, reader: Reader): Promise<LinkCaller> {
  const sent = context.query.token ?? ''
  const verified = await context.services.tokens.verify(reader, sent, 'file')
  if (verified === undefined) {
    const fault = tokenFault(() => sent, context.services, 'file')
    return { caller: { kind: 'guest' }, ...(sent !== '' && { fault: () => sentence(fault() ?? '') }) }
  }
  const { text, table, row, claims } = verified
  const token = { text, refreshable: false, expires: claims.exp }
  const caller: Caller = { kind: isSuperusersTable(table) ? 'superuser' : 'record', table, row, token }
  try {
    rejectForeignSuperuser({ ...context, caller })
    return { caller }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { reason, message } = error
    return { caller: { kind: 'guest' }, fault: () => String(reason?.() ?? message) }
  }
}

/**
 * @param name the stored name
 * @throws ApiError 404 for an unknown file, and for a protected file of a record that the caller may not view
 */
export async function downloadFile(context: RequestContext, name: string): Promise<Response> {
  const reader = context.services.store.current
  const table = findTable(context, reader, 'Missing or invalid collection context.')
  const row = findRow(context, reader, table)
  const field = fileField(table, row, name)
  const file = field && reader.file(table, row.id, name)
  if (field === undefined || file === undefined) throw notFound(noFile(table, row, name))
  const { definition } = field
  if (definition.type === 'file' && definition.protected) {
    const linked = await linkCaller(context, reader)
    const asked: RequestContext = { ...context, c: 'protectedFile', caller: linked.caller }
    const closed = closedTo(asked, reader, table, row, 'view')
    if (closed !== undefined) throw notFound(protectedFile(context, { table, field }, linked, closed))
  }
  const download = ['1', 't', 'true'].includes((context.query.download ?? '').toLowerCase())
  return sendFile(file, fileHeaders(name, file, download), context.headers())
}

/** The whole content, parts of it, or an empty body if the client already has it. */
function sendFile(file: StoredFile, headers: Headers, asked: AskedHeaders): Response {
  const { bytes } = file
  const validators = validatorsOf(file)
  const ended = judgePreconditions(asked, validators)
  if (ended === 304) {
    headers.delete('Content-Type')
    return new Response(null, { status: 304, headers })
  }
  if (ended === 412) {
    headers.set('Content-Length', '0')
    const rejected = new Response(null, { status: 412, headers })
    return keepReason(rejected, () => 'The file does not satisfy If-Match or If-Unmodified-Since.')
  }
  const wanted = asked.range ?? ''
  const ranges = rangeCounts(asked, validators) ? parseRanges(wanted, bytes.byteLength) : []
  if (ranges === 'malformed' || ranges === 'outside')
    return rejectRange(ranges, headers, wanted, bytes.byteLength)
  headers.set('Accept-Ranges', 'bytes')
  const [range = { first: 0, last: bytes.byteLength - 1 }] = ranges
  if (ranges.length > 1) return sendRanges(bytes, ranges, headers, `${validators.etag} ${wanted}`)
  if (ranges.length === 1) headers.set('Content-Range', contentRange(range, bytes.byteLength))
  return sendBytes(new Uint8Array(bytes.subarray(range.first, range.last + 1)), headers, ranges.length)
}

function sendBytes(body: Uint8Array<ArrayBuffer>, headers: Headers, ranges: number): Response {
  headers.set('Content-Length', String(body.byteLength))
  return new Response(body, { status: ranges === 0 ? 200 : 206, headers })
}

/** @param version the content and its ranges, for a boundary that repeats from run to run */
function sendRanges(
  bytes: Uint8Array,
  ranges: readonly ByteRange[],
  headers: Headers,
  version: string,
): Response {
  // A content cannot contain its own hash.
  const boundary = createHash('sha256').update(version).digest('hex').slice(0, 60)
  const body = joinRanges(bytes, ranges, headers.get('Content-Type') ?? '', boundary)
  headers.set('Content-Type', `multipart/byteranges; boundary=${boundary}`)
  return sendBytes(body, headers, ranges.length)
}

/** The body is plain text, as the living family’s HTTP library writes it. */
function rejectRange(fault: RangeFault, headers: Headers, wanted: string, size: number): Response {
  for (const name of ['Cache-Control', 'ETag', 'Last-Modified']) headers.delete(name)
  const body = fault === 'outside' ? 'invalid range: failed to overlap\n' : 'invalid range\n'
  headers.set('Content-Type', 'text/plain; charset=utf-8')
  headers.set('Content-Length', String(body.length))
  if (fault === 'outside') headers.set('Content-Range', `bytes */${size}`)
  return keepReason(new Response(body, { status: 416, headers }), () =>
    fault === 'outside'
      ? `The file has ${countOf(size, 'byte')}, and none of Range ${quoted(wanted)} is among them.`
      : `Range ${quoted(wanted)} cannot be read: use "bytes=FIRST-LAST", "bytes=FIRST-" or "bytes=-LENGTH".`,
  )
}
