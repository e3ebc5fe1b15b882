/**
 * The vocabulary of faults: each function makes a middleware maker, so that a fault is one line.
 * `operation` may be a list, or `'*'` for any operation of the document.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import { matchOperation } from '../../../exchange/operation.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import type { FaultTools, Middleware, Next } from '../fault.ts'

export type JsonValue = Record<string, unknown>
/** The operation that a request is for, and what its path names. */
export interface Match {
  operation: OperationId
  table?: string
  id?: string
}
export type Operations = OperationId | readonly OperationId[] | '*'
type Make = (tools: FaultTools) => Middleware
type Handler = (request: Request, next: Next, match: Match, tools: FaultTools) => Promise<Response>

/** The base of all others: `handle` is called for the named operations; every other request is passed on unchanged. */
export function on(operations: Operations, handle: Handler): Make {
  return (tools) => async (request, next) => {
    const match = matchOperation(request.method, new URL(request.url).pathname, tools.prefix)
    if (match === undefined || !covers(operations, match.operation.id)) return next(request)
    return handle(request, next, { operation: match.operation.id, ...match.params }, tools)
  }
}

/** A fault that only some requests meet. */
export function only(isMet: (request: Request, prefix: string) => boolean, make: Make): Make {
  return (tools) => {
    const faulty = make(tools)
    return (request, next) => (isMet(request, tools.prefix) ? faulty(request, next) : next(request))
  }
}

function covers(operations: Operations, operation: OperationId): boolean {
  return (
    operations === '*' ||
    operations === operation ||
    (Array.isArray(operations) && operations.includes(operation))
  )
}

/** Changes the JSON body of successful (2xx) responses. */
export function tamper(
  operations: Operations,
  change: (body: JsonValue, request: Request, match: Match) => unknown,
): Make {
  return on(operations, async (request, next, match) => {
    const response = await next(request.clone())
    return response.ok
      ? withBody(response, await changed(response, (body) => change(body, request, match)))
      : response
  })
}

/** Changes the JSON body of error responses (4xx). */
export function tamperError(
  operations: Operations,
  change: (body: JsonValue, request: Request) => unknown,
): Make {
  return on(operations, async (request, next) => {
    const response = await next(request.clone())
    return response.status >= 400
      ? withBody(response, await changed(response, (body) => change(body, request)))
      : response
  })
}

/** Changes every record of successful responses: lists, single records, sign-ins and batches. */
export function tamperRecord(
  operations: Operations,
  change: (record: JsonValue, match: Match) => JsonValue,
): Make {
  return tamper(operations, (body, _request, match) => mapRecords(body, (record) => change(record, match)))
}

/** Another status for responses of one status; the body stays (unless the new status forbids one). */
export function tamperStatus(operations: Operations, from: number, to: number): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    if (response.status !== from) return response
    return new Response(hasNoBody(to) ? null : await response.arrayBuffer(), {
      status: to,
      headers: plainHeaders(response),
    })
  })
}

/** Answers without doing anything: the request never reaches the reference. */
export function swallow(operations: Operations, status: number, body?: unknown): Make {
  return on(operations, async () => json(status, body))
}

/** Changes the query before the reference sees it. */
export function rewriteQuery(
  operations: Operations,
  change: (query: URLSearchParams, match: Match) => void,
): Make {
  return on(operations, async (request, next, match) => {
    const url = new URL(request.url)
    change(url.searchParams, match)
    return next(await withUrl(request, url))
  })
}

/** Ignores the query parameters named. */
export function dropQuery(operations: Operations, ...names: readonly string[]): Make {
  return rewriteQuery(operations, (query) => {
    for (const name of names) query.delete(name)
  })
}

/** Changes the path before the reference sees it. */
export function rewritePath(operations: Operations, change: (path: string, match: Match) => string): Make {
  return on(operations, async (request, next, match) => {
    const url = new URL(request.url)
    url.pathname = change(url.pathname, match)
    return next(await withUrl(request, url))
  })
}

/**
 * Changes the JSON body of the request before the reference sees it. Other bodies pass, and what is nested too deeply to
 * be written again.
 */
