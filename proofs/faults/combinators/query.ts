/**
 * Faults in reading the query of lists, one line each.
 *
 * @module
 */

import type { FaultTools, Middleware } from '../fault.ts'
import { type JsonValue, json, type Operations, on, parsedBody, rewriteQuery, tamper } from './combinators.ts'

type Make = (tools: FaultTools) => Middleware

/** The operations that know `expand` and `fields`. */
export const READERS = ['listRecords', 'viewRecord', 'createRecord', 'updateRecord'] as const

/** The body of a list that has no records. */
const nothing = { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] }

/** Reads a parameter as another text than it is; an absent one stays absent. */
export function misreadsQuery(
  name: string,
  change: (text: string) => string,
  operations: Operations = 'listRecords',
): Make {
  return rewriteQuery(operations, (query) => {
    const text = query.get(name)
    if (text !== null) query.set(name, change(text))
  })
}

/** Reads filters otherwise: `find` is replaced wherever it stands. */
export function misreadsFilter(find: RegExp | string, replacement: string): Make {
  return misreadsQuery('filter', (text) => text.replaceAll(find, replacement))
}

/** Rejects lists whose parameter matches. */
export function rejectsQuery(
  name: string,
  when: RegExp,
  status = 400,
  operations: Operations = 'listRecords',
): Make {
  return on(operations, async (request, next) => {
    const text = new URL(request.url).searchParams.get(name)
    return text !== null && when.test(text)
      ? json(status, { data: {}, message: 'Refused.', status })
      : next(request)
  })
}

/** Returns an empty list where a list must be rejected, if the parameter matches. */
export function findsNothing(name: string, when: RegExp, rejected = 400): Make {
  return on('listRecords', async (request, next) => {
    const response = await next(request)
    const text = new URL(request.url).searchParams.get(name)
    return response.status === rejected && text !== null && when.test(text) ? json(200, nothing) : response
  })
}

/** Corrects the query where it would be rejected, and requests the list again. */
export function overlooks(
  change: (query: URLSearchParams) => void,
  operations: Operations = 'listRecords',
): Make {
  return on(operations, async (request, next) => {
    const again = request.clone()
    const response = await next(request)
    if (response.status !== 400) return response
    const url = new URL(again.url)
    change(url.searchParams)
    const body = again.method === 'GET' ? null : await again.arrayBuffer()
    return next(new Request(url, { method: again.method, headers: again.headers, body }))
  })
}

/** Ignores who sends the request if a parameter matches: everyone is a superuser. */
export function opensQuery(name: string, when: RegExp, operations: Operations = 'listRecords'): Make {
  return on(operations, async (request, next, _match, tools) => {
    const text = new URL(request.url).searchParams.get(name)
    return text !== null && when.test(text) ? tools.asSuperuser(request) : next(request)
  })
}

/** Changes list bodies whose request has a parameter with something in it. */
export function tamperList(
  name: string,
  when: RegExp,
  change: (body: JsonValue, text: string) => JsonValue,
): Make {
  return tamper('listRecords', (body, request) => {
    const text = new URL(request.url).searchParams.get(name)
    return text !== null && when.test(text) ? change(body, text) : body
  })
}

/** Changes what stands under `expand` of every record: undefined takes it away. */
export function tamperExpand(change: (expand: JsonValue, record: JsonValue) => unknown): Make {
  const changed = (record: JsonValue): JsonValue => {
    const { expand, ...rest } = record
    if (expand === undefined) return record
    const other = change(expand as JsonValue, record)
    return other === undefined ? rest : { ...rest, expand: other }
  }
  return tamper(READERS, (body) =>
    Array.isArray(body.items) ? { ...body, items: (body.items as JsonValue[]).map(changed) } : changed(body),
  )
}

/** Lists as if it could see which records have a password: `select` says which of them, in which order. */
export function seesPasswords(
  name: string,
  select: (items: JsonValue[], has: (item: JsonValue) => boolean) => JsonValue[],
): Make {
  return (tools) => {
    const known = new Set<unknown>()
    const remember = on('createRecord', async (request, next) => {
      const sent = await parsedBody(request)
      const response = await next(request)
      if (sent?.password) known.add(((await response.clone().json()) as JsonValue).id)
      return response
    })
    const reveal = on('listRecords', async (request, next) => {
      const url = new URL(request.url)
      const text = url.searchParams.get(name) ?? ''
      if (!/password/.test(text)) return next(request)
      if (name === 'filter') url.searchParams.set('filter', text.replace(/ && password.*/, ''))
      else url.searchParams.delete(name)
      const body = (await (await next(new Request(url, { headers: request.headers }))).json()) as JsonValue
      return json(200, { ...body, items: select(body.items as JsonValue[], ({ id }) => known.has(id)) })
    })
    const [first, second] = [remember(tools), reveal(tools)]
    return (request, next) => first(request, (inner) => second(inner, next))
  }
}
