/**
 * The expectation that a request is rejected, with its precondition: the same request without its one mistake is
 * accepted.
 *
 * @module
 */

import type { Requirement } from '../../../spec/vocabulary.ts'
import type { ApiResponse } from '../../vocabulary/api.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import {
  BlockedError,
  ExpectationError,
  expectNoSuccess,
  expectRejection,
  expectStatus,
  requestName,
  show,
} from '../expect.ts'
import { responseSummary } from '../response-summary.ts'

export function rejectsPart({ basis }: Pick<Requirement, 'basis'>): CheckContext['rejects'] {
  return async ({ control, attempt, status, data }) => {
    const accepted = await control()
    if (!accepted.ok)
      throw new BlockedError(
        `the precondition does not hold: the valid request was rejected: ${responseSummary(accepted, 300)}`,
      )
    const rejected = await attempt()
    const what = requestName(rejected, 'invalid')
    if (basis !== 'profile') expectNoSuccess(rejected, what)
    else {
      expectRejection(rejected, what)
      if (status !== undefined) expectStatus(rejected, status, what)
      for (const [field, code] of Object.entries(data ?? {})) expectCode(rejected, field, code, what)
    }
    return rejected
  }
}

/** Expects a code in an error envelope's `data` at a dotted path; the path may end at a nested error. */
function expectCode(response: ApiResponse, path: string, code: string, what: string): void {
  let here: unknown = (response.body as { data?: unknown } | undefined)?.data
  for (const part of path.split('.')) {
    if (typeof here !== 'object' || here === null)
      throw new ExpectationError(`the error response has no data.${path}`, path, response.text, {
        rejected: true,
      })
    here = (here as Record<string, unknown>)[part]
  }
  const found = (here as { code?: unknown } | undefined)?.code
  if (found === code) return
  const fact = `unexpected value for data.${path}.code in the response to ${what}`
  throw new ExpectationError(fact, show(code), show(found), { rejected: true })
}
