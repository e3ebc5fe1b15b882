/**
 * Matchers for Vitest and Jest, which have the same matcher interface.
 *
 * @module
 */

import type { KnownRequest } from '../../exchange/plain-exchange.ts'
import type { ResponseValidator } from '../create-validator.ts'
import { describeResult } from '../finding.ts'
import type { ValidationResult } from '../vocabulary.ts'
import { type AssertionOptions, asserted, reportResult, validatorOf } from './integration.ts'

/** The result of a matcher, as test runners expect it. */
export interface MatcherResult {
  /** Whether the response conforms. */
  pass: boolean
  /** The failure message. */
  message: () => string
}

/** A matcher for `expect.extend`. */
export type ConformMatcher = (
  received: unknown,
  known?: KnownRequest | KnownRequest['operation'],
) => MatcherResult | Promise<MatcherResult>

type Known = KnownRequest | KnownRequest['operation']

declare global {
  // The namespace of Jest's types. If they are not installed, this declaration has no effect.
  namespace jest {
    interface Matchers<R> {
      /** Passes if the response conforms. Await it, unless the response is a plain exchange. */
      toConform(known?: Known): Promise<void>
      /** Alias with the name that jest-openapi uses. */
      toSatisfyApiSpec(known?: Known): Promise<void>
    }
  }
}

/**
 * Matchers for `expect.extend` of Vitest and Jest. They throw a TypeError for a response whose request is unknown or
 * outside the interface.
 *
 * For Vitest, `import 'record-auth-conformance/vitest'` declares their types.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { conformMatchers } from 'record-auth-conformance/validate'
 * import { expect, test } from 'vitest'
 *
 * expect.extend(conformMatchers())
 * test('lists posts', async () => {
 *   const response = await fetch('http://127.0.0.1:8090/api/v1/collections/posts/records')
 *   await expect(response).toConform()
 * })
 * ```
 */
export function conformMatchers(options: AssertionOptions | ResponseValidator = {}): {
  /** Passes if the response conforms. */
  toConform: ConformMatcher
  /** Alias with the name that jest-openapi uses. */
  toSatisfyApiSpec: ConformMatcher
} {
  const validator = validatorOf(options)
  function verdict(result: ValidationResult): MatcherResult {
    reportResult(options, result)
    return {
      pass: result.ok,
      message: () =>
        result.ok
          ? `expected the response not to conform, but it does (${result.operation})`
          : describeResult(result),
    }
  }
  function toConform(received: unknown, known?: KnownRequest | KnownRequest['operation']) {
    return asserted(validator, received, known, verdict)
  }
  return { toConform, toSatisfyApiSpec: toConform }
}
