/**
 * Sends one request, records it, has it judged, and decides what a network fault means: a dead target ends the run,
 * a living one that gives no answer has broken the expectation that every request is answered.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import { decodeContent } from '../../validate/exchange/decode.ts'
import { NetworkError, TargetLostError } from '../errors.ts'
import { ExpectationError, RateLimitedError } from '../judging/expect.ts'
import type { Session } from '../session.ts'
import type { Reply } from '../vocabulary/api.ts'
import type { Exchange } from '../vocabulary/findings.ts'
import { largestBody } from './exchange.ts'
import { picksKeys } from './picks-keys.ts'
import { standardAnswer } from './standard-names.ts'
import type { WireRequest, WireResponse } from './transport.ts'

export interface Sending {
  operation: OperationId | undefined
  actor: string
  request: WireRequest
  /** The body as a report shows it, before redaction. */
  shown: string
  /** A 429 is an answer like any other, and nothing that is waited for. @default false */
  counted?: boolean
  /** Told when no complete answer came to a request that the server may have received. */
  unanswered?: () => void
}

/** Without it a server may choose any coding (RFC 9110, section 12.5.3). */
const plainly = { 'accept-encoding': 'identity' }
const mostRead = `${largestBody / 2 ** 20} MiB`

/**
 * @throws ExpectationError when a living target gives no complete answer, one that cannot be unpacked, or one too large
 * @throws TargetLostError when the target answers nothing any more
 * @throws StoppedError when the run was stopped
 */
export async function sendRecorded(session: Session, sending: Sending): Promise<Reply> {
  const { request } = sending
  const sent = {
    ...request,
    counted: sending.counted === true,
    headers: { ...plainly, ...session.ownHeaders, ...request.headers },
  }
  // Those from the environment are kept by their names.
  request.headers = { ...plainly, ...session.options.headers, ...request.headers }
  let response: WireResponse
  try {
    response = await session.transport.send(sent)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const before = session.recorder.last
    const exchange = record(session, sending, undefined, 0)
    if (error.fault !== 'unreachable') sending.unanswered?.()
    if (error.fault === 'oversized')
      throw new ExpectationError(
        `the answer is larger than ${mostRead}: ${error.request}`,
        `a body of at most ${mostRead}`,
        `more than ${mostRead}; the rest was not read`,
      )
    if (!(await session.alive())) {
      const words = `${error.message}; the target does not answer any more`
      const lost = new TargetLostError(words, { cause: error, exchange, before })
      session.losses.push(lost)
      throw lost
    }
    throw new ExpectationError(
      error.message,
      'a complete HTTP response',
      String((error.cause as Error | undefined)?.message ?? error.fault),
    )
  }
  const plain = unpacked(response)
  if ('why' in plain) {
    record(session, sending, { response, text: '' }, response.ms)
    sending.unanswered?.()
    throw new ExpectationError(
      `an answer cannot be read: ${plain.why}`,
      'a body without a content coding, as the request asks for',
      `content-encoding: ${response.headers['content-encoding']}`,
    )
  }
  const text = plain.bytes.toString('utf8')
  const exchange = record(session, sending, { response, text }, response.ms)
  const { operation } = sending
  const body = standardAnswer(operation, parsed(text), session.binding)
  const picked = picksKeys(operation, request, session.binding['list.fields'] ?? 'fields')
  // What a server says that had to be started anew is nobody's finding.
  if (!session.died)
    session.traffic.judge({
      operation,
      response: { ...response, ...plain },
      text,
      body,
      exchange,
      picked,
      during: session.check,
    })
  return {
    status: response.status,
    ok: response.status >= 200 && response.status < 300,
    headers: response.headers,
    body,
    text,
    exchange,
  }
}

/** A gateway may pack what nobody asked it to: the answer inside is judged as it would be without. */
function unpacked({ headers, bytes }: WireResponse): { bytes: Buffer } | { why: string } {
  const coding = headers['content-encoding'] ?? ''
  if (coding === '' || bytes.length === 0) return { bytes }
  const plain = decodeContent(bytes, coding, largestBody)
  return 'why' in plain ? plain : { bytes: Buffer.from(plain.bytes) }
}

/**
 * To be asked of every answer once it is in the books.
 *
 * @throws RateLimitedError when the target's rates leave it without an answer to the request itself
 */
export function expectUnlimited({ status }: Reply): void {
  if (status === 429) throw new RateLimitedError()
}

function record(
  session: Session,
  { operation, actor, request, shown }: Sending,
  got: { response: WireResponse; text: string } | undefined,
  ms: number,
): Exchange {
  const { body } = request
  return session.recorder.record({
    ...(operation === undefined ? {} : { operation }),
    actor,
    method: request.method,
    url: session.target.baseUrl.replace(/\/+$/, '') + request.path,
    requestHeaders: request.headers,
    requestBody: shown,
    requestBytes: body === undefined ? 0 : Buffer.byteLength(body),
    // A shell's word ends at a NUL: such a text is written down byte by byte, too.
    ...(body === undefined || (typeof body === 'string' && !body.includes('\0'))
      ? {}
      : { requestOctets: typeof body === 'string' ? Buffer.from(body) : body }),
    ...(got === undefined
      ? {}
      : {
          response: {
            status: got.response.status,
            headers: got.response.headers,
            body: got.text,
            bytes: got.response.bytes.length,
          },
        }),
    ms,
  })
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
