/**
 * The log of requests and responses, newest last, for assertions in tests.
 *
 * @module
 */

import type { HttpArchive } from '../../exchange/har/http-archive.ts'
import { visibleLine } from '../../exchange/visible.ts'
import { countOf } from '../../spec/count-of.ts'
import { foundValue, kindName } from '../../spec/kind-name.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import { elapsed, timers, waitingTime } from '../environment/timers.ts'
import { withCallSite } from '../environment/with-call-site.ts'
import type { RejectionReason } from '../errors.ts'
import { readQuery } from '../http/read-query.ts'
import { headOf } from '../http/request-head.ts'
import { seenReason, seenRequestBody, seenResponseText, seenTokenFault } from '../http/seen-request-body.ts'
import { unchangedParts } from '../http/text-response.ts'
import { jsonSentAsForm } from '../reasons/json-sent-as-form.ts'
import { reasonLines } from '../reasons/reason-lines.ts'
import type { LoggedRequest } from './logged-request.ts'
import { type RequestLine, readLine } from './request-line.ts'
import { matchText, type RequestMatch, requestTest } from './request-match.ts'

/** Options of `requests.assert`. */
export interface AssertOptions {
  /** Exact number of matching requests. @default at least once */
  times?: number | undefined
}

/** Requests that a reference has received, with their responses. */
export interface RequestLog extends Iterable<LoggedRequest> {
  /** How many requests it holds. */
  readonly length: number
  /** The matching requests, oldest first. */
  all(match?: RequestMatch): LoggedRequest[]
  /** The newest request that matches. */
  last(match?: RequestMatch): LoggedRequest | undefined
  /** How many requests match. */
  count(match?: RequestMatch): number
  /** The matching requests. @throws Error that lists the requests that came instead; TypeError for an unknown option */
  assert(match: RequestMatch, options?: AssertOptions): LoggedRequest[]
  /** Requires that no request matches. @throws Error that lists the matching requests */
  assertNone(match: RequestMatch): void
  /** The first matching request that has a response, or the next one. Rejects if none arrives in time, and with a TypeError for an unknown option. */
  waitFor(
    match: RequestMatch,
    options?: {
      /** Milliseconds. @default 1000 */
      timeout?: number | undefined
    },
  ): Promise<LoggedRequest>
  /**
   * Calls a function for every request after its response, or after it is dropped. What it throws goes to the option
   * `log` of the reference. @returns a function that removes it
   */
  subscribe(listener: (request: LoggedRequest) => void): () => void
  /**
   * The last requests as text, a line for each, with the reasons below those that were rejected, and what was probably a
   * mistake below others: for the message of a test that failed. Empty if there are none.
   *
   * @param most requests. @default 10
   *
   * @example
   * ```ts
   * import { createReference } from 'record-auth-conformance/reference'
   *
   * const reference = createReference()
   * await reference.fetch('/api/v1/collections/posts/records')
   * console.error(reference.requests.explain())
   * ```
   */
  explain(most?: number): string
  /** Empties the log. Request numbers are not reused. */
  clear(): void
  /** As an HTTP Archive 1.2, secrets left out. */
  har(): Promise<HttpArchive>
}

/** The request log with the methods that the server writes with. */
export interface WritableLog extends RequestLog {
  begin(request: Request, now: number): LogEntry
  end(entry: LogEntry, response: Response | undefined): void
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const noReason: RejectionReason = () => []

/** Bytes of a request body up to which values of the body may be kept until the log is read. */
const largestHeld = 16 * 1024

/** Size of a body by the headers alone: over a socket, accessing the body of a request starts to read it. */
function declaredBytes(request: Request | undefined): number {
  if (request?.headers.has('transfer-encoding') === true) return Number.POSITIVE_INFINITY
  return Number(request?.headers.get('content-length') ?? 0)
}

function headerSize(headers: Headers): number {
  let size = 0
  for (const [name, value] of headers) size += name.length + value.length
  return size
}

/**
 * Stores the request as it is; expensive properties are computed when they are read. The request and the response are
 * released later, because they hold their bodies, which may be large.
 */
export class LogEntry implements LoggedRequest {
  readonly number: number
  readonly at: number
  readonly url: string
  status: number | undefined
  took: number | undefined
  fault: string | undefined
  readonly method: string
  readonly requestHeaders: Headers
  #responseHeaders: Headers | Readonly<Record<string, string>> | undefined
  responseText: string | undefined
  #line: RequestLine | undefined
  #request: Request | undefined
  #requestBytes: Uint8Array | undefined
  #explain: RejectionReason | undefined
  #reason: readonly string[] | undefined
  #explainToken: (() => string | undefined) | undefined
  #tokenFault: string | undefined
  readonly #prefix: string
  #headSize: number
  readonly #started = elapsed()

