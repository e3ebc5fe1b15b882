/**
 * The common part of middlewares and the proxy: what to do with a response before it is sent.
 *
 * @module
 */

import type { PlainExchange } from '../../exchange/plain-exchange.ts'
import type { ResponseValidator } from '../create-validator.ts'
import type { ValidationResult } from '../vocabulary.ts'
import { type ConformanceError, type IntegrationOptions, integratedValidator, settle } from './integration.ts'

/** Options of a middleware. */
export interface ServerIntegrationOptions extends Omit<IntegrationOptions, 'mode'> {
  /**
   * `fail`: a response that does not conform is replaced by one of status 500 that says so. `mark`: it is sent
   * unchanged, with the header `x-conformance`: the requirements and paths of the findings with status `fail`. If
   * there are none, and `strict` counts something else, it contains that. `report`: only `onResult` is called. @default 'fail'
   */
  mode?: 'fail' | 'mark' | 'report' | undefined
}

/** @throws TypeError for an unknown option, or a value that an option does not have */
export function serverValidator(options: ServerIntegrationOptions): ResponseValidator {
  return integratedValidator(options, ['fail', 'mark', 'report'])
}

/** What prevented a judgement: an error that `onResult` threw, or one of our own. */
export class IntegrationFailure extends Error {
  /** What was thrown. */
  override readonly cause: unknown
  /** Whether the validator threw it. It says nothing about the application, so that the response stays as it is. */
  readonly isOwn: boolean

  constructor(cause: unknown, isOwn: boolean) {
    const what = cause instanceof Error ? cause.message : String(cause)
    super(isOwn ? `the validator failed, not the response: ${what}` : `onResult threw: ${what}`)
    this.cause = cause
    this.isOwn = isOwn
  }
}

/** Validates a response and calls `onResult`. Throws nothing. */
export function serverOutcome(
  validator: ResponseValidator,
  { onResult }: ServerIntegrationOptions,
  exchange: PlainExchange,
): ConformanceError | IntegrationFailure | undefined {
  const { method, url } = exchange.request
  let isOwn = true
  function report(result: ValidationResult): void {
    isOwn = false
    onResult?.(result, { method, url })
    isOwn = true
  }
  try {
    return settle(
      validator,
      validator.validate(exchange),
      { onResult: report, mode: 'throw' },
      { method, url },
    )
  } catch (error) {
    return new IntegrationFailure(error, isOwn)
  }
}

export interface Rejection {
  status: number
  headers: Record<string, string>
  body: string
}

/** In the format of the interface's own errors, so that clients can parse it. */
export function rejectionOf({ message, actual }: ConformanceError, status = 500): Rejection {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-conformance': headerText(actual) },
    body: JSON.stringify({ status, message, data: {} }),
  }
}

/** The same for a failure: a test with an assertion in `onResult` must see it. */
export function failureRejection({ message }: IntegrationFailure): Rejection {
  return {
    status: 500,
    headers: { 'content-type': 'application/json', 'x-conformance': headerText([message]) },
    body: JSON.stringify({ status: 500, message, data: {} }),
  }
}

/** Reports a failure that must not change the response, or that happened after the response was sent. */
export function warnOf({ message, cause }: IntegrationFailure): void {
  const where = cause instanceof Error && cause.stack !== undefined ? `\n${cause.stack}` : ''
  globalThis.process?.emitWarning?.(message + where, 'ConformanceWarning')
}

/** The violations as a header value. */
export function headerText(broken: readonly string[]): string {
  return broken
    .join('; ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 1000)
}
