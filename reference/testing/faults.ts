/**
 * Faults on demand: responses that an application must handle and that a healthy server does not send on demand.
 *
 * @module
 */

import { pause } from '../environment/timers.ts'
import { ApiError } from '../errors.ts'
import { errorResponse } from '../http/respond.ts'
import { keepRequestBody, keepResponseText, seenRequestBody } from '../http/seen-request-body.ts'
import type { Environment, Table } from '../vocabulary.ts'
import { checkFault, type FaultOptions, hasNoBody } from './fault-options.ts'
import type { RequestLine } from './request-line.ts'
import { rejectNearTable, requestTest } from './request-match.ts'

/** A fault that was added to a reference. */
export interface Fault {
  /** How many times it was applied. */
  readonly hits: number
  /** Removes the fault. */
  clear(): void
}

/** Adds a fault. */
export type FaultMaker = (options: FaultOptions) => Fault

/** The connection was closed. Looks like a real connection error. */
export class ConnectionDropped extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }
}

interface Planned {
  options: FaultOptions
  fits: (line: RequestLine) => boolean
  left: number
  skip: number
  hits: number
}

/** A function that responds to a request. */
export type FaultResponse = (request: Request) => Promise<Response>

export interface Faults {
  add: FaultMaker
  clear(): void
  /** Whether any fault is pending. */
  readonly active: boolean
  /**
   * Passes a request to `response`, unless a fault prevents it.
   *
   * @param note receives a description of the applied fault
   * @throws ConnectionDropped
   */
  pass(
    request: Request,
    line: RequestLine,
    respond: FaultResponse,
    note: (what: string) => void,
  ): Promise<Response>
}

function responseOf({ status, body, headers = {} }: FaultOptions): Response {
  // Responses with these statuses have no body; they cannot even be constructed with one.
  if (hasNoBody(status)) return new Response(null, { status, headers })
  const rejection = errorResponse(new ApiError(status ?? 200, () => 'A fault was planned for this request.'))
  for (const [name, value] of Object.entries(headers)) rejection.headers.set(name, value)
  if (status === 429 && !rejection.headers.has('retry-after')) rejection.headers.set('retry-after', '1')
  if (body === undefined) return rejection
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { headers: all, status: responded } = rejection
  return keepResponseText(new Response(text, { status: responded, headers: all }), text)
}

const cuts = new WeakMap<Response, { end?: () => void }>()

/** Called where a response is cut off. Without it, reading the body fails. */
export function onCut(response: Response, end: () => void): void {
  const cut = cuts.get(response)
  if (cut !== undefined) cut.end = end
}

/** Milliseconds for the bytes before the cut to be sent. */
const headStart = 10

/** Breaks off a body: the connection ends, or its reader gets the error. */
function breakOff(cut: Response, controller: ReadableStreamDefaultController<Uint8Array>): void {
  const end = cuts.get(cut)?.end
  if (end === undefined) {
    controller.error(new ConnectionDropped())
    return
  }
  end()
  controller.close()
}

/** A response of an endless stream, cut off after this many bytes. The sender of the stream sees that it is canceled. */
function cutStream(response: Response, stream: ReadableStream<Uint8Array>, bytes: number): Response {
  const reader = stream.getReader()
  let left = bytes
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = left > 0 ? await reader.read() : { done: false, value: undefined }
      if (done) return controller.close()
      const part = value?.subarray(0, left)
      left -= part?.byteLength ?? 0
      if (part !== undefined) controller.enqueue(part)
      if (left > 0) return
      await reader.cancel()
      await pause(headStart)
      breakOff(cut, controller)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const cut = new Response(body, { status: response.status, headers: response.headers })
  cuts.set(cut, {})
  return cut
}

/**
 * The response, cut off in the middle of its body.
 *
 * @throws ConnectionDropped if it has no body
 */
async function cutShort(response: Response, bytes: number): Promise<Response> {
  if (response.body === null) throw new ConnectionDropped()
  if (response.headers.get('content-type') === 'text/event-stream')
    return cutStream(response, response.body, bytes)
  const whole = new Uint8Array(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  headers.set('content-length', String(whole.byteLength))
  let sent = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true
        controller.enqueue(whole.subarray(0, bytes))
        return
      }
      await pause(headStart)
      breakOff(cut, controller)
    },
  })
  const cut = new Response(body, { status: response.status, headers })
  cuts.set(cut, {})
  return cut
}

function withoutToken(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete('authorization')
  // Copied field by field: a request from a socket is an object of the server library, which cannot be cloned.
  const { url, method, body } = request
  return new Request(url, { method, headers, body, duplex: 'half' } as RequestInit)
}

/** Most pending faults. Every request is matched with each of them. */
const mostPlanned = 1_000

/**
 * @param environment whose random source chooses delays
 * @param prefix of the reference, which paths of `match` do not include
 * @param tables of the reference at the moment
 */
export function createFaults(
  { random }: Pick<Environment, 'random'>,
  prefix = '',
  tables: () => Iterable<Table> = () => [],
): Faults {
  let planned: Planned[] = []

  const due = (line: RequestLine): Planned[] =>
    planned.filter((one) => {
      if (!one.fits(line)) return false
      if (one.skip > 0) {
        one.skip -= 1
        return false
      }
      one.hits += 1
      one.left -= 1
      return true
    })

  return {
    get active() {
      return planned.length > 0
    },
    add(options) {
      checkFault(options)
      if (planned.length >= mostPlanned)
        throw new RangeError(
          `${mostPlanned} faults are already waiting for a request: clear those that are not needed.`,
        )
      rejectNearTable(options.match, tables())
      const { match, times = Number.POSITIVE_INFINITY, after = 0 } = options
      const one: Planned = { options, fits: requestTest(match, prefix), left: times, skip: after, hits: 0 }
      planned.push(one)
      return {
        get hits() {
          return one.hits
        },
        clear() {
          planned = planned.filter((other) => other !== one)
        },
      }
    },
    clear() {
      planned = []
    },
    async pass(request, line, respond, note) {
      const faults = due(line)
      planned = planned.filter(({ left }) => left > 0)
      let passed = request
      for (const { options } of faults) {
        const { delay, drop, status, body, expired } = options
        if (delay !== undefined) {
          const [least, most] = typeof delay === 'number' ? [delay, delay] : delay
          note(`delay ${Math.round(least)}`)
          const share = most > least ? Number(`0.${random('0123456789', 6)}`) : 0
          await pause(least + share * (most - least))
        }
        if (expired) {
          note('token expired')
          passed = withoutToken(passed)
        }
        if (drop === true || drop === 'request') {
          note('drop request')
          throw new ConnectionDropped()
        }
        if (status !== undefined || body !== undefined) {
          note(`status ${status ?? 200}`)
          return responseOf(options)
        }
      }
      let response = await respond(passed)
      const sent = seenRequestBody(passed)
      if (sent !== undefined) keepRequestBody(request, sent)
      for (const { options } of faults) {
        const { drop, headers } = options
        if (drop === 'response') {
          note('drop response')
          await response.body?.cancel()
          throw new ConnectionDropped()
        }
        for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value)
        if (typeof drop === 'object') {
          note(`drop after ${drop.afterBytes} bytes`)
          response = await cutShort(response, drop.afterBytes)
        }
      }
      return response
    },
  }
}
