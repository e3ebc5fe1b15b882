/**
 * The input of the checks: one exchange with its body decoded and parsed once.
 *
 * @module
 */

import { TextDecoder, types } from 'node:util'
import { decodeContent } from '../../exchange/decode.ts'
import { headerOf } from '../../exchange/header-of.ts'
import { isBytes } from '../../exchange/is-bytes.ts'
import type { KnownRequest, RequestFacts, ResponseFacts } from '../../exchange/plain-exchange.ts'
import { hasMoreValues, mostValues } from '../../exchange/size-of-json.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { overLimit } from './kept-body.ts'

export interface ExchangeReading {
  /** The request, with its method in capitals. */
  request: RequestFacts
  /** The operation, if it is known other than by method and path. */
  operation: OperationId | undefined
  status: number
  contentType: string
  /** Undefined if only the parsed body is known; `''` for no body. */
  text: string | undefined
  /** Parsed JSON; undefined if there is none. */
  body: unknown
  utf8: boolean
  /** Why the body was not read. */
  unjudged?: string
  /** The beginning of the body for messages. Absent: the raw body. */
  shown?: string
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** @param limit maximum size in bytes of a body that is read */
export function readingOf(
  request: RequestFacts,
  { status, headers, body }: ResponseFacts,
  limit: number,
  operation: OperationId | undefined,
): ExchangeReading {
  const reading: ExchangeReading = {
    request: { ...request, method: request.method?.toUpperCase() },
    operation,
    status,
    contentType: headerOf(headers, 'content-type') ?? '',
    text: undefined,
    body: undefined,
    utf8: true,
  }
  if (body === undefined || body === null) reading.text = ''
  else if (typeof body === 'string') readText(reading, body, limit)
  else if (types.isAnyArrayBuffer(body) || ArrayBuffer.isView(body))
    readBytes(reading, bytesOf(body), headerOf(headers, 'content-encoding'), limit)
  else {
    expectRead(body)
    reading.body = body
  }
  return reading
}

function bytesOf(body: ArrayBufferLike | ArrayBufferView): Uint8Array {
  if (isBytes(body)) return body
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body)
}

/** Something that has no keys of its own would be validated as an empty object. @throws TypeError */
function expectRead(body: unknown): void {
  const { then, arrayBuffer, getReader, pipe } = body as Record<string, unknown>
  const unread = [then, arrayBuffer, getReader, pipe].some((each) => typeof each === 'function')
  if (!unread && typeof body !== 'function' && typeof body !== 'bigint') return
  throw new TypeError(
    'This exchange cannot be validated: response.body must be a string, bytes or parsed JSON; read it, or await it, first.',
  )
}

/** What the caller passes takes precedence over what the response says about its request. */
export function merged(reported: RequestFacts, known: KnownRequest): KnownRequest & { url: string } {
  const { url, ...rest } = { ...reported, ...withoutHoles(known) } as KnownRequest
  if (typeof url === 'string' && url !== '') return { ...rest, url }
  throw new TypeError(
    'This response has no information about its request. Pass { method, url } after the response, or to the matcher: toConform({ method, url }).',
  )
}

export function withoutHoles(known: KnownRequest): KnownRequest {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

function readText(reading: ExchangeReading, text: string, limit: number): void {
  reading.text = text
  if (text.length > limit) {
    reading.unjudged = overLimit(limit)
    return
  }
  if (text === '') return
  // Records have a value for every 10 to 100 bytes; a body of empty lists has one for every two.
  const most = Math.max(mostValues, Math.floor(limit / 8))
  if (hasMoreValues(text, most)) {
    reading.unjudged = `the body has more than ${most} JSON values`
    return
  }
  try {
    reading.body = JSON.parse(text)
  } catch {
    // Not JSON: `body` stays undefined while `text` is set, which the checks recognize.
  }
}

function readBytes(
  reading: ExchangeReading,
  bytes: Uint8Array,
  encoding: string | undefined,
  limit: number,
): void {
  let plain = bytes
  const isEncoded = encoding !== undefined && encoding !== '' && encoding !== 'identity'
  if (isEncoded && bytes.length > 0) {
    const decoded = decodeContent(bytes, encoding, limit)
    if ('why' in decoded) {
      reading.unjudged = decoded.why
      return
    }
    plain = decoded.bytes
  }
  if (plain.length > limit) {
    reading.unjudged = overLimit(limit)
    return
  }
  try {
    readText(reading, strict.decode(plain), limit)
  } catch {
    reading.utf8 = false
    readText(reading, lenient.decode(plain), limit)
  }
}
