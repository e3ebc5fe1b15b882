/**
 * An assertion for `node:test` and other runners that report exceptions as failures.
 *
 * @module
 */

import type { KnownRequest } from '../../exchange/plain-exchange.ts'
import type { ResponseValidator } from '../create-validator.ts'
import type { ValidationResult } from '../vocabulary.ts'
import {
  type AssertionOptions,
  asserted,
  ConformanceError,
  reportResult,
  validatorOf,
} from './integration.ts'

export { ConformanceError }

/**
 * An assertion for `node:test` and other runners that report exceptions as failures.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { assertConforms } from 'record-auth-conformance/validate'
 *
 * const conforms = assertConforms()
 * test('lists posts', async () => {
 *   await conforms(await fetch('http://127.0.0.1:8090/api/v1/collections/posts/records'))
 * })
 * ```
 *
 * @returns a function that throws a ConformanceError for a response that does not conform: synchronously for a plain exchange,
 *   otherwise through its promise. It throws a TypeError for a response whose request is unknown or outside the interface
 */
export function assertConforms(
  options: AssertionOptions | ResponseValidator = {},
): (input: unknown, known?: KnownRequest | KnownRequest['operation']) => void | Promise<void> {
  const validator = validatorOf(options)
  function demand(result: ValidationResult): void {
    reportResult(options, result)
    if (!result.ok) throw new ConformanceError(result)
  }
  return (input, known) => asserted(validator, input, known, demand)
}
