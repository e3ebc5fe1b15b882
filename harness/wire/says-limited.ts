/**
 * Recognizes a rejection that says in words that requests came too often, where a server has another status for it than
 * 429. Pure.
 *
 * @module
 */

import { jsonObject } from '../../exchange/json-object.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { textWithoutEcho } from '../judging/without-echo.ts'
import { proofKindOf } from '../services/proof-book.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { WireRequest } from './transport.ts'

const statuses = [400, 401, 403]
/** What is read of a response: a message is shorter. */
const longestRead = 2_000
/** Values of a request that are left out of its response, where it may repeat them. Shorter ones are in any text. */
const shortestValue = 4

const ofRequests = [
  /too[\s_-]{1,3}many[\s_-]{1,3}(?:[a-z]{1,20}[\s_-]{1,3}){0,2}requests(?![a-z])/i,
  /rate[\s_-]?limit(?:ed|[\s_-]{1,3}(?:exceeded|reached))(?![a-z])/i,
]
/** Operations whose attempts servers count: sign-ins, and requests for emails. */
const countingAttempts = /^(?:authWith|request)/
const ofAttempts = [
  /too[\s_-]{1,3}many[\s_-]{1,3}(?:[a-z]{1,20}[\s_-]{1,3}){0,3}(?:attempts|log-?ins|sign-?ins|tries)(?![a-z])/i,
  /try again (?:in|after) (?:\d{1,5}|an?|one|a few|some) (?:second|minute|hour)s?(?![a-z])/i,
  /temporarily[\s_-]{1,3}(?:locked|blocked)(?![a-z])/i,
]

/**
 * Whether a response says that the client, and not only the proof that it sent, was rejected for coming too often. After
 * too many attempts, a server may end a code or a token: that is a rejection like any other.
 */
export function saysLimited(
  operation: OperationId | undefined,
  request: Pick<WireRequest, 'path' | 'body'>,
  { status, body, text }: Pick<ApiResponse, 'status' | 'body' | 'text'>,
): boolean {
  // Of a batch, "too many requests" may be about those in its body.
  if (!statuses.includes(status) || operation === 'batch') return false
  const countsAttempts = operation !== undefined && countingAttempts.test(operation)
  const takesProof = proofKindOf(operation, 'confirm') !== undefined
  const words = countsAttempts && !takesProof ? [...ofRequests, ...ofAttempts] : ofRequests
  const isIn = (said: string) => words.some((each) => each.test(said))
  // Most rejections say nothing like it, whatever the request was.
  const read = textWithoutEcho({ body, text }).slice(0, longestRead)
  if (!isIn(read)) return false
  return isIn(valuesOf(request).reduce((rest, value) => rest.replaceAll(value, ''), read))
}

/** Strings that the request sends, as JSON writes them. */
function valuesOf({ path, body }: Pick<WireRequest, 'path' | 'body'>): string[] {
  const [, query = ''] = path.split('?', 2)
  return [...stringsIn(jsonObject(body)), ...new URLSearchParams(query).values()]
    .filter((value) => value.length >= shortestValue)
    .map((value) => JSON.stringify(value).slice(1, -1))
}

/** The strings anywhere in a value. Not recursive: a request may be nested as deeply as a server takes it. */
function stringsIn(value: unknown): string[] {
  const strings: string[] = []
  const left = [value]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each === 'string') strings.push(each)
    else if (typeof each === 'object' && each !== null)
      for (const inner of Object.values(each)) left.push(inner)
  }
  return strings
}
