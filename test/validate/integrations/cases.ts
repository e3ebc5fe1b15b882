/**
 * The one table of responses that every integration has to cope with, and what has to come of each.
 */

import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { page } from '../exchanges.ts'

export const casePath = '/api/v1/collections/notes/records'
const elsewhere = '/elsewhere'

/** Bytes of the largest body that the integrations validate in these tests. */
export const limit = 256 * 1024

/** The error that `onResult` throws in the cases in which it does. */
export const callbackError = 'thrown by onResult'

export interface Case {
  name: string
  method?: 'GET' | 'HEAD' | 'DELETE'
  path?: string
  respond(response: ServerResponse): void
  /**
   * What the caller gets: the response as it was sent (`passes`), the id of the requirement that it breaks, the error of
   * the broken connection (`breaks`), of the abort (`aborts`), or the one that `onResult` has thrown (`throws`).
   */
  expected: 'passes' | 'breaks' | 'aborts' | 'throws' | `${string}.${string}`
  /** The same, for a client that follows redirects and sees only the last response. */
  followed?: Case['expected']
  /** When the caller aborts. */
  abort?: 'before the head' | 'in the body'
  /** The second half of the body comes only when the caller has read the first. */
  halves?: boolean
  /** Status and body that `passes` represents. */
  status?: number
  body?: string
}

const json = { 'content-type': 'application/json' }
const good = JSON.stringify(page())
export const badCase = JSON.stringify(page({ totalPages: 9 }))
const broken = JSON.stringify(page({ items: 'none' }))
const rejected = JSON.stringify({ status: 404, message: 'Not found.', data: {} })
const failed = JSON.stringify({ status: 500, message: 'Failed.', data: {} })
const moved = JSON.stringify({ status: 302, message: 'Moved.', data: {} })
const large = JSON.stringify(page({ note: 'x'.repeat(4 * limit) }))
const events = 'data: 1\n\n'

/** In pieces, with a pause after each. */
function inPieces(response: ServerResponse, body: string, then: () => void): void {
  const size = Math.ceil(body.length / 4)
  const send = (at: number) => {
    if (at >= body.length) return then()
    response.write(body.slice(at, at + size), () => setTimeout(send, 5, at + size))
  }
  send(0)
}

export const cases: readonly Case[] = [
  {
    name: 'conforming',
    respond: (response) => response.writeHead(200, json).end(good),
    expected: 'passes',
  },
  {
    name: 'conforming, an error response',
    respond: (response) => response.writeHead(404, json).end(rejected),
    expected: 'passes',
    status: 404,
    body: rejected,
  },
  {
    name: 'broken schema',
    respond: (response) => response.writeHead(200, json).end(broken),
    expected: 'list.items',
  },
  {
    name: 'broken beyond schema',
    respond: (response) => response.writeHead(200, json).end(badCase),
    expected: 'list.total-pages',
  },
  {
    name: 'broken status',
    respond: (response) => response.writeHead(500, json).end(failed),
    expected: 'wire.no-server-error',
  },
  {
    name: 'cut before the announced length',
    respond: (response) =>
      response
        .writeHead(200, { ...json, 'content-length': good.length })
        .write(good.slice(0, 40), () => setTimeout(() => response.destroy(), 20)),
    expected: 'breaks',
  },
  {
    name: 'cut between two chunks',
    respond: (response) =>
      response.writeHead(200, json).write(good.slice(0, 40), () => setTimeout(() => response.destroy(), 20)),
    expected: 'breaks',
  },
  {
    name: 'empty, announced',
    respond: (response) => response.writeHead(200, { ...json, 'content-length': 0 }).end(),
    expected: 'wire.no-empty-success',
  },
  {
    name: 'empty, in chunks',
    respond: (response) => response.writeHead(200, { ...json, 'transfer-encoding': 'chunked' }).end(),
    expected: 'wire.no-empty-success',
  },
  {
    name: 'HEAD',
    method: 'HEAD',
    respond: (response) => response.writeHead(200, { ...json, 'content-length': good.length }).end(),
    expected: 'passes',
    body: '',
  },
  {
    name: 'HEAD, broken status',
    method: 'HEAD',
    respond: (response) => response.writeHead(500, { ...json, 'content-length': failed.length }).end(),
    expected: 'wire.no-server-error',
  },
  {
    name: '204',
    method: 'DELETE',
    path: `${casePath}/abc`,
    respond: (response) => response.writeHead(204).end(),
    expected: 'passes',
    status: 204,
    body: '',
  },
  {
    name: '204 where a body belongs',
    respond: (response) => response.writeHead(204).end(),
    expected: 'wire.documented-status',
  },
  {
    name: 'streamed slowly',
    respond: (response) => inPieces(response.writeHead(200, json), good, () => response.end()),
    expected: 'passes',
  },
  {
    name: 'streamed slowly, broken',
    respond: (response) => inPieces(response.writeHead(200, json), badCase, () => response.end()),
    expected: 'list.total-pages',
  },
  {
    name: 'aborted before the head',
    respond: () => {},
    abort: 'before the head',
    expected: 'aborts',
  },
  {
    name: 'aborted in the body',
    respond: (response) => response.writeHead(200, json).write(good.slice(0, 40)),
    abort: 'in the body',
    expected: 'aborts',
  },
  {
    name: 'gzip',
    respond: (response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(good)),
    expected: 'passes',
  },
  {
    name: 'gzip, broken',
    respond: (response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(badCase)),
    expected: 'list.total-pages',
  },
  {
    name: 'outside the interface',
    path: elsewhere,
    respond: (response) => response.writeHead(500, json).end(badCase),
    expected: 'passes',
    status: 500,
    body: badCase,
  },
  {
    name: 'outside the interface, the second half when the first is read',
    path: elsewhere,
    respond: (response) => response.writeHead(200, json).write(good.slice(0, 40)),
    halves: true,
    expected: 'passes',
  },
  {
    name: 'events, one by one',
    respond: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.slice(0, 4))
    },
    halves: true,
    expected: 'passes',
    body: events,
  },
  {
    name: 'larger than the limit',
    respond: (response) => response.writeHead(200, json).end(large),
    expected: 'passes',
    body: large,
  },
  {
    name: 'larger than the limit, in chunks',
    respond: (response) => {
      response.writeHead(200, json)
      inPieces(response, large, () => response.end())
    },
    expected: 'passes',
    body: large,
  },
  {
    name: 'redirect',
    respond: (response) =>
      response.writeHead(302, { ...json, location: `${casePath}?case=conforming` }).end(moved),
    expected: 'wire.documented-status',
    followed: 'passes',
  },
  {
    name: 'redirect into the interface, to a broken response',
    path: elsewhere,
    respond: (response) =>
      response.writeHead(302, { ...json, location: `${casePath}?case=broken%20beyond%20schema` }).end(moved),
    expected: 'passes',
    status: 302,
    body: moved,
    followed: 'list.total-pages',
  },
  {
    name: 'onResult throws',
    respond: (response) => response.writeHead(200, json).end(good),
    expected: 'throws',
  },
  {
    name: 'onResult throws, no body',
    method: 'HEAD',
    respond: (response) => response.writeHead(200, json).end(),
    expected: 'throws',
    body: '',
  },
]

/** The second half, where `halves`. */
export function secondHalf({ body = good }: Case): string {
  return body.slice(body === events ? 4 : 40)
}

export function caseBody({ body = good }: Case): string {
  return body
}
