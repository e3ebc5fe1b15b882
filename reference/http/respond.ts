/**
 * Answers: JSON with the headers that every answer carries, nothing at all for 204, and the envelope for refusals.
 *
 * @module
 */

import { ApiError, badRequest } from '../errors.ts'
import { QueryError } from '../query/query-error.ts'
import { StateRestored } from '../store/state-restored.ts'
import type { Json } from '../vocabulary.ts'
import { keepResponseText } from './seen-bodies.ts'

/** On every answer (contract-auth 0.2; contract-records 1.8). */
const commonHeaders = {
  'X-Xss-Protection': '1; mode=block',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  Vary: 'Origin',
  'Access-Control-Allow-Origin': '*',
}

const jsonHeaders = { ...commonHeaders, 'Content-Type': 'application/json' }

/** What an operation answers. `body` is absent for 204. */
export interface Answer {
  status: number
  body?: Json
}

/** An answer whose text is made: nothing can go wrong with it any more. */
export interface WrittenAnswer {
  status: number
  text?: string
}

/** @throws ApiError 400 for a body that is longer than a text can be */
export function write({ status, body }: Answer): WrittenAnswer {
  return body === undefined ? { status } : { status, text: `${textOf(body)}\n` }
}

/** Without body and content type when there is no text. */
export function send({ status, text }: WrittenAnswer): Response {
  if (text === undefined) return new Response(null, { status, headers: commonHeaders })
  return keepResponseText(new Response(text, { status, headers: jsonHeaders }), text)
}

/** @throws ApiError 400 for a body that is longer than a text can be */
export function respond(answer: Answer): Response {
  return send(write(answer))
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
export function asRefusal(error: unknown, log: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof QueryError) return new ApiError(400)
  if (error instanceof StateRestored) return new ApiError(400, error.message)
  log(error)
  return new ApiError(500)
}

/** Any refusal in the envelope. */
export function refuse(error: ApiError): Response {
  try {
    return respond({ status: error.status, body: error.body() as unknown as Json })
  } catch (tooLong) {
    if (!(tooLong instanceof ApiError)) throw tooLong
    // What was sent stands in it, and written as JSON that may be longer than a text can be.
    return refuse(new ApiError(error.status))
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
