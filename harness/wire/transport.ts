/**
 * Sends one HTTP request over a pooled connection, and classifies network errors. Independent of the interface.
 *
 * @module
 */

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Dispatcher, Pool } from 'undici'
import { HarnessError, NetworkError, type NetworkFault, StoppedError } from '../errors.ts'
import { runOptions } from '../run-options.ts'
import { expectNode } from '../support/expect-node.ts'
import type { SendingOptions } from '../vocabulary/options.ts'
import { exchangeBytes, OversizedError, type UnderWay, type WireResponse } from './exchange-bytes.ts'
import type { Silence } from './silence.ts'

export interface WireRequest {
  method: string
  /** Path and query. */
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Whether a 503 with a short Retry-After is retried. @default true */
  patient?: boolean
  /** Whether a 429 is returned like any other response and not retried. @default false */
  counted?: boolean
  /**
   * Over its own connection, closed afterwards. For intentionally invalid requests: a server may not read an unexpected
   * body, and would then parse the rest of it as the next request.
   * @default false
   */
  alone?: boolean
  /** What counts of rejected requests call it. */
  name?: string | undefined
}

export interface TransportOptions extends SendingOptions {
  /** Headers for every request, for a gateway before the target. */
  headers?: Record<string, string>
  /**
   * Stops the current check. It ends waits for a turn or for a retry: a server may require a minute and a half. A
   * request in flight is awaited, since its record must be known.
   */
  stop?: () => AbortSignal | undefined
  /** How long the server may be silent after the run was stopped. @default unlimited */
  silence?: Silence | undefined
  /** How time is passed until a request may be sent again. @default real time */
  pause?: Pause
  /** How a request is exchanged for its response. @default over a connection */
  exchange?: Exchanging
  /** Connections that are shared with other transports, and that their owner closes. @default its own */
  connections?: Connections | undefined
}

/** Connections to one server, as many as are needed up to a limit. */
export type Connections = Pool

/** No limit but `--timeout`, which covers a whole exchange. */
const noOtherLimit = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }

/**
 * @param most connections at the same time
 * @throws ConfigurationError in Bun
 */
export function openConnections(baseUrl: string, most: number, timeout?: number): Connections {
  expectNode()
  const connectTimeout = timeout ?? runOptions.timeout.default
  return new Pool(new URL(baseUrl).origin, { ...noOtherLimit, connectTimeout, connections: most })
}

export type Exchanging = (request: Dispatcher.DispatchOptions) => UnderWay

export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>

/** What the rate limits of a server cost a run. */
export interface RateLimitCounts {
  /** Requests that were rejected with 429, and sent again later. */
  rejected: number
  /** How many of them each operation had. */
  operations: Record<string, number>
  /** Milliseconds in which a request waited to be sent again. */
  waitedMs: number
}

export interface Transport {
  /** @throws NetworkError, or StoppedError where the run was stopped while the request waited */
  send(request: WireRequest): Promise<WireResponse>
  /** Total milliseconds in which requests waited for their turn or for a retry. */
  waited(): number
  /** What the rate limits of the server cost so far. Undefined if it rejected no request with 429. */
  rateLimit(): RateLimitCounts | undefined
  close(): Promise<void>
}

const mostRetries = 3
/** Seconds that a request waits at most if the server asks for it. */
export const longestRetryAfter = 30
/** Seconds to wait if a 429 names none. The total is longer than the usual windows of at most ten seconds. */
const backOff = [1, 2, 4, 8]
/**
 * Requests in a row, none of them concurrent, that waited to the end and still got a 429. After these the next ones are
 * not waited for until there is another response: a run against a server that rejects everything would last for hours.
 */
const mostFruitless = 5

/**
 * A pool of connections to one base URL, whose path is the prefix of every request's path. Retries a 429, and a 503
 * with a short Retry-After.
 */
