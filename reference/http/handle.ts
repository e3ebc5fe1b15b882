/**
 * Turns an operation into the handler of a route: finds the caller, reads the body, runs the transaction and sends the
 * response.
 *
 * @module
 */

import type { Context } from 'hono'
import { sentToken } from '../../exchange/sent-token.ts'
import { resolveCaller } from '../auth/caller.ts'
import { rejectForeignSuperuser } from '../auth/superusers.ts'
import { tokenFault } from '../auth/token-fault.ts'
import { countRequest } from '../limits/count-request.ts'
import { Work } from '../limits/work.ts'
import { misspelledParameters } from '../reasons/notes.ts'
import { parameterNotes } from '../reasons/parameter-notes.ts'
import { findTableQuietly } from '../records/find.ts'
import type { RequestContext, Services } from '../services.ts'
import type { Reader, Writer } from '../vocabulary.ts'
import { type PickFields, pickFields } from './pick-fields.ts'
import { rejectAnnounced } from './read-body.ts'
import { readQuery } from './read-query.ts'
import { headOf } from './request-head.ts'
import { addNote, type OperationResult, type SerializedResponse, send, serializeInTurns } from './respond.ts'
import { keepTokenFault } from './seen-request-body.ts'

export type Handler = (c: Context) => Promise<Response>

/** Header names as rules spell them: `X-Token` is `x_token`. Of a repeated header the first value counts. */
export function snakeCased(headers: Iterable<[string, string]>): Record<string, string> {
  const named: Record<string, string> = Object.create(null)
  for (const [name, value] of headers) {
    const spelled = name.toLowerCase().replaceAll('-', '_')
    if (spelled !== 'host') named[spelled] ??= value
  }
  return named
}

/** The client address of a request. A request inside the process comes from this machine. */
interface Peer {
  ip?: string
}

/**
 * Builds the context of a request for an operation.
 *
 * @throws ApiError 403 for a superuser from another address, then 429 unless the table is missing, which the operation
 * reports
 */
async function readContext(
  services: Services,
  c: Context,
  actions: readonly string[],
): Promise<RequestContext> {
  const context = await contextOf(services, c)
  rejectForeignSuperuser(context)
  const { method, path } = c.req
  const table = findTableQuietly(context, services.store.current)
  if (table !== undefined || actions.length === 0) countRequest(context, { table, actions, method, path })
  return context
}

async function contextOf(services: Services, c: Context): Promise<RequestContext> {
  const request = c.req.raw
  const { limits } = services
  const { ip = '127.0.0.1' } = (c.env ?? {}) as Peer
  const authorization = request.headers.get('authorization')
  const caller = await resolveCaller(
    authorization,
    services.store.current,
    services.tokens,
    services.findApiKey,
  )
  if (authorization && caller.kind === 'guest')
    keepTokenFault(
      request,
      tokenFault(() => sentToken(authorization), services),
    )
  let headers: Record<string, string> | undefined
  return {
    services,
    c: 'default',
    method: request.method === 'HEAD' ? 'GET' : request.method,
    table: c.req.param('table') ?? '',
    id: c.req.param('id') ?? '',
    query: readQuery(request.url, limits.pairs),
    headers() {
      headers ??= snakeCased(headOf(request)?.fields() ?? request.headers)
      return headers
    },
    ip,
    caller,
    expanded: { records: 0, most: limits.expandedRecords },
    work: new Work(limits),
  }
}

/**
 * The context with the caller that the Authorization header identifies now. A body takes time to arrive, and the
 * session or key may have ended since: the request must not do what the caller may no longer do.
 */
export async function reauthenticate(
  context: RequestContext,
  request: Request,
  reader: Reader,
): Promise<RequestContext> {
  if (context.caller.kind === 'guest') return context
  const { tokens, findApiKey } = context.services
  const caller = await resolveCaller(request.headers.get('authorization'), reader, tokens, findApiKey)
  return { ...context, caller }
}

function pickOf({ query, services }: RequestContext): PickFields | undefined {
  return pickFields(query.fields, services.limits.names)
}

function written(
  result: OperationResult,
  context: RequestContext,
  pick: PickFields | undefined,
): Promise<SerializedResponse> {
  const { work, services } = context
  const { current } = services.store
  const named = addNote(result, misspelledParameters(context, current))
  const noted = addNote(named, parameterNotes(context, current, result))
  return serializeInTurns(noted, { work, most: services.limits.responseLength, pick })
}

/**
 * A handler for an operation that only reads. It ignores the body, but rejects one that is too large. A missing table
 * is reported first (contract-records 4.2).
 *
 * @param actions what it counts as for rate limits
 */
export function readHandler(
  services: Services,
  actions: readonly string[],
  operation: (readContext: RequestContext, reader: Reader) => OperationResult | Promise<OperationResult>,
): Handler {
  return async (c) => {
    const context = await readContext(services, c, actions)
    const reader = services.store.current
    if (findTableQuietly(context, reader) !== undefined) rejectAnnounced(c.req.raw)
    const pick = pickOf(context)
    return send(await written(await operation(context, reader), context, pick))
  }
}

/**
 * A handler for an operation that writes: its body is read first (`receive` knows the limit and the checks before it),
 * then it runs in one transaction. The response is also serialized in the transaction: if it cannot be sent, nothing is
 * written.
 */
export function writeHandler<Body>(
  services: Services,
  actions: readonly string[],
  receive: (readContext: RequestContext, request: Request) => Promise<Body>,
  operation: (
    readContext: RequestContext,
    body: Body,
    writer: Writer,
  ) => OperationResult | Promise<OperationResult>,
): Handler {
  return async (c) => {
    const context = await readContext(services, c, actions)
    const body = await receive(context, c.req.raw)
    const pick = pickOf(context)
    return send(
      await services.store.transaction(async (writer) => {
        const result = await operation(await reauthenticate(context, c.req.raw, writer), body, writer)
        return written(result, context, pick)
      }),
    )
  }
}

/** A handler for an operation whose response is not JSON: a file, or a stream of events. */
export function responseHandler(
  services: Services,
  actions: readonly string[],
  operation: (readContext: RequestContext, c: Context) => Promise<Response> | Response,
): Handler {
  return async (c) => operation(await readContext(services, c, actions), c)
}

/** A handler for an operation that does its own reads and writes, such as signing in. */
export function customHandler(
  services: Services,
  actions: readonly string[],
  operation: (readContext: RequestContext, request: Request) => Promise<OperationResult>,
): Handler {
  return async (c) => {
    const context = await readContext(services, c, actions)
    const pick = pickOf(context)
    return send(await written(await operation(context, c.req.raw), context, pick))
  }
}
