/**
 * Error responses: one class, the envelope `{ data, message, status }` and the message of each status (`errors.envelope`
 * in docs/profile.md; contract-records section 7).
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

/** Why a request was rejected, for logs and tests: never part of a response. Called when a log is read, if ever. */
export type RejectionReason = () => string | readonly string[]

/** The message or the field errors of the response are the reason, and a log has nothing to add. */
export const inResponse = Symbol('the response gives the reason')

/** An error without its status: the reason for the log, then what the response says. */
export type Said =
  | readonly [reason: RejectionReason, message?: string | undefined, data?: ErrorData]
  | readonly [reason: typeof inResponse, message: string, data?: ErrorData]
  | readonly [reason: typeof inResponse, message: undefined, data: ErrorData]

/** An error response with its status, message and field errors. No error is made without a reason. */
export class ApiError extends Error {
  readonly status: number
  readonly data: ErrorData
  /** Undefined if the response gives it. */
  readonly reason: RejectionReason | undefined

  constructor(status: number, ...[reason, message, data = {}]: Said) {
    super(message ?? defaultMessages[status] ?? defaultMessages[400])
    this.name = 'ApiError'
    this.status = status
    this.data = data
    this.reason = reason === inResponse ? undefined : reason
  }

  /** The body of the response. */
  body(): ErrorBody {
    return { data: this.data, message: this.message, status: this.status }
  }
}

/** A request that exceeds a limit of this server. Its message says what to reduce, wherever it is caught. */
export class LimitExceeded extends ApiError {
  constructor(message: string) {
    super(400, inResponse, message)
    this.name = 'LimitExceeded'
  }
}

export function badRequest(...said: Said): ApiError {
  return new ApiError(400, ...said)
}

/** Rejected because no record is signed in (contract-auth 1.2). */
export function unauthorized(reason: RejectionReason): ApiError {
  return new ApiError(401, reason, 'The request requires valid record authorization token.')
}

export function forbidden(...said: Said): ApiError {
  return new ApiError(403, ...said)
}

export function notFound(...said: Said): ApiError {
  return new ApiError(404, ...said)
}

/** @param limit bytes */
export function tooLarge(limit: number): ApiError {
  return new ApiError(
    413,
    () => `The body is longer than ${limit} bytes, the most that this operation reads here.`,
  )
}

/** An error that no one foresaw. */
export function unexpected(): ApiError {
  return new ApiError(500, () => 'The server failed unexpectedly: its own output has the error.')
}

/** Rejected because only superusers may do this (contract-records 5.1). */
export function superusersOnly(reason: RejectionReason): ApiError {
  return new ApiError(403, reason, 'Only superusers can perform this action.')
}

/** The one field error without a code of its own. */
export const blank: FieldError = { code: 'validation_required', message: 'Cannot be blank.' }

export const mismatch: FieldError = { code: 'validation_values_mismatch', message: "Values don't match." }

export const notUnique: FieldError = { code: 'validation_not_unique', message: 'Value must be unique.' }