  constructor(number: number, request: Request, prefix: string, at: number) {
    this.number = number
    this.at = at
    this.url = request.url
    this.method = request.method
    this.requestHeaders = request.headers
    this.#request = request
    this.#prefix = prefix
    this.#headSize = request.url.length + (headOf(request)?.size ?? headerSize(request.headers))
  }

  get #facts(): RequestLine {
    this.#line ??= readLine(this.method, new URL(this.url).pathname, this.#prefix)
    return this.#line
  }

  get path() {
    return this.#facts.path
  }
  get operation() {
    return this.#facts.operation
  }
  get table() {
    return this.#facts.table
  }
  get id() {
    return this.#facts.id
  }
  get query() {
    return { ...readQuery(this.url) }
  }
  get size() {
    const bodies = (this.#requestBytes?.byteLength ?? 0) + (this.responseText?.length ?? 0)
    return bodies + this.#headSize
  }
  get requestText() {
    const bytes = this.#request ? seenRequestBody(this.#request) : this.#requestBytes
    return bytes && Buffer.from(bytes).toString('utf8')
  }
  get requestBody() {
    return parsed(this.requestText)
  }
  get responseHeaders(): Headers | undefined {
    return this.#responseHeaders && new Headers(this.#responseHeaders)
  }
  get responseBody() {
    return parsed(this.responseText)
  }
  get tokenFault() {
    if (this.#explainToken !== undefined) {
      const fault = this.#explainToken()
      this.#tokenFault = fault && visibleLine(fault)
      this.#explainToken = undefined
    }
    return this.#tokenFault
  }
  get reason() {
    if (this.#explain !== undefined) {
      const lines = reasonLines(this.#explain)
      const mistake = jsonSentAsForm(this.requestHeaders, this.#requestBytes)
      if (mistake !== undefined) lines.unshift(mistake)
      this.#reason = lines.length > 0 ? lines : undefined
      this.#explain = undefined
    }
    return this.#reason
  }

  responded(response: Response | undefined): void {
    const request = this.#request
    this.#requestBytes = request && seenRequestBody(request)
    this.#explain = response && (seenReason(response) ?? noReason)
    this.#explainToken = request && seenTokenFault(request)
    // The function that explains a rejection holds the values of the body. The values of a large body are released now.
    if ((this.#requestBytes?.byteLength ?? declaredBytes(request)) >= largestHeld) void this.reason
    this.#request = undefined
    this.#responseHeaders = response && (unchangedParts(response)?.headers ?? response.headers)
    this.responseText = response && seenResponseText(response)
    this.status = response?.status
    this.took = elapsed() - this.#started
  }
}

/** A request in one line, with its reason below. */
function requestLines({ method, path, status, took, fault, reason = [] }: LoggedRequest): string {
  const outcome = status ?? (took === undefined ? 'no response yet' : 'dropped')
  const first = `  ${method} ${path} ${outcome}${fault ? ` (${fault})` : ''}`
  return [first, ...reason.map((line) => `    ${line}`)].join('\n')
}

function summary(entries: readonly LoggedRequest[]): string {
  if (entries.length === 0) return 'No request was received.'
  const shown = entries.slice(-10).map(requestLines)
  const before = entries.length > shown.length ? `\n  (and ${entries.length - shown.length} before)` : ''
  return `Received:${before}\n${shown.join('\n')}`
}

/** Bytes of URLs, headers and bodies that are kept at least; at most it is twice as much. */
const keptBytes = 16 * 1024 * 1024

/** The newest requests within the size limit. */
function newestOf(entries: readonly LogEntry[]): LogEntry[] {
  let size = 0
  const last = entries.findLastIndex((entry) => {
    size += entry.size
    return size > keptBytes
  })
  return entries.slice(last + 1)
}

/**
 * @param prefix of the reference
 * @param log receives errors of listeners: the request was handled, and its response does not depend on them
 * @param kept the oldest are dropped if there are more than twice as many, or if they are too large together
 */
export function createRequestLog(prefix: string, log: (error: unknown) => void, kept = 1000): WritableLog {
  let entries: LogEntry[] = []
  let count = 0
  let grown = 0
  const listeners = new Set<(request: LoggedRequest) => void>()
  const all = (match?: RequestMatch) => entries.filter(requestTest(match, prefix))

  return {
    get length() {
      return entries.length
    },
    [Symbol.iterator]: () => [...entries][Symbol.iterator](),
    all,
    last: (match) => entries.findLast(requestTest(match, prefix)),
    count: (match) => all(match).length,
    assert(match, options = {}) {
      rejectUnknown(options, ['times'], 'option of requests.assert')
      const { times } = options
      if (times !== undefined && !(Number.isSafeInteger(times) && times >= 0))
        throw new TypeError(`"times" of requests.assert must be a whole number, not ${foundValue(times)}.`)
      const found = all(match)
      if (times === undefined ? found.length > 0 : found.length === times) return found
      const wanted = times === undefined ? 'at least one request' : countOf(times, 'request')
      throw new Error(
        `Expected ${wanted} for ${matchText(match)}, found ${found.length}. ${summary(entries)}`,
      )
    },
    assertNone(match) {
      const found = all(match)
      if (found.length > 0) throw new Error(`Expected no request for ${matchText(match)}. ${summary(found)}`)
    },
    waitFor: withCallSite(async (match: RequestMatch, options: Parameters<RequestLog['waitFor']>[1] = {}) => {
      rejectUnknown(options, ['timeout'], 'option of requests.waitFor')
      const timeout = waitingTime(options.timeout, 'requests.waitFor')
      const fits = requestTest(match, prefix)
      const there = entries.find((entry) => entry.took !== undefined && fits(entry))
      if (there) return there
      return new Promise<LoggedRequest>((resolve, reject) => {
        const look = (entry: LoggedRequest) => {
          if (!fits(entry)) return
          timers.clearTimeout(timer)
          listeners.delete(look)
          resolve(entry)
        }
        const timer = timers.setTimeout(() => {
          listeners.delete(look)
          reject(new Error(`No request for ${matchText(match)} within ${timeout} ms. ${summary(entries)}`))
        }, timeout)
        listeners.add(look)
      })
    }),
    subscribe(listener) {
      if (typeof listener !== 'function')
        throw new TypeError(`requests.subscribe() takes a function; found ${kindName(listener)}.`)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    explain(most = 10) {
      if (typeof most !== 'number')
        throw new TypeError(`requests.explain() takes a number of requests; found ${kindName(most)}.`)
      const last = most > 0 ? entries.slice(-most) : []
      return last.length === 0 ? '' : ['The last requests:', ...last.map(requestLines)].join('\n')
    },
    clear() {
      entries = []
    },
    async har() {
      const { toHar } = await import('./to-har.ts')
      return toHar(entries)
    },
    begin(request, now) {
      count += 1
      const entry = new LogEntry(count, request, prefix, now)
      entries.push(entry)
      // Rarely, and many together: removing the first entry of a long list each time would cost more than the request.
      if (entries.length > 2 * kept) entries = entries.slice(-kept)
      return entry
    },
    end(entry, response) {
      entry.responded(response)
      grown += entry.size
      if (grown > keptBytes) {
        entries = newestOf(entries)
        grown = 0
      }
      for (const listener of [...listeners]) {
        try {
          listener(entry)
        } catch (error) {
          log(error)
        }
      }
    },
  }
}
