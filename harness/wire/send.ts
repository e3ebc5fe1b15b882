/**
 * Sends one request, records it, passes it to the validator, and decides what a network fault means: a lost target ends
 * the run; if the target still responds, the connection broke, or the server drops the request.
 *
 * @module
 */

import { isUtf8 } from 'node:buffer'
import type { Exchange } from '../../exchange/exchange.ts'
import { saysRejected } from '../../exchange/says-rejected.ts'
import { prefixOf } from '../../spec/prefix.ts'
import { isSuccess } from '../../spec/status-range.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { wholeExchange } from '../../validate/coverage/whole-exchange.ts'
import type { ExchangeReading } from '../../validate/reading/reading.ts'
import { NetworkError, TargetLostError } from '../errors.ts'
import { BrokenConnectionError, ExpectationError, RateLimitedError } from '../judging/expect.ts'
import { responseSummary } from '../judging/response-summary.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { largestBody, type WireResponse } from './exchange-bytes.ts'
import { jsonOf } from './json-of.ts'
import { namesWritten } from './names-written.ts'
import { plainBytes } from './plain-bytes.ts'
import { plainHeaders } from './plain-headers.ts'
import type { OutgoingRequest } from './recorder.ts'
import { rewritten } from './rewritten.ts'
import { saysLimited } from './says-limited.ts'
import { standardResponse, withIdentifier } from './target-names.ts'
import { foundOperation } from './target-rules.ts'
import { longestRetryAfter, secondsToWait, type WireRequest } from './transport.ts'

/** Objects around the status of a batch entry. The standard profile has four: `data.requests.0.response`. */
const deepestEntry = 6
const mostRead = `${largestBody / 2 ** 20} MiB`

/**
 * @throws BrokenConnectionError when a target that responds gives no complete response
 * @throws ExpectationError when a response is not HTTP, cannot be unpacked, is too large or nests too deep
 * @throws TargetLostError when the target responds to no probe
 * @throws StoppedError when the run was stopped
 */
export async function sendRecorded(
  session: Wire & CleanUp & Course & RunSettings,
  given: OutgoingRequest,
): Promise<ApiResponse> {
  const { outgoing, sent } = await prepared(session, given)
  const { result: response, amidWrites } = await session.overlap
    .during(sent.method, () => session.transport.send(sent))
    .catch(async (error: unknown) => {
      throw error instanceof NetworkError ? await networkFailure(session, outgoing, error) : error
    })
  const reading = received(session, outgoing, response)
  // A response of a server that had to be restarted is not a finding.
  if (!session.died) validated(session, { given, outgoing, sent, amidWrites }, reading)
  const { exchange, text, body } = reading
  const ok = hasSucceeded(session, given, response, body)
  const isCodeSent = ok && given.operation === 'requestOtp'
  return {
    status: response.status,
    ok,
    headers: response.headers,
    body: isCodeSent ? withIdentifier(body, given.request.body, session.binding) : body,
    text,
    exchange,
  }
}

/** By the status, unless the rest of the response says otherwise. */
function hasSucceeded(
  { target }: Wire,
  { operation, request }: OutgoingRequest,
  response: WireResponse,
  body: unknown,
): boolean {
  if (!isSuccess(response.status)) return namesWritten(request, response, target.baseUrl)
  return !saysRejected(operation, request.body, body)
}

/** A request before it is sent: as it is recorded, and as it goes over the wire. */
interface Prepared {
  outgoing: OutgoingRequest
  sent: WireRequest
}

async function prepared(session: Wire & CleanUp & RunSettings, given: OutgoingRequest): Promise<Prepared> {
  const request = await rewritten(session, given.operation, given.request)
  const { body } = request
  return {
    outgoing: {
      ...given,
      // Values from the environment are recorded by their names.
      request: { ...request, headers: { ...plainHeaders, ...session.options.headers, ...request.headers } },
      ...(body !== given.request.body && typeof body === 'string' && { shown: body }),
    },
    sent: {
      ...request,
      name: given.operation,
      counted: given.counted === true,
      headers: { ...plainHeaders, ...session.configuredHeaders, ...request.headers },
    },
  }
}

/** A response that was recorded, with its body in the names of the description. */
interface Received {
  response: WireResponse
  exchange: Exchange
  bytes: Uint8Array
  text: string
  body: unknown
}

/** @throws ExpectationError if the response cannot be decoded, or nests too deep */
function received(session: Wire, outgoing: OutgoingRequest, response: WireResponse): Received {
  const plain = plainBytes(response)
  if ('why' in plain) {
    record(session, outgoing, { response, text: '' })
    outgoing.onNoResponse?.()
    throw new ExpectationError(
      `a response cannot be decoded: ${plain.why}`,
      'a body without a content encoding, as the request demands',
      `content-encoding: ${response.headers['content-encoding']}`,
    )
  }
  const { bytes } = plain
  const text = bytes.toString('utf8')
  const exchange = record(session, outgoing, { response, text })
  let json: unknown
  try {
    json = jsonOf(text)
  } catch (error) {
    outgoing.onNoResponse?.()
    throw error
  }
  const body = standardResponse(outgoing.operation, json, session.binding)
  return { response, exchange, bytes, text, body }
}

