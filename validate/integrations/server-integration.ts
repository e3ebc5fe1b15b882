/**
 * The common part of middlewares and the proxy: what to do with a response before it is sent.
 *
 * @module
 */

import type { ResponseValidator } from '../create-validator.ts'
import { type ConformanceError, type IntegrationOptions, integratedValidator } from './integration.ts'

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

/** The input of `settle`, which creates the error. The integration decides what to do with it. */
export function reportedOf({
  onResult,
}: ServerIntegrationOptions): Pick<IntegrationOptions, 'onResult' | 'mode'> {
  return { ...(onResult && { onResult }), mode: 'throw' }
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

/** The same for an error that `onResult` throws: a test with an assertion there must see it. */
export function failure(error: unknown): Rejection {
  const message = `onResult threw: ${error instanceof Error ? error.message : String(error)}`
  return {
    status: 500,
    headers: { 'content-type': 'application/json', 'x-conformance': headerText([message]) },
    body: JSON.stringify({ status: 500, message, data: {} }),
  }
}

/** Reports an error that `onResult` throws after the response was sent. */
export function warnOf(error: unknown): void {
  if (error === undefined) return
  const shown = error instanceof Error ? error : new Error(String(error))
  globalThis.process?.emitWarning?.(`onResult threw: ${shown.stack ?? shown.message}`, 'ConformanceWarning')
}

/** The violations as a header value. */
export function headerText(broken: readonly string[]): string {
  return broken
    .join('; ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 1000)
}