export function rewriteBody(
  operations: Operations,
  change: (body: JsonValue, match: Match) => unknown,
): Make {
  return on(operations, async (request, next, match) => {
    const body = await parsedBody(request)
    if (body === undefined) return next(request)
    const text = writtenAgain(change(body, match))
    return next(text === undefined ? request : withRequestText(request, text))
  })
}

/**
 * Changes each sub-request of a batch before the reference reads it; undefined removes it. Entries that are not objects
 * stay.
 */
export function rewriteEntries(
  change: (entry: JsonValue, index: number, all: readonly JsonValue[]) => JsonValue | undefined,
): Make {
  return rewriteBody('batch', (body) => {
    const entries = Array.isArray(body.requests) ? (body.requests as JsonValue[]) : []
    const changed = entries.map((entry, ...place) => (isJsonObject(entry) ? change(entry, ...place) : entry))
    return { ...body, requests: changed.filter((entry) => entry !== undefined) }
  })
}

/** Forgets who may do what: the operation runs with a superuser's rights. */
export function asSuperuser(operations: Operations): Make {
  return on(operations, async (request, _next, _match, tools) => tools.asSuperuser(request))
}

/** Sends the request twice; the second response counts. */
export function repeat(operations: Operations): Make {
  return on(operations, async (request, next) => {
    const again = request.clone()
    await drain(next(request))
    return next(again)
  })
}

/** Another order (or another selection) of the items of a list. */
export function reorder(change: (items: JsonValue[], request: Request) => JsonValue[]): Make {
  return tamper('listRecords', (body, request) => ({ ...body, items: change(listItems(body), request) }))
}

/** Changes response headers. */
export function tamperHeaders(operations: Operations, change: (headers: Headers) => void): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    const headers = new Headers(response.headers)
    change(headers)
    return new Response(hasNoBody(response.status) ? null : await response.arrayBuffer(), {
      status: response.status,
      headers,
    })
  })
}

/** The same response with more headers. */
export function withMoreHeaders(response: Response, more: Readonly<Record<string, string>>): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(more)) headers.append(name, value)
  return new Response(hasNoBody(response.status) ? null : response.body, { status: response.status, headers })
}

/** Successful responses have this status and no body. */
export function wordless(operations: Operations, status: number): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    return response.ok ? new Response(null, { status }) : response
  })
}

/** Turns error responses of one status into a success that does nothing. */
export function forgive(operations: Operations, from: number, status: number, body?: unknown): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    if (response.status !== from) return response
    await response.arrayBuffer()
    return json(status, body)
  })
}

/** Executes the entries of a batch one by one, each on its own, and responds as a batch does: without a transaction. */
export function withoutTransaction(
  options: { order?: (entries: JsonValue[]) => JsonValue[]; goOn?: boolean } = {},
): Make {
  return on('batch', async (request, next) => {
    const body = await parsedBody(request.clone())
    if (!Array.isArray(body?.requests)) return next(request)
    const entries = body.requests as JsonValue[]
    const responses: { status: number; body: unknown }[] = []
    for (const entry of options.order?.(entries) ?? entries) {
      const response = await next(entryRequest(request, entry))
      const text = await response.text()
      responses.push({ status: response.status, body: text === '' ? null : JSON.parse(text) })
      if (!response.ok && options.goOn !== true) {
        const index = String(responses.length - 1)
        return json(400, {
          status: 400,
          message: 'Batch transaction failed.',
          data: {
            requests: {
              [index]: {
                code: 'batch_request_failed',
                message: 'Batch request failed.',
                response: responses.at(-1)?.body,
              },
            },
          },
        })
      }
    }
    return json(200, responses)
  })
}

