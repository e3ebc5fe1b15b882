/**
 * Answers: JSON with the headers that every answer carries, nothing at all for 204, and the envelope for refusals.
 *
 * @module
 */

import { ApiError, badRequest, LimitExceeded } from '../errors.ts'
import { QueryError } from '../query/query-error.ts'
import { StateRestored } from '../store/state-restored.ts'
import type { Json } from '../vocabulary.ts'
import type { Work } from '../work.ts'
import type { PickFields } from './fields-param.ts'
import { keepReason, keepResponseText } from './seen-bodies.ts'

/** On every answer (contract-auth 0.2; contract-records 1.8). */
export const commonHeaders = {
  'X-Xss-Protection': '1; mode=block',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  Vary: 'Origin',
  'Access-Control-Allow-Origin': '*',
}

const jsonHeaders = { ...commonHeaders, 'Content-Type': 'application/json' }

/** What an operation answers. `body` is absent for 204. */
export interface OperationResult {
  status: number
  body?: Json
}

/** An answer whose text is made: nothing can go wrong with it any more. */
export interface SerializedResponse {
  status: number
  text?: string
}

/** @throws ApiError 400 for a body that is longer than a text can be */
function write({ status, body }: OperationResult): SerializedResponse {
  return body === undefined ? { status } : { status, text: `${textOf(body)}\n` }
}

/** What a text costs while it is made, and how long it may become. */
export interface SerializeOptions {
  work: Work
  /** Characters. */
  most: number
  /** Applied to the records of a list one by one, to any other body as a whole. Refusals stay as they are. */
  pick?: PickFields | undefined
}

/**
 * The same, but the items of a list and the entries of a batch are written one by one, and others have their turn in
 * between.
 *
 * @throws ApiError 400 for a text that is too long
 */
export async function serializeInTurns(
  { status, body }: OperationResult,
  writing: SerializeOptions,
): Promise<SerializedResponse> {
  const pick = status < 300 ? writing.pick : undefined
  if (isList(body)) {
    const { items, ...facts } = body
    const text = await writeArray(items, { ...writing, pick: pick })
    return { status, text: `{"items":${text},${JSON.stringify(facts).slice(1)}\n` }
  }
  if (Array.isArray(body) && pick === undefined)
    return { status, text: `${await writeArray(body, writing)}\n` }
  const result = write({ status, ...(body !== undefined && { body: pick?.(body) ?? body }) })
  if ((result.text?.length ?? 0) > writing.most) throw tooLong(writing.most)
  return result
}

function isList(body: Json | undefined): body is { items: Json[]; totalItems: Json } {
  return (
    typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    'totalItems' in body &&
    Array.isArray(body.items)
  )
}

/** Several small items are written at once: to begin a text takes as long as to write a small item. */
async function writeArray(items: readonly Json[], { work, most, pick }: SerializeOptions): Promise<string> {
  const texts: string[] = []
  let length = 0
  let waiting: Json[] = []
  let size = 0
  for (const [at, given] of items.entries()) {
    if (work.endLongPiece()) await work.rest()
    const item = pick === undefined ? given : pick(given)
    waiting.push(item)
    size += roughLength(item)
    if (size < writtenAtOnce && at < items.length - 1) continue
    const text = textOf(waiting).slice(1, -1)
    length += text.length
    if (length > most) throw tooLong(most)
    texts.push(text)
    waiting = []
    size = 0
  }
  if (work.endLongPiece()) await work.rest()
  return `[${texts.join(',')}]`
}

/** Characters that are written without a look at the time. */
const writtenAtOnce = 64 * 1024

/** About as many characters as the text of a record will have; more where that takes a closer look. */
function roughLength(item: Json): number {
  if (typeof item !== 'object' || item === null) return writtenAtOnce
  let length = 2
  for (const key in item) {
    const value = (item as Record<string, Json>)[key]
    if (typeof value === 'string') length += value.length
    else if (Array.isArray(value) && typeof value[0] !== 'object') length += 20 * value.length
    else if (typeof value === 'object' && value !== null) length += writtenAtOnce >> 3
    length += 24
  }
  return length
}

function tooLong(most: number): ApiError {
  return new LimitExceeded(
    `The response is longer than ${most} characters: ask for fewer records with "perPage", or for fewer fields with "fields".`,
  )
}

/** Without body and content type when there is no text. */
export function send({ status, text }: SerializedResponse): Response {
  if (text === undefined) return new Response(null, { status, headers: commonHeaders })
  return keepResponseText(new Response(text, { status, headers: jsonHeaders }), text)
}

/** @throws ApiError 400 for a body that is longer than a text can be */
export function respond(result: OperationResult): Response {
  return send(write(result))
}

function textOf(body: Json): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    if (error instanceof RangeError) throw badRequest('The answer would be too long to be sent.')
    throw error
  }
}

/** The refusal that an exception stands for. What nobody foresaw becomes 500 and is handed to `log`. */
export function toApiError(error: unknown, log: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof QueryError) return new ApiError(400).because(() => [error.message + error.hint()])
  if (error instanceof StateRestored) return new ApiError(400, error.message)
  log(error)
  return new ApiError(500)
}

/** Any refusal in the envelope. */
export function errorResponse(error: ApiError): Response {
  try {
    const response = respond({ status: error.status, body: error.body() as unknown as Json })
    return error.reason === undefined ? response : keepReason(response, error.reason)
  } catch (tooLong) {
    if (!(tooLong instanceof ApiError)) throw tooLong
    // What was sent stands in it, and written as JSON that may be longer than a text can be.
    return errorResponse(new ApiError(error.status))
  }
}

/** Answer to a preflight: everything is allowed, as browsers ask it. */
export function preflight(request: Request): Response {
  const headers = request.headers.get('access-control-request-headers')
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders,
      'Access-Control-Allow-Methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      ...(headers && { 'Access-Control-Allow-Headers': headers }),
      'Access-Control-Max-Age': '86400',
    },
  })
}
