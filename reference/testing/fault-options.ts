import { isObject } from '../../exchange/json-object.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import { longestDelay } from '../environment/timers.ts'
import type { RequestMatch } from './request-match.ts'

/** What a fault does, to which requests, and how often. */
export interface FaultOptions {
  /** Which requests. @default all */
  match?: RequestMatch | undefined
  /**
   * Responds with this status, in the interface's envelope, and does nothing else. Cannot be combined with `drop`.
   * @default 200 with a `body`
   */
  status?: number | undefined
  /** Responds with this body instead of the envelope: a string as it is, anything else as JSON. @default the envelope */
  body?: unknown
  /** Headers of that response. @default none */
  headers?: Readonly<Record<string, string>> | undefined
  /** Delay in milliseconds of real time before anything else, or the bounds of a random delay. @default 0 */
  delay?: number | readonly [least: number, most: number] | undefined
  /**
   * Ends the connection. `request` (or true): before the server sees anything. `response`: after it handled the request.
   * `{ afterBytes }`: in the middle of the response body. @default false
   */
  drop?:
    | boolean
    | 'request'
    | 'response'
    | {
        /** Bytes of the body that are sent. */
        afterBytes: number
      }
    | undefined
  /** The caller's token is treated as expired. @default false */
  expired?: boolean | undefined
  /** How many times. @default without end */
  times?: number | undefined
  /** Lets this many requests pass first. @default 0 */
  after?: number | undefined
}

const known: Record<keyof FaultOptions, true> = {
  match: true,
  status: true,
  body: true,
  headers: true,
  delay: true,
  drop: true,
  expired: true,
  times: true,
  after: true,
}

const nothing = 'This fault does nothing: set a status, body, headers, delay, drop or expired.'

/** Values can come from a program without types, or from another process. */
type Given = { readonly [Option in keyof FaultOptions]: unknown }

/**
 * Checks the options of a fault: one that does nothing, or something other than was meant, makes a test pass or fail
 * for the wrong reason.
 *
 * @throws RangeError for options without a fault, and for numbers out of range; TypeError for an unknown option, a value
 *   of another type, or a header that cannot be sent
 */
export function checkFault(options: FaultOptions): void {
  // Code without types can omit the options.
  const given: FaultOptions | undefined = options
  if (given === undefined) throw new RangeError(nothing)
  rejectUnknown(given, Object.keys(known), 'option of a fault')
  const { status, body, headers, delay, drop, expired, times, after }: Given = given
  if (status !== undefined && !(isWhole(status) && status >= 200 && status <= 599))
    throw new RangeError(`A fault cannot return status ${shown(status)}: expected one from 200 to 599.`)
  if (headers !== undefined) checkHeaders(headers)
  if (delay !== undefined) checkDelay(delay)
  if (drop !== undefined) checkDrop(drop)
  if (expired !== undefined && typeof expired !== 'boolean')
    throw new TypeError(`"expired" of a fault must be true or false, not ${shown(expired)}.`)
  if (times !== undefined && times !== Number.POSITIVE_INFINITY && !(isWhole(times) && times >= 1))
    throw new RangeError(
      `A fault cannot happen ${shown(times)} times: expected a whole number of at least 1.`,
    )
  if (after !== undefined && !(isWhole(after) && after >= 0))
    throw new RangeError(`A fault cannot let ${shown(after)} requests pass first: expected a whole number.`)
  if (
    [status, body, headers, delay, drop || undefined, expired || undefined].every(
      (each) => each === undefined,
    )
  )
    throw new RangeError(nothing)
  rejectContradiction(given)
}

/** Statuses of responses without a body. */
export function hasNoBody(status: number | undefined): boolean {
  return status === 204 || status === 205 || status === 304
}

/** Rejects options that cancel each other out. */
function rejectContradiction({ status, body, headers, drop, expired }: FaultOptions): void {
  const responds = status !== undefined ? 'status' : body !== undefined ? 'body' : undefined
  if (drop && responds !== undefined)
    throw new RangeError(`A fault has either "${responds}" or "drop": add one fault for each.`)
  if (expired && responds !== undefined)
    throw new RangeError(
      `"expired" has no effect with "${responds}": that response does not depend on the token.`,
    )
  if (headers !== undefined && drop && typeof drop !== 'object')
    throw new RangeError('"headers" have no effect with "drop": no response is sent.')
  if (body !== undefined && hasNoBody(status))
    throw new RangeError(`A response with status ${status} has no body: leave out "body".`)
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function checkDelay(delay: unknown): void {
  const bounds: unknown[] = Array.isArray(delay) ? delay : [delay, delay]
  const [least, most] = bounds
  const isSpan = (value: unknown): value is number =>
    typeof value === 'number' && value >= 0 && value <= longestDelay
  if (bounds.length === 2 && isSpan(least) && isSpan(most) && least <= most) return
  throw new RangeError(
    `"delay" of a fault must be milliseconds, or [least, most] of them, at most ${longestDelay}, not ${shown(delay)}.`,
  )
}

function checkDrop(drop: unknown): void {
  if (typeof drop === 'boolean' || drop === 'request' || drop === 'response') return
  if (typeof drop === 'object' && drop !== null) {
    rejectUnknown(drop, ['afterBytes'], 'option of a fault', 'drop.')
    const { afterBytes } = drop as { afterBytes?: unknown }
    if (isWhole(afterBytes) && afterBytes >= 0) return
    throw new RangeError(`"drop.afterBytes" of a fault must be a number of bytes, not ${shown(afterBytes)}.`)
  }
  throw new TypeError(
    `"drop" of a fault must be true, "request", "response" or { afterBytes }, not ${shown(drop)}.`,
  )
}

function checkHeaders(headers: unknown): void {
  if (!isObject(headers))
    throw new TypeError(`"headers" of a fault must be an object of names and values, not ${shown(headers)}.`)
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string')
      throw new TypeError(`The header ${shown(name)} of a fault must be a string, not ${shown(value)}.`)
    try {
      new Headers([[name, value]])
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message.replace(/^Headers\S* /, '') : String(cause)
      throw new TypeError(`A fault cannot send the header ${shown(name)}: ${problem}`, { cause })
    }
    if (name.toLowerCase() === 'transfer-encoding')
      throw new TypeError('A fault cannot send the header "Transfer-Encoding": the server sets it.')
    // Node announces a trailer only with a chunked body.
    if (name.toLowerCase() === 'trailer')
      throw new TypeError('A fault cannot send the header "Trailer": its responses have no trailers.')
  }
}
