/**
 * Matchers for Vitest and Jest, which take the same ones.
 *
 * @module
 */

import type { KnownRequest } from '../../exchange/plain-exchange.ts'
import type { ResponseValidator } from '../create-validator.ts'
import { describeResult } from '../finding.ts'
import type { ValidationResult } from '../vocabulary.ts'
import { type AssertionOptions, knownOf, tellResult, validatorOf } from './surface.ts'

export interface MatcherResult {
  pass: boolean
  message: () => string
}

type Matcher = (
  received: unknown,
  known?: KnownRequest | KnownRequest['operation'],
) => MatcherResult | Promise<MatcherResult>

type Known = KnownRequest | KnownRequest['operation']

declare global {
  // The name of Jest's types; where they are not installed, this stands for nothing.
  namespace jest {
    interface Matchers<R> {
      toConform(known?: Known): Promise<void>
      toSatisfyApiSpec(known?: Known): Promise<void>
    }
  }
}

/**
 * With Vitest, `import 'record-auth-conformance/vitest'` brings their types.
 *
 * @example
 * expect.extend(conformMatchers())
 * test('notes', async () => { await expect(await fetch(url)).toConform() })
 */
export function conformMatchers(options: AssertionOptions | ResponseValidator = {}): {
  toConform: Matcher
  toSatisfyApiSpec: Matcher
} {
  const validator = validatorOf(options)
  function verdict(result: ValidationResult): MatcherResult {
    tellResult(options, result)
    return {
      pass: result.ok,
      message: () =>
        result.ok
          ? `expected the response not to conform, but it does (${result.operation ?? 'not an operation of the interface'})`
          : describeResult(result),
    }
  }
  function toConform(received: unknown, known?: KnownRequest | KnownRequest['operation']) {
    const result = validator.validate(received, knownOf(known))
    return result instanceof Promise ? result.then(verdict) : verdict(result)
  }
  return { toConform, toSatisfyApiSpec: toConform }
}