/** Passes an exchange to the validator and to the coverage. */
function validated(
  session: Wire & Course,
  { given, outgoing, sent, amidWrites }: Prepared & { given: OutgoingRequest; amidWrites: boolean },
  { response, exchange, bytes, text, body }: Received,
): void {
  const { operation, request } = outgoing
  session.traffic.judge(
    {
      // Before a hook gave it another form: the binding says what it means.
      request: { ...given.request, url: given.request.path, headers: request.headers },
      operation,
      status: response.status,
      contentType: response.headers['content-type'] ?? '',
      text,
      body,
      utf8: isUtf8(bytes),
      shown: exchange.response?.body.slice(0, 200) ?? '',
    },
    { exchange, during: session.check, amidWrites },
  )
  cover(session, given, sent, { status: response.status, body })
}

/** Records a request without a complete response. @returns what this means for the check, or for the run */
async function networkFailure(
  session: Wire & CleanUp & Course,
  outgoing: OutgoingRequest,
  error: NetworkError,
): Promise<Error> {
  const before = session.recorder.last
  const exchange = record(session, outgoing)
  if (error.fault !== 'unreachable') outgoing.onNoResponse?.()
  if (error.fault === 'oversized')
    return new ExpectationError(
      `the response is larger than ${mostRead}: ${error.request}`,
      `a body of at most ${mostRead}`,
      `more than ${mostRead}; the rest was not read`,
    )
  if (!(await session.alive())) {
    const words = `${error.message}; the target stopped responding`
    const lost = new TargetLostError(words, { cause: error, exchange, before })
    session.losses.push(lost)
    return lost
  }
  const received = String((error.cause as Error | undefined)?.message ?? error.fault)
  if (error.fault === 'malformed')
    return new ExpectationError(error.message, 'a complete HTTP response', received)
  session.connections.broken += 1
  const kind = kindOf(outgoing)
  return new BrokenConnectionError(error.message, received, {
    fault: error.fault,
    words: brokenWords(error),
    request: error.request,
    kind,
    position: outgoing.position ?? 0,
    sent: error.fault !== 'unreachable',
    confirmed: session.connections.dropped.has(kind),
  })
}

/** Groups requests that a server may drop for the same reason. */
function kindOf({ operation, request }: OutgoingRequest): string {
  // The id is of a record that another run of the check does not have.
  const path = request.path.split('?')[0]?.replace(/(\/(?:records|impersonate)\/).*/, '$1{id}')
  return `${request.method} ${operation ?? path}`
}

function brokenWords({ fault, cause }: NetworkError): string {
  if (fault === 'unreachable') return 'the connection was refused'
  if (fault === 'timeout') return 'the connection stalled'
  return `the connection was ${(cause as { code?: string } | undefined)?.code === 'ECONNRESET' ? 'reset' : 'closed'}`
}

/**
 * To be called for every response after it was entered.
 *
 * @throws RateLimitedError when the rate limits of the target leave the request itself without a response
 */
export function expectUnlimited(
  operation: OperationId | undefined,
  request: Pick<WireRequest, 'path' | 'body'>,
  response: ApiResponse,
): void {
  const { status, body, headers, exchange } = response
  const isTooLong = status === 429 && secondsToWait(headers['retry-after']) > longestRetryAfter
  if (isTooLong) throw new RateLimitedError({ operation: exchange.operation })
  if (status === 429 || (status >= 400 && hasLimitedEntry(body))) throw new RateLimitedError()
  if (saysLimited(operation, request, response))
    throw new RateLimitedError({ operation, said: responseSummary(response, 100) })
}

/** Whether a rejected batch was rejected because of a rate limit for one of its entries. */
function hasLimitedEntry(body: unknown, depth = 0): boolean {
  if (typeof body !== 'object' || body === null || depth > deepestEntry) return false
  return Object.entries(body).some(
    ([key, value]) => (key === 'status' && value === 429) || hasLimitedEntry(value, depth + 1),
  )
}

function cover(
  session: Wire & Course,
  { operation, request, cleaning }: OutgoingRequest,
  { path, headers, body }: WireRequest,
  response: Pick<ExchangeReading, 'status' | 'body'>,
): void {
  const found = foundOperation({ operation, url: request.path }, prefixOf(session.target.binding.prefix))
  if (found === undefined) return
  const exchange = wholeExchange({ ...response, request: { url: path, headers, body } }, found)
  session.coverage.record(exchange, cleaning === true ? undefined : session.check)
}

function record(
  { recorder, target }: Wire,
  outgoing: OutgoingRequest,
  got?: { response: WireResponse; text: string },
): Exchange {
  return recorder.record(outgoing, target.baseUrl.replace(/\/+$/, '') + outgoing.request.path, got)
}
