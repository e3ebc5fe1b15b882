/**
 * Expectations. Only an `ExpectationError` makes a finding fail; every other exception is the harness's own error
 * and is never scored against the server.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { isObject } from '../../exchange/json-object.ts'
import { isAboutBody, isSuccess } from '../../spec/status-range.ts'
import type { NetworkFault } from '../errors.ts'
import { firstDifference } from '../support/first-difference.ts'
import type { ApiResponse } from '../vocabulary/api.ts'

/** What an `ExpectationError` says in addition; see its fields. */
interface ExpectationDetails {
  exchanges?: readonly Exchange[]
  breaks?: string
  seenIn?: string
  rejected?: boolean
}

export class ExpectationError extends Error {
  override name = 'ExpectationError'
  readonly expected: string
  readonly received: string
  /** Exchanges that show it, if they are not the last ones of the check. */
  readonly exchanges: readonly Exchange[] | undefined
  /** Another requirement that the last response violates. */
  readonly breaks: string | undefined
  /** The check during which the last exchange was sent, if it is not the check that fails. */
  readonly seenIn: string | undefined
  /** The last request was rejected as it should be, only in another way. */
  readonly rejected: boolean

  constructor(
    fact: string,
    expected: string,
    received = '',
    { exchanges, breaks, seenIn, rejected = false }: ExpectationDetails = {},
  ) {
    super(fact)
    // A server may send any value where a string is expected, whatever the types say.
    this.expected = typeof expected === 'string' ? expected : show(expected)
    this.received = typeof received === 'string' ? received : show(received)
    this.exchanges = exchanges
    this.breaks = breaks
    this.seenIn = seenIn
    this.rejected = rejected
  }
}

/**
 * A target that is alive sent no complete response: either the connection broke, or the server drops this request. A
 * retry shows which. docs/decisions/007.
 */
export class BrokenConnectionError extends ExpectationError {
  override name = 'BrokenConnectionError'
  /** What broke it. After a time limit, another attempt would take as long. */
  readonly fault: NetworkFault
  /** Description: `the connection was reset`. */
  readonly words: string
  /** Method and address. */
  readonly request: string
  /** Method and operation: requests of one kind may be dropped alike. */
  readonly kind: string
  /** Position among the requests of the run's checks. */
  readonly position: number
  /** Whether the server may have received it: false if the connection was refused. */
  readonly sent: boolean
  /** Whether the server is known to drop it. */
  readonly confirmed: boolean

  constructor(
    fact: string,
    received: string,
    about: Pick<
      BrokenConnectionError,
      'fault' | 'words' | 'request' | 'kind' | 'position' | 'sent' | 'confirmed'
    >,
  ) {
    super(fact, 'a complete HTTP response', received)
    this.fault = about.fault
    this.words = about.words
    this.request = about.request
    this.kind = about.kind
    this.position = about.position
    this.sent = about.sent
    this.confirmed = about.confirmed
  }

  /** @param how `in each of 3 runs` */
  confirm(how: string): BrokenConnectionError {
    return new BrokenConnectionError(`${this.message}, ${how}`, this.received, { ...this, confirmed: true })
  }
}

/** The check cannot be judged, because something that it depends on failed. */
export class BlockedError extends Error {
  override name = 'BlockedError'
}

/** Something is missing on the tester's side; `hint` says which configuration line adds it. */
export class UntestableError extends Error {
  override name = 'UntestableError'
  readonly hint: string

  constructor(fact: string, hint = '') {
    super(fact)
    this.hint = hint
  }
}

/** What the target says of its limit. */
interface Limit {
  /** @default a request that matches none */
  operation?: string | undefined
  /** A rejection without the status 429 that says so. @default a Retry-After that is longer than a run waits */
  said?: string
}

/** The target keeps responding with 429, or says so. Rate limits are unspecified, so there is no finding about them. */
export class RateLimitedError extends UntestableError {
  override name = 'RateLimitedError'

  /** @param limit @default a 429 that a wait did not end */
  constructor(limit?: Limit) {
    const { operation = 'requests', said } = limit ?? {}
    if (limit === undefined)
      super('the target limits the request rate (429), even after a wait', '--rate <per second>')
    else
      super(
        said === undefined
          ? `the target limits ${operation} (429), and its Retry-After is longer than a run waits`
          : `the target rejects ${operation} because of too many requests, as it says: ${said}`,
        `lift the limit of ${operation} for the test`,
      )
  }
}

