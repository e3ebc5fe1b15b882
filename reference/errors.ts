/**
 * Error responses: one class, the envelope `{ data, message, status }` and the message of each status (profile, gap
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
  /** A message for people. */
  message: string
  /** Status of the response. */
  status: number
}

/** Why a request was rejected, line by line, for logs and tests: never part of a response. */
export type RejectionReason = () => readonly string[]

/** An error response with its status, message and field errors. */
export class ApiError extends Error {
  readonly status: number
  readonly data: ErrorData
  /** The reason that the response does not contain. Absent if the message already gives it. */
  reason: RejectionReason | undefined

  constructor(status: number, message?: string, data: ErrorData = {}) {
    super(message ?? defaultMessages[status] ?? defaultMessages[400])
    this.name = 'ApiError'
    this.status = status
    this.data = data
  }

  /** Adds the reason. Returns the error. */
  because(reason: RejectionReason | undefined): this {
    this.reason = reason
    return this
  }

  /** The body of the response. */
  body(): ErrorBody {
    return { data: this.data, message: this.message, status: this.status }
  }
}

/** A request that exceeds a limit of this server. Its message says what to reduce, wherever it is caught. */
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

/** Rejected because only superusers may do this (contract-records 5.1). */
export function superusersOnly(): ApiError {
  return new ApiError(403, 'Only superusers can perform this action.')
}

/** The one field error without a code of its own. */
export const blank: FieldError = { code: 'validation_required', message: 'Cannot be blank.' }

export const mismatch: FieldError = { code: 'validation_values_mismatch', message: "Values don't match." }

export const notUnique: FieldError = { code: 'validation_not_unique', message: 'Value must be unique.' }
