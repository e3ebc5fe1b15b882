/**
 * Refusals: one class, the envelope `{ data, message, status }` and the message of each status (profile, gap
 * `errors.envelope`; contract-records section 7).
 *
 * @module
 */

import type { FieldError, Json } from './vocabulary.ts'

const defaultMessages: Readonly<Record<number, string>> = {
  400: 'Something went wrong while processing your request.',
  401: 'Missing or invalid authentication.',
  403: 'You are not allowed to perform this request.',
  404: "The requested resource wasn't found.",
  413: 'Request entity too large.',
  429: 'Too Many Requests.',
  500: 'Something went wrong while processing your request.',
}

/** Field errors by name, or nested objects down to them (`requests.0.method`). */
export type ErrorData = { [key: string]: FieldError | ErrorData | Json }

/** Body of an error response. */
export interface ErrorBody {
  /** Errors by field name. */
  data: ErrorData
  /** A sentence for people. */
  message: string
  /** Status of the response. */
  status: number
}

/** Why a request was rejected, line by line, for logs and tests: never part of a response. */
export type Reason = () => readonly string[]

/** A refusal with its status, its sentence and its field errors. */
export class ApiError extends Error {
  readonly status: number
  readonly data: ErrorData
  /** What the response does not say. Absent where the message says it all. */
  reason: Reason | undefined

  constructor(status: number, message?: string, data: ErrorData = {}) {
    super(message ?? defaultMessages[status] ?? defaultMessages[400])
    this.name = 'ApiError'
    this.status = status
    this.data = data
  }

  /** Adds the reason. The error is returned. */
  because(reason: Reason | undefined): this {
    this.reason = reason
    return this
  }

  /** What goes over the wire. */
  body(): ErrorBody {
    return { data: this.data, message: this.message, status: this.status }
  }
}

/** A request that is beyond a limit of this server; its message says what to reduce, wherever it is caught. */
export class LimitExceeded extends ApiError {
  constructor(message: string) {
    super(400, message)
    this.name = 'LimitExceeded'
  }
}

export function badRequest(message?: string, data?: ErrorData): ApiError {
  return new ApiError(400, message, data)
}

export function unauthorized(message?: string): ApiError {
  return new ApiError(401, message)
}

export function forbidden(message?: string): ApiError {
  return new ApiError(403, message)
}

export function notFound(message?: string): ApiError {
  return new ApiError(404, message)
}

export function tooLarge(): ApiError {
  return new ApiError(413)
}

/** Refused because only superusers may (contract-records 5.1). */
export function superusersOnly(): ApiError {
  return new ApiError(403, 'Only superusers can perform this action.')
}

/** The one field error that has no particular code of its own. */
export const blank: FieldError = { code: 'validation_required', message: 'Cannot be blank.' }

export const mismatch: FieldError = { code: 'validation_values_mismatch', message: "Values don't match." }

export const notUnique: FieldError = { code: 'validation_not_unique', message: 'Value must be unique.' }