/** Maximum length of two values that are shown in full. */
const longestWhole = 200

/**
 * A value as a message shows it. In full: it is truncated only after its secrets are replaced, since a truncated secret
 * would not be recognized.
 */
export function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value))
}

/** `never` for the empty string literal. */
type NotEmpty<Text extends string> = Text extends '' ? never : Text

/**
 * Expects a condition.
 *
 * @param fact what the server did wrong, as a sentence that can be read alone: "a guest sees a hidden field"
 * @param expected what is right instead. Reports print it below the fact, so it must not be empty
 */
export function expectThat<Expected extends string>(
  claim: unknown,
  fact: string,
  expected: Expected & NotEmpty<Expected>,
  received: unknown = '',
): asserts claim {
  if (!claim) throw new ExpectationError(fact, expected, received === '' ? '' : show(received))
}

/**
 * Deep equality of JSON values.
 *
 * @param what names the thing compared: "totalPages of page 2". A comma at its end, as in "page 2, requested again,", is
 *   for messages in which it is the subject
 */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(actual, expected)
  if (difference === undefined) return
  const fact = `unexpected value for ${what.replace(/,$/, '')}`
  const whole: [string, string] = [show(expected), show(actual)]
  if (difference.path === '' || whole.every((text) => text.length <= longestWhole))
    throw new ExpectationError(fact, ...whole)
  const { path, expected: wanted, actual: got } = difference
  throw new ExpectationError(`${fact}: it differs in ${path}`, show(wanted), show(got))
}

function responseOf({ status, text }: ApiResponse): string {
  return `${status} ${text.trim()}`
}

/** Names a request in a message: "the createRecord request". By its method where it is not one of the interface. */
export function requestName({ exchange }: Pick<ApiResponse, 'exchange'>, adjective?: 'invalid'): string {
  const name = exchange.operation ?? exchange.request.method
  return adjective === undefined ? `the ${name} request` : `the ${adjective} ${name} request`
}

/** Any 2xx. */
export function expectSuccess(response: ApiResponse, what: string = requestName(response)): void {
  if (!response.ok) throw new ExpectationError(`${what} was rejected`, 'a 2xx status', responseOf(response))
}

/** Exactly this status. If it should have been a success but is a rejection, or the reverse, the message says that. */
export function expectStatus(
  response: ApiResponse,
  status: number | readonly number[],
  what: string = requestName(response),
): void {
  const wanted = typeof status === 'number' ? [status] : status
  if (wanted.includes(response.status)) return
  let fact = 'returned another status'
  if (response.ok && wanted.every((each) => each >= 400)) fact = 'was not rejected'
  else if (isRejected(response) && wanted.every((each) => isSuccess(each))) fact = 'was rejected'
  const rejected = isRejected(response) && wanted.every((each) => each >= 400)
  throw new ExpectationError(`${what} ${fact}`, wanted.join(' or '), responseOf(response), { rejected })
}

/** Any 4xx, and a 2xx whose body says so: a rejection, not a success, redirect or server error. */
export function isRejected({ status, ok }: Pick<ApiResponse, 'status' | 'ok'>): boolean {
  return isClientError(status) || (isSuccess(status) && !ok)
}

/** Whether a rejection may be about the body: a server that says with a 2xx that it rejects names no reason with it. */
export function mayBeAboutBody(response: Pick<ApiResponse, 'status' | 'ok'>): boolean {
  const { status } = response
  return isAboutBody(status) || (isSuccess(status) && isRejected(response))
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500
}

/** Any 4xx, as the profile has it: stricter than `isRejected`. */
export function expectRejection(response: ApiResponse, what: string = requestName(response)): void {
  if (!isClientError(response.status))
    throw new ExpectationError(`${what} was not rejected`, 'a 4xx status', responseOf(response))
}

/** Any status but a 2xx, or one whose body says that it failed: section 7 of the document shows no rejection. */
export function expectNoSuccess(response: ApiResponse, what: string = requestName(response)): void {
  if (response.ok)
    throw new ExpectationError(`${what} succeeded`, 'no 2xx status that means success', responseOf(response))
}

/** Expects a JSON object as body, and returns it typed. */
export function objectBody(response: ApiResponse): Record<string, unknown> {
  const { body } = response
  expectThat(isObject(body), 'the body is not a JSON object', 'an object', response.text)
  return body as Record<string, unknown>
}
