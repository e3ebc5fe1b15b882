/**
 * `record-auth-conformance/validate`: validates responses, in tests and on recorded traffic.
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
 * @module record-auth-conformance/validate
 */

export type {
  HeaderBag,
  KnownRequest,
  PlainExchange,
  RequestFacts,
  ResponseFacts,
} from '../exchange/plain-exchange.ts'
export type { Basis, Level, OperationId } from '../spec/vocabulary.ts'
export type { ActorKind } from './coverage/actors.ts'
export type { CoverageCount, CoverageReport, MissingParts } from './coverage/coverage-report.ts'
export {
  type Coverage,
  type CoverageFloor,
  createCoverage,
  describeCoverage,
  type TrafficCoverage,
} from './coverage/create-coverage.ts'
export type { RowsByOperation, SeenRow } from './coverage/seen-rows.ts'
export type { WholeExchange } from './coverage/whole-exchange.ts'
export { createValidator, type ResponseValidator } from './create-validator.ts'
export { describeResult } from './finding.ts'
export { afterSend, type SendOptions } from './integrations/after-send.ts'
export { assertConforms, ConformanceError } from './integrations/assert.ts'
export { conformChai } from './integrations/chai.ts'
export { conform } from './integrations/conform-interceptor.ts'
export { conformingFetch, type FetchLike } from './integrations/conforming-fetch.ts'
export { type ConnectMiddleware, connectConform } from './integrations/connect.ts'
export { type HonoContext, type HonoMiddleware, honoConform } from './integrations/hono.ts'
export type { AssertionOptions, IntegrationOptions } from './integrations/integration.ts'
export { type ConformMatcher, conformMatchers, type MatcherResult } from './integrations/matchers.ts'
export type { ServerIntegrationOptions } from './integrations/server-integration.ts'
export type { ValidationFinding, ValidationResult, ValidatorOptions } from './vocabulary.ts'