export function createTransport(baseUrl: string, options: TransportOptions = {}): Transport {
  const { origin, pathname } = new URL(baseUrl)
  const base = pathname.replace(/\/+$/, '')
  const limit = options.timeout ?? runOptions.timeout.default
  const pool =
    options.connections ??
    openConnections(baseUrl, options.concurrency ?? runOptions.concurrency.default, options.timeout)

  const { pause = wait } = options
  const exchanging = (on: Dispatcher): Exchanging =>
    options.exchange ?? ((request) => exchangeBytes(on, request))
  const waiting = createStopwatch()
  const limiting = createStopwatch()
  const turn = createTurns(options.rate)

  let fruitless = 0
  let limited = 0
  const limitedByName: Record<string, number> = {}

  const label = ({ method, path }: WireRequest) => `${method} ${origin}${path.split('?')[0]}`

  async function once(request: WireRequest): Promise<WireResponse> {
    const { silence } = options
    if (silence?.isOver === true) throw new NetworkError('timeout', label(request), unheard())
    // Without `Connection: close`: with it, a server may close the connection before it has read the body, and its
    // response would be lost.
    const own =
      request.alone === true && options.exchange === undefined
        ? new Client(origin, { ...noOtherLimit, connectTimeout: limit })
        : undefined
    const underWay = exchanging(own ?? pool)({
      origin,
      method: request.method as 'GET',
      path: base + request.path,
      headers: { ...options.headers, ...request.headers },
      body: request.body ?? null,
    })
    let timedOut = false
    const giveUp = (why: Error) => {
      timedOut = true
      underWay.giveUp(why)
    }
    const timer = setTimeout(() => giveUp(new Error(`incomplete after ${limit} ms`)), limit)
    const heard = silence?.during(() => giveUp(unheard()))
    let hasResponded = false
    try {
      const response = await underWay.response
      hasResponded = true
      return response
    } catch (error) {
      if ((error as { code?: string }).code === 'UND_ERR_INVALID_ARG') {
        throw new HarnessError(
          `the suite created a request that cannot be sent (${label(request)}): ${String(error)}`,
        )
      }
      throw new NetworkError(timedOut ? 'timeout' : faultOf(error), label(request), error)
    } finally {
      void own?.destroy()
      clearTimeout(timer)
      heard?.(hasResponded)
    }
  }

  const count = ({ name }: WireRequest) => {
    limited += 1
    if (name !== undefined) limitedByName[name] = (limitedByName[name] ?? 0) + 1
  }

  return {
    async send(request) {
      const stop = options.stop?.()
      // After the stop there is only the clean-up, which has unlimited time as long as the server responds.
      const signal = stop?.aborted === true ? undefined : stop
      const waitFor = (work: () => Promise<void>) =>
        waiting.during(work).catch((error: unknown) => {
          throw signal?.aborted === true ? new StoppedError('the run was stopped') : error
        })
      const before = fruitless
      for (let attempt = 0; ; attempt++) {
        await waitFor(() => turn(signal))
        const response = await once(request)
        const isLimited = response.status === 429
        if (!isLimited) fruitless = 0
        const seconds = secondsUntilAgain(request, response, attempt)
        if (seconds === undefined || (isLimited && fruitless >= mostFruitless)) {
          if (isLimited && attempt > 0 && fruitless === before) fruitless += 1
          return response
        }
        const retryLater = () => pause(seconds * 1000, signal)
        if (isLimited) count(request)
        await waitFor(() => (isLimited ? limiting.during(retryLater) : retryLater()))
      }
    },
    waited: waiting.ms,
    rateLimit: () =>
      limited === 0
        ? undefined
        : { rejected: limited, operations: { ...limitedByName }, waitedMs: Math.round(limiting.ms()) },
    close: async () => {
      if (options.connections === undefined) await pool.destroy()
    },
  }
}

const unheard = () => new Error('no response since the run was stopped')

/** Seconds until a retry; undefined if the response is final. */
function secondsUntilAgain(
  { patient = true, counted = false }: WireRequest,
  { status, headers }: WireResponse,
  attempt: number,
): number | undefined {
  if (status === 429 ? counted : status !== 503 || !patient) return undefined
  const seconds = secondsToWait(headers['retry-after'])
  if (Number.isNaN(seconds)) return status === 429 ? backOff[attempt] : undefined
  return seconds <= longestRetryAfter && attempt < mostRetries ? seconds : undefined
}

/** Waits in real time. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  // Any number of requests may wait concurrently: Node would report more than ten listeners as a leak.
  if (signal !== undefined) setMaxListeners(0, signal)
  await sleep(ms, undefined, { signal })
}

/** Measures the time during which at least one of several tasks runs. */
function createStopwatch() {
  let goingOn = 0
  let since = 0
  let before = 0
  return {
    ms: () => before + (goingOn === 0 ? 0 : performance.now() - since),
    async during(work: () => Promise<void>): Promise<void> {
      if (goingOn++ === 0) since = performance.now()
      try {
        await work()
      } finally {
        if (--goingOn === 0) before += performance.now() - since
      }
    },
  }
}

/** The date of a header: RFC 9110, section 5.6.7. `Date.parse` alone accepts nearly any text with a number in it. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds of a Retry-After header, which contains a number or a date. NaN for anything else. */
export function secondsToWait(value: string | undefined, now = Date.now()): number {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  return httpDate.test(text) ? Math.max(0, (Date.parse(text) - now) / 1000) : Number.NaN
}

/** Spreads requests: each call resolves when its turn has come. */
export function createTurns(rate: number | undefined): (signal?: AbortSignal) => Promise<void> {
  if (rate === undefined) return async () => {}
  const gap = 1000 / rate
  let next = 0
  return async (signal) => {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + gap
    if (at <= now) return
    try {
      await wait(at - now, signal)
    } catch (error) {
      // Later requests do not wait for an abandoned turn.
      next -= gap
      throw error
    }
  }
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])

function faultOf(error: unknown): NetworkFault {
  if (error instanceof OversizedError) return 'oversized'
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (unreachable.has(code)) return 'unreachable'
  if (code.startsWith('HPE_') || name === 'HTTPParserError') return 'malformed'
  if (error instanceof AggregateError) return faultOf(error.errors[0])
  return 'cut'
}
