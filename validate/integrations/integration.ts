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

/** Options of an integration: of its validator, and what it does with the results. */
export interface IntegrationOptions extends ValidatorOptions {
  /** A validator to use, in place of options for a new one. */
  validator?: ResponseValidator
  /** Called with every result, whether the response conforms or not. */
  onResult?: (
    result: ValidationResult,
    request: {
      /** HTTP method; undefined where it is not known. */
      method: string | undefined
      /** Address of the request; empty where it is not known. */
      url: string
    },
  ) => void
  /** What a response that does not conform leads to. `report`: only `onResult` is called. @default 'throw' */
  mode?: 'throw' | 'report'
}

/** Options of what fails a test. It always does, so there is no `mode`. */
export type AssertionOptions = Omit<IntegrationOptions, 'mode'>

/** A response does not conform. Test runners show `actual` and `expected` like those of any assertion. */
export class ConformanceError extends Error {
  /** Always `ConformanceError`. */
  override name = 'ConformanceError'
  /** The code of assertions in Node, so that test runners show it as one. */
  readonly code = 'ERR_ASSERTION'
  /** What the validation found. */
  readonly result: ValidationResult
  /** The findings in short: requirement and path. */
  readonly actual: string[]
  /** No findings. */
  readonly expected: string[] = []

  /** Describes the result of a validation. */
  constructor(result: ValidationResult, what = 'response') {
    super(`${what} does not conform\n${describeResult(result)}`)
    this.result = result
    this.actual = result.findings.map(({ requirement, path }) => `${requirement} ${path}`)
  }
}

export function validatorOf(options: IntegrationOptions | ResponseValidator = {}): ResponseValidator {
  if ('validate' in options) return options
  return options.validator ?? createValidator(options)
}

/** Tells `onResult` of a response whose request is known to its client only. */
export function reportResult(options: AssertionOptions | ResponseValidator, result: ValidationResult): void {
  if ('onResult' in options) options.onResult?.(result, { method: undefined, url: '' })
}

/** Tells `onResult`, and gives the error that the mode asks for. */
export function settle(
  result: ValidationResult,
  { onResult, mode = 'throw' }: Pick<IntegrationOptions, 'onResult' | 'mode'>,
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
