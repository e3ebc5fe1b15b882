/**
 * A plugin for chai: `expect(res).to.conform()`, with the alias `to.satisfyApiSpec`.
 *
 * @module
 */

import type { KnownRequest } from '../../exchange/plain-exchange.ts'
import type { ResponseValidator } from '../create-validator.ts'
import { describeResult } from '../finding.ts'
import type { ValidationResult } from '../vocabulary.ts'
import { type AssertionOptions, asserted, reportResult, validatorOf } from './integration.ts'

declare global {
  // The namespace of chai's types. If they are not installed, this declaration has no effect.
  namespace Chai {
    interface Assertion {
      /** Asserts that the response conforms. Await it unless the response is a plain exchange. */
      conform(known?: KnownRequest | KnownRequest['operation']): Promise<void>
      /** The same, synchronously, for a response whose body the client has already read. */
      satisfyApiSpec: Assertion
    }
  }
}

/** The part of chai that is used; chai itself is not loaded. */
interface Assertion {
  _obj: unknown
  assert(holds: boolean, message: string, negated: string): void
}
interface Chai {
  Assertion: {
    addMethod(name: string, method: (this: Assertion, ...args: never[]) => unknown): void
    addProperty(name: string, getter: (this: Assertion) => unknown): void
  }
}

/**
 * A plugin for chai, with the assertions `conform()` and `satisfyApiSpec`.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { expect, use } from 'chai'
 * import { conformChai } from 'record-auth-conformance/validate'
 *
 * use(conformChai())
 * const response = await fetch('http://127.0.0.1:8090/api/v1/collections/posts/records')
 * await expect(response).to.conform()
 * ```
 */
export function conformChai(options: AssertionOptions | ResponseValidator = {}): (chai: unknown) => void {
  const validator = validatorOf(options)

  function decide(assertion: Assertion, result: ValidationResult): void {
    reportResult(options, result)
    assertion.assert(result.ok, describeResult(result), 'expected the response not to conform, but it does')
  }

  return (chai) => {
    const { Assertion } = chai as Chai
    Assertion.addMethod('conform', function conform(known?: KnownRequest | KnownRequest['operation']) {
      return asserted(validator, this._obj, known, (result) => decide(this, result))
    })
    Assertion.addProperty('satisfyApiSpec', function satisfyApiSpec() {
      const result = asserted(validator, this._obj, undefined, (each) => each)
      if (result instanceof Promise) {
        result.catch(() => {})
        throw new TypeError(
          'The body of this response must be read first. Use await expect(res).to.conform() instead.',
        )
      }
      decide(this, result)
    })
  }
}
