/**
 * Bodies of the sign-in operations (contract-auth 0.2): objects with string values. A value of another type rejects the
 * whole body; a missing or overlong string is reported by name.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import {
  ApiError,
  badRequest,
  blank,
  type ErrorData,
  inResponse,
  LimitExceeded,
  type RejectionReason,
} from '../errors.ts'
import { bodyLimit, readBody } from '../http/read-body.ts'
import { parseJson } from '../http/strict-json.ts'
import type { RequestContext } from '../services.ts'
import type { Json } from '../vocabulary.ts'

const unloadable = (reason: RejectionReason) =>
  badRequest(reason, 'An error occurred while loading the submitted data.')

const notA = (key: string, wanted: string) => unloadable(() => `"${key}" of the body is not ${wanted}.`)

const invalid = 'An error occurred while validating the submitted data.'

/** A body whose keys are read as strings. */
export interface AuthBody {
  /** The body as sent, for `@request.body`. */
  values: Record<string, Json>
  /** The string under a key, empty if absent or null. @throws ApiError 400 if it is not a string */
  text(key: string): string
  /** The integer under a key, 0 if absent or null. @throws ApiError 400 if it is not an integer */
  integer(key: string): number
  /** The object under a key, empty if absent or null. @throws ApiError 400 if it is not an object */
  object(key: string): Record<string, Json>
}

/**
 * @param hideMediaType report an unsupported media type only as a body that cannot be loaded
 * @throws ApiError 400 when it cannot be read, 413 when it is too large
 */
export async function readAuthBody(
  context: RequestContext,
  request: Request,
  { hideMediaType = false }: { hideMediaType?: boolean } = {},
): Promise<AuthBody> {
  try {
    const { values, inferred } = await readBody(request, bodyLimit, context)
    return {
      values,
      text(key) {
        const given = values[key] ?? ''
        // A form may contain a key twice; the first value counts.
        const value = inferred && Array.isArray(given) ? (given[0] ?? '') : given
        if (typeof value === 'string') return value
        if (inferred && typeof value !== 'object') return String(value)
        throw notA(key, 'a string')
      },
      integer(key) {
        const value = values[key] ?? 0
        if (Number.isSafeInteger(value)) return Number(value)
        throw notA(key, 'a whole number')
      },
      object(key) {
        const given = values[key] ?? {}
        const value = inferred && typeof given === 'string' ? parseJson(given) : given
        if (isObject(value)) return value
        throw notA(key, 'an object')
      },
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400 || error instanceof LimitExceeded) throw error
    throw error.message.startsWith('Unsupported') && !hideMediaType
      ? error
      : unloadable(error.reason ?? (() => error.message))
  }
}

/** The error of a string that is blank or longer than `max` bytes of UTF-8; undefined if it is fine. */
export function lengthError(text: string, max = 255): ErrorData[string] | undefined {
  if (text === '') return blank
  if (Buffer.byteLength(text) <= max) return undefined
  return {
    code: 'validation_length_out_of_range',
    message: `The length must be between 1 and ${max}.`,
    params: { min: 1, max },
  }
}

/**
 * @param reason of those errors whose message does not give it
 * @throws ApiError 400 with the errors by name, if there are any
 */
export function throwInvalid(
  errors: Record<string, ErrorData[string] | undefined>,
  reason?: RejectionReason,
): void {
  const data: ErrorData = {}
  for (const [name, error] of Object.entries(errors)) if (error !== undefined) data[name] = error
  if (Object.keys(data).length > 0)
    throw reason === undefined ? badRequest(inResponse, invalid, data) : badRequest(reason, invalid, data)
}
