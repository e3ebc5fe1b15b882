/**
 * What the surfaces have in common: a validator, and what to do with a response that does not conform.
 *
 * @module
 */

import type { KnownRequest } from '../../exchange/plain-exchange.ts'
import { createValidator, type ResponseValidator } from '../create-validator.ts'
import { describeResult } from '../finding.ts'
import { defaultLimit } from '../reading/kept-body.ts'
import type { ValidationResult, ValidatorOptions } from '../vocabulary.ts'

export interface SurfaceOptions extends ValidatorOptions {
  /** One that exists already, in place of options for a new one. */
  validator?: ResponseValidator
  /** Is told of every result, conforming or not. */
  onResult?: (result: ValidationResult, request: { method: string | undefined; url: string }) => void
  /** What a response that does not conform leads to. `report`: only `onResult` is told. @default 'throw' */
  mode?: 'throw' | 'report'
}

/** Options of what fails a test. It always does, so there is no `mode`. */
export type AssertionOptions = Omit<SurfaceOptions, 'mode'>

/** A response does not conform. Test runners show `actual` and `expected` like those of any assertion. */
export class ConformanceError extends Error {
  override name = 'ConformanceError'
  readonly code = 'ERR_ASSERTION'
  readonly result: ValidationResult
  readonly actual: string[]
  readonly expected: string[] = []

  constructor(result: ValidationResult, what = 'response') {
    super(`${what} does not conform\n${describeResult(result)}`)
    this.result = result
    this.actual = result.findings.map(({ requirement, path }) => `${requirement} ${path}`)
  }
}

export function validatorOf(options: SurfaceOptions | ResponseValidator = {}): ResponseValidator {
  if ('validate' in options) return options
  return options.validator ?? createValidator(options)
}

/** Tells `onResult` of a response whose request is known to its client only. */
export function tellResult(options: AssertionOptions | ResponseValidator, result: ValidationResult): void {
  if ('onResult' in options) options.onResult?.(result, { method: undefined, url: '' })
}

/** Tells `onResult`, and gives the error that the mode asks for. */
export function settle(
  result: ValidationResult,
  { onResult, mode = 'throw' }: Pick<SurfaceOptions, 'onResult' | 'mode'>,
  request: { method: string | undefined; url: string },
): ConformanceError | undefined {
  onResult?.(result, request)
  if (result.ok || mode === 'report') return undefined
  return new ConformanceError(result, `the response to ${request.method ?? 'GET'} ${request.url}`)
}

/** Bytes of the largest body that is kept to be validated. */
export function limitOf({ options }: ResponseValidator): number {
  return options.limit ?? defaultLimit
}

/** An operation's name, or what is known of the request. */
export function knownOf(known: KnownRequest | KnownRequest['operation']): KnownRequest {
  return typeof known === 'string' ? { operation: known } : (known ?? {})
}
