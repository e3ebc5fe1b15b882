/**
 * `GET /files/{table}/{id}/{name}`: the content of a stored file. `thumb` is ignored: the original is sent.
 *
 * @module
 */

import { didYouMean, quoted } from '../../../spec/nearest.ts'
import { isSuperusersTable, rejectForeignSuperuser } from '../../auth/superusers.ts'
import { sentence, tokenFault } from '../../auth/token-fault.ts'
import { ApiError, inResponse, notFound, type RejectionReason } from '../../errors.ts'
import { errorResponse } from '../../http/respond.ts'
import { findRow, findTable } from '../../records/find.ts'
import type { RequestContext } from '../../services.ts'
import type { Caller, Field, Reader, Row, StoredFile, Table } from '../../vocabulary.ts'
import { closedTo } from '../may-read.ts'
import { parseRange } from './byte-range.ts'
import { fileHeaders, validatorsOf } from './file-headers.ts'
import { judgePreconditions, rangeCounts } from './preconditions.ts'

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
  /** Why its token does not count. Absent if there is none. */
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
export async function downloadFile(
  context: RequestContext,
  name: string,
  requestHeaders: Headers,
): Promise<Response> {
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
  return sendFile(file, fileHeaders(name, file, download), requestHeaders)
}

/** The whole content, a part of it, or an empty body if the client already has it. */
function sendFile(file: StoredFile, headers: Headers, asked: Headers): Response {
  const { bytes } = file
  const validators = validatorsOf(file)
  const ended = judgePreconditions(asked, validators)
  if (ended !== undefined) {
    headers.delete('Content-Type')
    return new Response(null, { status: ended, headers })
  }
  const wanted = asked.get('range')
  const range =
    wanted !== null && rangeCounts(asked, validators) ? parseRange(wanted, bytes.byteLength) : undefined
  if (range === 'unsatisfiable') {
    const rejected = errorResponse(new ApiError(416, inResponse, 'The file has no such range of bytes.'))
    rejected.headers.set('Content-Range', `bytes */${bytes.byteLength}`)
    return rejected
  }
  const { first, last } = range ?? { first: 0, last: bytes.byteLength - 1 }
  if (range !== undefined) headers.set('Content-Range', `bytes ${first}-${last}/${bytes.byteLength}`)
  headers.set('Content-Length', String(last - first + 1))
  return new Response(new Uint8Array(bytes.subarray(first, last + 1)), {
    status: range === undefined ? 200 : 206,
    headers,
  })
}
