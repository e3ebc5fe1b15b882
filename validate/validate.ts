/**
 * `record-auth-conformance/validate`: holds responses against the interface, in tests and on recorded traffic.
 *
 * @example
 * import { createValidator } from 'record-auth-conformance/validate'
 *
 * const { ok, findings } = createValidator().validate({
 *   request: { method: 'GET', url: '/api/v1/collections/notes/records' },
 *   response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"page":1}' },
 * })
 * console.log(ok, findings.map(String).join('\n'))
 *
 * @module
 */

export type {
  HeaderBag,
  KnownRequest,
  PlainExchange,
  RequestFacts,
  ResponseFacts,
} from '../exchange/plain-exchange.ts'
export type { CoverageReport } from './coverage/coverage-report.ts'
export {
  type Coverage,
  type CoverageFloor,
  createCoverage,
  describeCoverage,
  type TrafficCoverage,
} from './coverage.ts'
export { createValidator, type ResponseValidator } from './create-validator.ts'
export { describeResult } from './finding.ts'
export { afterSend } from './surfaces/after-send.ts'
export { assertConforms, type ConformanceError } from './surfaces/assert.ts'
export { conformChai } from './surfaces/chai.ts'
export { conform } from './surfaces/conform-interceptor.ts'
export { conformingFetch } from './surfaces/conforming-fetch.ts'
export { connectConform } from './surfaces/connect.ts'
export { honoConform } from './surfaces/hono.ts'
export { conformMatchers } from './surfaces/matchers.ts'
export type { AssertionOptions, SurfaceOptions } from './surfaces/surface.ts'
export type { ValidationFinding, ValidationResult, ValidatorOptions } from './vocabulary.ts'
