/**
 * The vocabulary of liars, in addition to the vocabulary of faults: when to lie, what to take from another record, and when to
 * break off.
 *
 * @module
 */

import { ConnectionDropped } from '../../reference/testing/faults.ts'
import { resultsOf } from '../faults/combinators/batch.ts'
import {
  another,
  isJsonObject,
  type JsonValue,
  json,
  type Match,
  type Operations,
  on,
  parsedBody,
  tamper,
} from '../faults/combinators/combinators.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'

export type Make = (tools: FaultTools) => Middleware

/** Changes nothing: for servers that are honest, and unusual. */
export const honest: Make = () => (request, next) => next(request)

/** True at every `n`-th call, from the second on: the first record of a check is its precondition. */
export function every(n: number): () => boolean {
  let count = 0
  return () => ++count % n === 2 % n
}

export const always = (): boolean => true

/** Answers a create that was done with another body; undefined leaves it as it is. */
export function createSays(
  change: (body: JsonValue, match: Match) => JsonValue | undefined,
  when = always,
): Make {
  return tamper('createRecord', (body, _request, match) => (when() ? (change(body, match) ?? body) : body))
}

/** Answers a create that was done with another response. */
export function createEnds(
  response: (body: JsonValue, match: Match, origin: string) => Response | Promise<Response>,
  when = always,
): Make {
  return on('createRecord', async (request, next, match) => {
    const done = await next(request.clone())
    if (!done.ok || !when()) return done
    return response((await done.json()) as JsonValue, match, new URL(request.url).origin)
  })
}

/** Creates nothing and returns what the function finds; undefined performs the create. */
export function createFinds(
  find: (sent: JsonValue, match: Match) => JsonValue | undefined | Promise<JsonValue | undefined>,
  when = always,
): Make {
  return on('createRecord', async (request, next, match) => {
    const sent = await parsedBody(request)
    const found = sent !== undefined && when() ? await find(sent, match) : undefined
    return found === undefined ? next(request) : json(200, found)
  })
}

/** Ends the connection without a response, after the request was carried out. */
export function breaksOff(operations: Operations, when: () => boolean): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    if (!response.ok || !when()) return response
    throw new ConnectionDropped()
  })
}

/** A record as a superuser sees it. */
export async function liarRecord(
  tools: FaultTools,
  table: string,
  id: string,
): Promise<JsonValue | undefined> {
  const path = `${tools.prefix}/collections/${table}/records/${id}`
  const response = await tools.asSuperuser(new Request(`http://reference.invalid${path}`))
  return response.ok ? ((await response.json()) as JsonValue) : undefined
}

/** Sends a request of the server's own, as superuser. */
export function asServer(
  tools: FaultTools,
  request: Request,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return tools.asSuperuser(another(request, method, `${tools.prefix}${path}`, body))
}

/** The same response with other values for the id of a record, wherever records appear in it. */
export function showsIds(operations: Operations, show: (id: string, record: JsonValue) => unknown): Make {
  const shown = (record: unknown): unknown =>
    isJsonObject(record) && typeof record.id === 'string'
      ? { ...record, id: show(record.id, record) }
      : record
  return tamper(operations, (body) => {
    if (Array.isArray(body)) return body.map((each: JsonValue) => ({ ...each, body: shown(each?.body) }))
    if (Array.isArray(body.items)) return { ...body, items: body.items.map(shown) }
    if (isJsonObject(body.record)) return { ...body, record: shown(body.record) }
    return shown(body)
  })
}

/** One entry of a batch, as it was sent. */
interface SentEntry {
  method: unknown
  /** Of its path, `''` if the path has none. */
  table: string
}

/** Answers a batch that was carried out with other entries: each one follows from what it was, and what was sent for it. */
export function batchSays(
  change: (answer: JsonValue, sent: SentEntry) => JsonValue | Promise<JsonValue>,
): Make {
  return on('batch', async (request, next) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request)
    const answers: unknown = response.ok ? await response.clone().json() : undefined
    if (!Array.isArray(answers)) return response
    const changed: JsonValue[] = []
    for (const [at, answer] of (answers as JsonValue[]).entries()) {
      const { method, url } = entries[at] ?? {}
      const [, table = ''] = /\/collections\/([^/]+)\//.exec(String(url)) ?? []
      changed.push(await change(answer, { method, table }))
    }
    return json(200, changed)
  })
}
