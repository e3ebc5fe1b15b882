/**
 * Batch: several writes in one transaction, in order, all or none (contract-records section 6).
 *
 * @module
 */

import { quoted } from '../../spec/nearest.ts'
import { type ApiError, badRequest, forbidden, inResponse, type RejectionReason } from '../errors.ts'
import { snakeCased } from '../http/handle.ts'
import { pickFields } from '../http/pick-fields.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import { isMalformedQuery, readQuery } from '../http/read-query.ts'
import { addNote, type OperationResult, toApiError } from '../http/respond.ts'
import { countRequest } from '../limits/count-request.ts'
import { misspelledParameters } from '../reasons/notes.ts'
import { createRecord } from '../records/create.ts'
import { deleteRecord } from '../records/delete.ts'
import { findTableQuietly } from '../records/find.ts'
import { updateRecord } from '../records/update.ts'
import type { RequestContext } from '../services.ts'
import type { Json, Writer } from '../vocabulary.ts'
import { type ReceivedEntry, readBatch } from './read-batch.ts'

type Write = (
  context: RequestContext,
  body: SubmittedBody,
  writer: Writer,
) => OperationResult | Promise<OperationResult>

const failed = 'Batch transaction failed.'

/**
 * Creates a record, or updates it if the body contains the id of an existing record. Rules see the resulting method.
 */
function upsertRecord(
  context: RequestContext,
  body: SubmittedBody,
  writer: Writer,
): OperationResult | Promise<OperationResult> {
  const given = body.values.id
  const id = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
  const table = writer.table(context.table)
  const exists = id !== '' && table !== undefined && writer.get(table, id) !== undefined
  if (exists) return updateRecord({ ...context, method: 'PATCH', id }, body, writer)
  return createRecord({ ...context, method: 'POST' }, body, writer)
}

const onTable: Readonly<Record<string, Write>> = { POST: createRecord, PUT: upsertRecord }
const onRecord: Readonly<Record<string, Write>> = { PATCH: updateRecord, DELETE: deleteRecord }

const actionNames: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'create',
  PATCH: 'update',
  DELETE: 'delete',
}

function noAction({ method, url }: ReceivedEntry, prefix: string): RejectionReason {
  const table = `${prefix}/collections/TABLE/records`
  return () =>
    `A batch has no entry ${quoted(`${method} ${url.split('?', 1)[0]}`)}: it takes POST and PUT ${table}, PATCH and DELETE ${table}/ID.`
}

interface Action {
  /** The name of the operation for rate limits. */
  name: string
  write: Write
  table: string
  id: string
}

/**
 * Resolves the operation of an entry. Only URLs that begin with the server's own prefix match. The living family takes
 * table and id as they are written: `p%6Fsts` is not a table.
 */
function actionOf(entry: ReceivedEntry, prefix: string): Action | undefined {
  const path = entry.url.split('?', 1)[0] ?? ''
  if (!path.startsWith(`${prefix}/`)) return undefined
  const match = /^\/collections\/([^/]+)\/records(?:\/([^/]+))?$/.exec(path.slice(prefix.length))
  if (!match) return undefined
  const [, table = '', id] = match
  const write = id === undefined ? onTable[entry.method] : onRecord[entry.method]
  const name = actionNames[entry.method] ?? ''
  return write && { name, write, table, id: id ?? '' }
}

async function runEntry(
  outer: RequestContext,
  entry: ReceivedEntry,
  writer: Writer,
): Promise<OperationResult> {
  const action = actionOf(entry, outer.services.prefix)
  if (action === undefined) throw badRequest(noAction(entry, outer.services.prefix))
  if (isMalformedQuery(entry.url))
    throw badRequest(() => 'The query of its URL has malformed percent-encoding, or a ";".')
  const { limits } = outer.services
  const query = readQuery(entry.url, limits.pairs)
  const own = snakeCased(Object.entries(entry.headers))
  delete own.authorization
  const headers = Object.assign(Object.create(null), outer.headers(), own) as Record<string, string>
  const context: RequestContext = {
    ...outer,
    c: 'batch',
    method: entry.method,
    table: action.table,
    id: action.id,
    query,
    headers: () => headers,
  }
  const table = findTableQuietly(context, writer)
  if (table !== undefined) {
    const path = entry.url.split('?', 1)[0] ?? ''
    countRequest(context, { table, actions: [action.name], method: entry.method, path })
  }
  const narrow = pickFields(query.fields, limits.names)
  const result = await action.write(context, entry.body, writer)
  const response = addNote(result, misspelledParameters(context, writer))
  const { body } = response
  return narrow === undefined || body === undefined ? response : { ...response, body: narrow(body) }
}

function entryFailed(position: number, error: ApiError): ApiError {
  const response = error.body() as unknown as Json
  const { reason } = error
  const data = {
    requests: { [position]: { code: 'batch_request_failed', message: 'Batch request failed.', response } },
  }
  if (reason === undefined) return badRequest(inResponse, failed, data)
  return badRequest(
    () => [`Entry ${position} of the batch was rejected.`, ...[reason()].flat()],
    failed,
    data,
  )
}

function entryNotes(notes: readonly (readonly [position: number, note: RejectionReason])[]): RejectionReason {
  return () =>
    notes.flatMap(([position, note]) =>
      [note()].flat().map((line) => `Entry ${position} of the batch: ${line}`),
    )
}

export interface ReceivedBatch {
  entries: readonly ReceivedEntry[]
  /** Aborts when the client no longer waits for the response. */
  signal: AbortSignal
}

/** @throws ApiError 403 if batches are disabled; 413, 400 for a body that cannot be read */
export async function receiveBatch(context: RequestContext, request: Request): Promise<ReceivedBatch> {
  const { services } = context
  if (!services.batch.enabled || services.batch.maxRequests <= 0)
    throw forbidden(
      () =>
        `The settings of batches reject all of them: enabled is ${services.batch.enabled}, maxRequests is ${services.batch.maxRequests}.`,
      'Batch requests are not allowed.',
    )
  return { entries: await readBatch(context, request), signal: request.signal }
}

/**
 * `POST /batch`: runs the entries in order; later entries see the writes of earlier ones. Between two entries other
 * requests can run: they see the writes only after the batch succeeds.
 *
 * @throws ApiError 400 with the first entry that failed; the transaction is then rolled back.
 */
export async function runBatch(
  context: RequestContext,
  { entries, signal }: ReceivedBatch,
  writer: Writer,
): Promise<OperationResult> {
  const { environment, batch, log } = context.services
  const deadline = environment.now() + (batch.timeout > 0 ? batch.timeout : 3) * 1000
  const responses: Json[] = []
  const notes: [position: number, note: RejectionReason][] = []
  for (const [position, entry] of entries.entries()) {
    if (context.work.endLongPiece()) await context.work.rest()
    if (signal.aborted) throw badRequest(() => 'The client has ended the connection.', failed)
    if (environment.now() >= deadline)
      throw badRequest(
        () => `The batch took longer than its timeout before entry ${position}: send fewer entries.`,
        failed,
      )
    try {
      const { status, body = null, note } = await runEntry(context, entry, writer)
      responses.push({ body, status })
      if (note !== undefined) notes.push([position, note])
    } catch (error) {
      throw entryFailed(position, toApiError(error, log))
    }
  }
  return { status: 200, body: responses, note: notes.length === 0 ? undefined : entryNotes(notes) }
}
