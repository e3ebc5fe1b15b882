/**
 * Responses: JSON with the headers of every response, an empty body for 204, and the envelope for errors.
 *
 * @module
 */

import {
  ApiError,
  badRequest,
  inResponse,
  LimitExceeded,
  type RejectionReason,
  unexpected,
} from '../errors.ts'
import type { Work } from '../limits/work.ts'
import { QueryError } from '../query/query-error.ts'
import { StateRestored } from '../store/state-restored.ts'
import type { Json } from '../vocabulary.ts'
import { keptText, roughLength, writtenAtOnce } from './kept-text.ts'
import type { PickFields } from './pick-fields.ts'
import { keepReason } from './seen-request-body.ts'
import { textResponse } from './text-response.ts'

/** Headers of every response (contract-auth 0.2; contract-records 1.8). */
export const commonHeaders = {
  'X-Xss-Protection': '1; mode=block',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  Vary: 'Origin',
  'Access-Control-Allow-Origin': '*',
}

const jsonHeaders = { ...commonHeaders, 'Content-Type': 'application/json' }

/** The result of an operation. `body` is absent for 204. */
export type OperationResult = Accepted | AcceptedList | Rejected

interface Accepted {
  status: 200 | 204
  body?: Json
  /** What of the request had no effect or was probably a mistake, for the log. */
  note?: RejectionReason | undefined
}

/** A list of records. A record may have the same keys: only the operation knows what it responds. */
interface AcceptedList extends Accepted {
  status: 200
  list: true
  body: { items: Json[] } & Record<string, Json>
}

/** A rejection whose body is not the envelope. All others are thrown as an `ApiError`. */
interface Rejected {
  status: 401
  body: Json
  note: RejectionReason
}

/** The same result with one more note. A rejection has its reason, and nothing else matters. */
export function addNote(result: OperationResult, note: RejectionReason | undefined): OperationResult {
  if (note === undefined || result.status === 401) return result
  const { note: before } = result
  return { ...result, note: before === undefined ? note : () => [before(), note()].flat() }
}

interface AnyResult {
  status: number
  body?: Json
  note?: RejectionReason | undefined
}

/** A response whose text is complete: nothing can fail any more. */
export interface SerializedResponse {
  status: number
  text?: string
  note?: RejectionReason | undefined
}

/** @throws ApiError 400 for a body that exceeds the maximum string length */
function write({ status, body, note }: AnyResult): SerializedResponse {
  return body === undefined ? { status, note } : { status, text: `${textOf(body)}\n`, note }
}

/** The cost of a text while it is built, and its maximum length. */
export interface SerializeOptions {
  work: Work
  /** Characters. */
  most: number
  /** Applied to each record of a list, or to any other body as a whole. Error responses stay unchanged. */
  pick?: PickFields | undefined
}

/**
 * The same, but the items of a list and the entries of a batch are serialized one by one, and other requests can run in
 * between.
 *
 * @throws ApiError 400 for a text that is too long
 */
export async function serializeInTurns(
  result: OperationResult,
  writing: SerializeOptions,
): Promise<SerializedResponse> {
  const { status, body, note } = result
  const pick = status < 300 ? writing.pick : undefined
  if ('list' in result) {
    const { items, ...facts } = result.body
    const text = await writeArray(items, { ...writing, pick: pick })
    return { status, text: `{"items":${text},${JSON.stringify(facts).slice(1)}\n`, note }
  }
  if (Array.isArray(body) && pick === undefined)
    return { status, text: `${await writeArray(body, writing)}\n`, note }
  const written = write({ status, note, ...(body !== undefined && { body: pick?.(body) ?? body }) })
  if ((written.text?.length ?? 0) > writing.most) throw tooLong(writing.most)
  return written
}

/** Several small items are serialized at once: to start a text takes as long as to serialize a small item. */
async function writeArray(items: readonly Json[], { work, most, pick }: SerializeOptions): Promise<string> {
  const strings: string[] = []
  let length = 0
  let waiting: Json[] = []
  let size = 0
  const add = (text: string) => {
    // With the comma before it: whether records are written one by one or together changes nothing.
    length += text.length + 1
    if (length > most) throw tooLong(most)
    strings.push(text)
  }
  const addWaiting = () => {
    if (waiting.length > 0) add(textOf(waiting).slice(1, -1))
    waiting = []
    size = 0
  }
  for (const given of items) {
    const kept = pick === undefined ? keptText(given) : undefined
    if (kept !== undefined) {
      addWaiting()
      add(kept)
      continue
    }
    if (work.endLongPiece()) await work.rest()
    const item = pick === undefined ? given : pick(given)
    waiting.push(item)
    size += roughLength(item)
    if (size >= writtenAtOnce) addWaiting()
  }
  addWaiting()
  if (work.endLongPiece()) await work.rest()
  return `[${strings.join(',')}]`
}

function tooLong(most: number): ApiError {
  return new LimitExceeded(
    `The response is longer than ${most} characters: ask for fewer records with "perPage", or for fewer fields with "fields".`,
  )
}

/** Without body and content type if there is no text. */
export function send({ status, text, note }: SerializedResponse): Response {
  const response =
    text === undefined
      ? textResponse({ status, headers: commonHeaders })
      : textResponse({ status, headers: jsonHeaders, text })
  return note === undefined ? response : keepReason(response, note)
}

/** @throws ApiError 400 for a body that exceeds the maximum string length */
export function respond(result: AnyResult): Response {
  return send(write(result))
}

function textOf(body: Json): string {
  try {
    return keptText(body) ?? JSON.stringify(body)
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(inResponse, 'The response would be too long to send.')
    throw error
  }
}

/** The error response for an exception. An unexpected exception becomes a 500 and is passed to `log`. */
export function toApiError(error: unknown, log: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof QueryError) return new ApiError(400, () => error.lines())
  if (error instanceof StateRestored) return new ApiError(400, inResponse, error.message)
  log(error)
  return unexpected()
}

/** An error response in the envelope. */
export function errorResponse(error: ApiError): Response {
  try {
    return respond({ status: error.status, body: error.body() as unknown as Json, note: error.reason })
  } catch (tooLong) {
    if (!(tooLong instanceof ApiError)) throw tooLong
    // The message contains parts of the request, and written as JSON it may exceed the maximum string length.
    return errorResponse(
      new ApiError(error.status, error.reason ?? (() => 'The message would be too long to send.')),
    )
  }
}

/** The response to a preflight request: everything is allowed. */
export function preflight(request: Request): Response {
  const headers = request.headers.get('access-control-request-headers')
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders,
      'Access-Control-Allow-Methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      ...(headers && { 'Access-Control-Allow-Headers': headers }),
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  })
}
