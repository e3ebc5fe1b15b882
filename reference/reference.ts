/**
 * The reference server: the whole interface in memory, inside the process that uses it.
 *
 * @example
 * ```ts
 * import { createReference } from 'record-auth-conformance/reference'
 *
 * await using reference = createReference({
 *   tables: [{ name: 'posts', listRule: '', createRule: '', fields: [{ name: 'title', type: 'text' }] }],
 * })
 * const response = await reference.fetch('/api/v1/collections/posts/records')
 * const { url } = await reference.listen()
 * ```
 *
 * @module record-auth-conformance/reference
 */

export type {
  HarBody,
  HarEntry,
  HarRequest,
  HarResponse,
  HttpArchive,
  NameValue,
} from '../exchange/har/http-archive.ts'
export type {
  CommonFieldOptions,
  DeepReadonly,
  DefinitionOf,
  DomainOptions,
  FieldShape,
  FieldShapes,
  FieldType,
  GeoPoint,
} from '../spec/field-types.ts'
export type {
  AuthOptions,
  FieldDefinition,
  MailTemplate,
  OAuth2ProviderDefinition,
  RuleText,
  TableDefinition,
  TokenOptions,
} from '../spec/table-definition.ts'
export type { KeyAction, OperationId } from '../spec/vocabulary.ts'
export type { ApiKeyScope, ApiKeys, ListedApiKey, NewApiKey } from './auth/api-keys.ts'
export type {
  EmailFilter,
  Mailbox,
  SentEmail,
  SmtpOptions,
} from './auth/mail/mailbox.ts'
export { EmailNotSent } from './auth/mail/mailbox.ts'
export type { EmailKind, MailSender } from './auth/mail/template.ts'
export type { TokenKind } from './auth/tokens.ts'
export { createReference } from './create-reference.ts'
export {
  type AnyRecord,
  type AnyValues,
  type ChangesOf,
  defineTables,
  type ExactTables,
  type KnownField,
  type NewRecordOf,
  type RecordOf,
  type RecordOrId,
  type Records,
  type SystemFields,
  type TableInput,
  type TableInputs,
  type TableName,
  type TableNamed,
} from './define-tables.ts'
export type { Clock, IdMaker } from './environment/environment.ts'
export type { ErrorBody, ErrorData } from './errors.ts'
export type { Realtime } from './extras/realtime/realtime.ts'
export type { Listener } from './http/listen.ts'
export type { Limits } from './limits/limits.ts'
export type { ReferenceOptions } from './options.ts'
export { type ListQuery, RecordError, type RecordsApi, type TypedRecordsApi } from './records/records-api.ts'
export type {
  AnyReference,
  GivenValues,
  MadeRecords,
  Reference,
  ReferenceBase,
  ReferenceSnapshot,
  TypedReference,
} from './reference-types.ts'
export type { BatchSettings, RateLimitRule, RateLimitSettings, ThrottleSettings } from './services.ts'
export type { SeedRow } from './state/seed.ts'
export type { StateJson } from './state/state-json.ts'
export type { Actor, ActorName, TokenFor, TokenForOptions } from './testing/actors.ts'
export type { FaultOptions } from './testing/fault-options.ts'
export type { Fault, FaultMaker } from './testing/faults.ts'
export type { Footprint } from './testing/footprint.ts'
export type { LoggedRequest } from './testing/logged-request.ts'
export type {
  PretendCode,
  PretendOptions,
  PretendProvider,
  PretendRejection,
  PretendUser,
} from './testing/pretend-provider.ts'
export type { RequestLine } from './testing/request-line.ts'
export type { AssertOptions, RequestLog } from './testing/request-log.ts'
export type { MatchableRequest, RequestMatch, RequestPattern, RequestTest } from './testing/request-match.ts'
export type { ApiKeyFacts, FieldError, Json } from './vocabulary.ts'
export type { SomeOf } from './with-defaults.ts'
