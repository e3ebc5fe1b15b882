/**
 * What middlewares and the proxy have in common: what to do with a response that is about to go out.
 *
 * @module
 */

import { createValidator, type ResponseValidator } from '../create-validator.ts'
import type { ConformanceError, IntegrationOptions } from './integration.ts'

/** Options of a middleware. */
export interface ServerIntegrationOptions extends Omit<IntegrationOptions, 'mode'> {
  /**
   * `fail`: a response that does not conform is replaced by one of status 500 that says so. `mark`: it goes out as it is,
   * with the header `x-conformance`. `report`: only `onResult` is called. @default 'fail'
   */
  mode?: 'fail' | 'mark' | 'report'
}

export function serverValidator({ validator, ...options }: ServerIntegrationOptions): ResponseValidator {
  return validator ?? createValidator(options)
}

/** What `settle` needs to know: it makes the error, and the surface decides what becomes of it. */
export function toldOf({
  onResult,
}: ServerIntegrationOptions): Pick<IntegrationOptions, 'onResult' | 'mode'> {
  return { ...(onResult && { onResult }), mode: 'throw' }
}

export interface Rejection {
  status: number
  headers: Record<string, string>
  body: string
}

/** In the form of the interface's own errors, so that a client reads it as one. */
export function rejectionOf({ message, actual }: ConformanceError, status = 500): Rejection {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-conformance': headerText(actual) },
    body: JSON.stringify({ status, message, data: {} }),
  }
}

/** The same for an error that `onResult` has thrown: a test that looks there has to see it. */
export function failure(error: unknown): Rejection {
  const message = `onResult threw: ${error instanceof Error ? error.message : String(error)}`
  return {
    status: 500,
    headers: { 'content-type': 'application/json', 'x-conformance': headerText([message]) },
    body: JSON.stringify({ status: 500, message, data: {} }),
  }
}

/** Where a response is gone already, an error that `onResult` has thrown has no other place. */
export function warnOf(error: unknown): void {
  if (error === undefined) return
  const shown = error instanceof Error ? error : new Error(String(error))
  globalThis.process?.emitWarning?.(`onResult threw: ${shown.stack ?? shown.message}`, 'ConformanceWarning')
}

/** What broke, as a header can hold it. */
export function headerText(broken: readonly string[]): string {
  return broken
    .join('; ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 1000)
}