/** A sub-request of a batch as a request of its own, in the name of the batch's caller. */
function entryRequest(batch: Request, entry: JsonValue): Request {
  const headers = new Headers(batch.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  const body = entry.body === undefined ? null : JSON.stringify(entry.body)
  return new Request(new URL(String(entry.url), batch.url), { method: String(entry.method), headers, body })
}

/**
 * The same request with other headers. It is a new object: the server's own request objects cannot be copied with
 * changes.
 */
export async function withHeaders(request: Request, headers: Headers): Promise<Request> {
  const bare = request.method === 'GET' || request.method === 'HEAD'
  return new Request(request.url, {
    method: request.method,
    headers,
    body: bare ? null : await request.clone().arrayBuffer(),
  })
}

/** The same request with another method, path or body: for faults that send a request of their own. */
export function another(request: Request, method: string, path: string, body?: unknown): Request {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  if (body === undefined) headers.delete('content-type')
  else headers.set('content-type', 'application/json')
  return new Request(new URL(path, request.url), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
}

/** Whether a path names one of our tables by its identifier. */
export const isIdentifier = (table: string) => /_\d{4}$/.test(table)

/** A fault that these operations have only where the path names the table by its identifier. */
export function underIdentifier(operations: readonly OperationId[], make: Make): Make {
  return (tools) => {
    const faulty = make(tools)
    return on('*', (request, next, { operation, table = '' }) =>
      operations.includes(operation) && !isIdentifier(table) ? next(request) : faulty(request, next),
    )(tools)
  }
}

/** One fault made of several middlewares, outermost first. */
export function all(...makes: readonly Make[]): Make {
  return (tools) => {
    const chain = makes.map((make) => make(tools))
    return (request, next) =>
      chain.reduceRight<Next>((inner, middleware) => (each) => middleware(each, inner), next)(request)
  }
}

/** Items of a list body. */
export function listItems(body: JsonValue): JsonValue[] {
  return Array.isArray(body.items) ? (body.items as JsonValue[]) : []
}

/** Every record in a response body: list, single, sign-in, batch. */
function mapRecords(body: unknown, change: (record: JsonValue) => JsonValue): unknown {
  if (Array.isArray(body))
    return body.map((each: JsonValue) => (isRecord(each.body) ? { ...each, body: change(each.body) } : each))
  if (!isJsonObject(body)) return body
  if (Array.isArray(body.items)) return { ...body, items: (body.items as JsonValue[]).map(change) }
  if (isRecord(body.record)) return { ...body, record: change(body.record) }
  return isRecord(body) ? change(body) : body
}

/** A JSON response. */
export function json(status: number, body?: unknown): Response {
  if (body === undefined || hasNoBody(status)) return new Response(null, { status })
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

/** The body as a JSON object; undefined if it is not one. The request can still be read. */
export async function parsedBody(request: Request): Promise<JsonValue | undefined> {
  try {
    const body: unknown = JSON.parse(await request.clone().text())
    return isJsonObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** The fields of a record that only its own table has. */
export function ownFieldsOf(record: JsonValue): JsonValue {
  const common: ReadonlySet<string> = new Set(commonFields)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !common.has(name)))
}

export function isJsonObject(value: unknown): value is JsonValue {
  return isObject(value)
}

function isRecord(value: unknown): value is JsonValue {
  return isJsonObject(value) && (typeof value.id === 'string' || typeof value.collectionId === 'string')
}

async function changed(response: Response, change: (body: JsonValue) => unknown): Promise<string> {
  const text = await response.text()
  if (text === '') return text
  let body: JsonValue
  try {
    body = JSON.parse(text) as JsonValue
  } catch {
    return text
  }
  const out = change(body)
  return typeof out === 'string' ? out : JSON.stringify(out)
}

function withBody(response: Response, text: string): Response {
  const empty = hasNoBody(response.status) || text === ''
  return new Response(empty ? null : text, { status: response.status, headers: plainHeaders(response) })
}

async function withUrl(request: Request, url: URL): Promise<Request> {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  return new Request(url, {
    method: request.method,
    headers: request.headers,
    body: hasBody ? await request.arrayBuffer() : null,
  })
}

/** A body as JSON; undefined if it is nested deeper than can be written: `JSON.parse` reads much deeper ones. */
export function writtenAgain(body: unknown): string | undefined {
  try {
    return JSON.stringify(body)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function withRequestText(request: Request, body: string): Request {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return new Request(request.url, { method: request.method, headers, body })
}

function plainHeaders(response: Response): Headers {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return headers
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

async function drain(response: Promise<Response>): Promise<void> {
  await (await response).arrayBuffer()
}
