/**
 * `GET /files/{table}/{id}/{name}`: the content of a stored file. `thumb` is read by no one: the original is sent.
 *
 * @module
 */

import { isSuperusersTable, rejectForeignSuperuser } from '../../auth/superusers.ts'
import { ApiError, notFound } from '../../errors.ts'
import { errorResponse } from '../../http/respond.ts'
import { findRow, findTable } from '../../records/find.ts'
import type { RequestContext } from '../../services.ts'
import type { Caller, Field, Reader, Row, StoredFile, Table } from '../../vocabulary.ts'
import { mayRead } from '../may-read.ts'
import { parseRange } from './byte-range.ts'
import { fileHeaders, validatorsOf } from './file-headers.ts'
import { judgePreconditions, rangeCounts } from './preconditions.ts'

function fileField(table: Table, row: Row, name: string): Field | undefined {
  return table.fields.find((field) => {
    const value = row.values[field.name]
    return field.type === 'file' && (Array.isArray(value) ? value.includes(name) : value === name)
  })
}

/** A link cannot carry a header, so that a token in the query says who follows it. */
async function linkCaller(context: RequestContext, reader: Reader): Promise<Caller> {
  const verified = await context.services.tokens.verify(reader, context.query.token ?? '', 'file')
  if (verified === undefined) return { kind: 'guest' }
  const { text, table, row, claims } = verified
  const token = { text, refreshable: false, expires: claims.exp }
  const caller: Caller = { kind: isSuperusersTable(table) ? 'superuser' : 'record', table, row, token }
  try {
    rejectForeignSuperuser({ ...context, caller })
    return caller
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'guest' }
    throw error
  }
}

/**
 * @param name as it is stored
 * @throws ApiError 404 for no such file, and for a protected one whose record the token does not let its holder view
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
  if (field === undefined || file === undefined) throw notFound()
  const { definition } = field
  if (definition.type === 'file' && definition.protected) {
    const caller = await linkCaller(context, reader)
    const asked: RequestContext = { ...context, c: 'protectedFile', caller }
    if (!mayRead(asked, reader, table, row, 'view')) throw notFound()
  }
  const download = ['1', 't', 'true'].includes((context.query.download ?? '').toLowerCase())
  return sendFile(file, fileHeaders(name, file, download), requestHeaders)
}

/** The whole, a part of it, or nothing where the client has it already. */
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
    const rejected = errorResponse(new ApiError(416, 'The file has no such range of bytes.'))
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
