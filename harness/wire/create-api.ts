/**
 * The client of the interface for one actor. Paths and parameter names come from the target's binding; every exchange
 * is recorded and validated, and created records are added to the cleanup registry.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { isObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import { variableName } from '../../exchange/secrets/variable-name.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { HarnessError } from '../errors.ts'
import { formToTheirs, hasOtherNames, type ShownAs, toOurs, toTheirs } from '../target/mapped-table.ts'
import type { Api, ApiResponse, Body, Query, RawRequest, SubRequest } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings, SessionClock, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { batchToOurs, batchToTheirs } from './batch-to-theirs.ts'
import { encodeForm } from './encode-form.ts'
import { isJudged } from './expect-sendable.ts'
import { hasExtraKeys } from './extra-keys.ts'
import { withOtherProofs } from './other-proofs.ts'
import { makePaths, pathSegment } from './paths.ts'
import { queryText } from './query-text.ts'
import { requestMistake } from './request-mistake.ts'
import { type Identity, sendAs } from './send-as.ts'
import { moveToHeaders, targetNames } from './target-names.ts'
import { wholeCreate } from './whole-create.ts'
import { withKnownForms } from './with-known-forms.ts'
import { withUsernames } from './with-usernames.ts'
import { WriteTracker } from './write-tracker.ts'

export function createApi(
  session: Wire & CleanUp & Course & SessionClock & RunSettings & TargetFacts,
  identity: Identity,
): Api {
  const path = makePaths(session.target.binding)
  const writes = new WriteTracker(session, () => createApi(session, { ...identity, cleaning: true }))
  const plain = sendAs(session, identity, writes)
  // What cleans up needs no proof, and what counts attempts sends exactly its own.
  const { cleaning = false, counting = false, literal = false } = identity
  const proving = cleaning || counting ? plain : withOtherProofs(session, plain)
  const send = literal ? proving : withUsernames(session, proving)
  const encoded = (form: FormData) => encodeForm(form, (name, value) => session.redactor.field(name, value))

  async function call(
    operation: OperationId,
    method: string,
    to: string,
    query: Query = {},
    body?: Body | FormData,
  ): Promise<ApiResponse> {
    const headers: Record<string, string> = {}
    const { target } = session
    const known = withKnownForms(target, query, isJudged(session, cleaning))
    const sent = { method, path: to + queryText(target.binding, known), headers }
    // Intentionally invalid requests use `raw`; any other invalid one is our own error. Except for path parameters:
    // their values come from the target, so an empty one is its error.
    const mistake = requestMistake(operation, query, body)
    if (mistake !== undefined) {
      throw new HarnessError(
        `the suite's own ${operation} request does not match the API description: ${mistake}`,
      )
    }
    if (body instanceof FormData) {
      const form = await encoded(body)
      headers['content-type'] = form.contentType
      return send(operation, { ...sent, body: form.bytes }, form.summary)
    }
    const { binding, emptyBodies } = session
    if (body === undefined && !hasExtraKeys(operation, binding) && !emptyBodies.wants(operation))
      return emptyBodies.try(operation, (withBody) => (withBody ? sendJson({}) : send(operation, sent, '')))
    return sendJson(body ?? {})

    function sendJson(json: Body): Promise<ApiResponse> {
      headers['content-type'] = 'application/json'
      const text = JSON.stringify(moveToHeaders(targetNames(operation, json, binding), headers))
      return send(operation, { ...sent, body: text }, text)
    }
  }

  const auth =
    (operation: OperationId, action: string) =>
    (table: TableRef, body: Body, query?: Query): Promise<ApiResponse> =>
      ours(table, call(operation, 'POST', path.auth(table, action), query, body), 'sign-in')

  async function sendBatch(requests: SubRequest[], query?: Query): Promise<ApiResponse> {
    const theirRequests = batchToTheirs(session, path.prefix, requests)
    const response = await call('batch', 'POST', path.batch(), query, { requests: theirRequests })
    return batchToOurs(session, path.prefix, requests, response)
  }

  const api: Api = {
    actor: identity.actor,
    as: (actor) => session.api(actor),
    withToken: (token, name = 'token') => {
      session.redactor.meet(token, `$TOKEN_${variableName(name)}`)
      return createApi(session, { ...identity, actor: name, authorization: async () => token })
    },
    withoutToken: () =>
      createApi(session, { ...identity, actor: 'anyone', authorization: async () => undefined }),
    counting: () => createApi(session, { ...identity, counting: true }),
    literal: () => createApi(session, { ...identity, literal: true }),
    wantsObject: (operation) => session.emptyBodies.wants(operation),
    undisturbed: (work) => session.overlap.undisturbed(work),
    list: (table, query) => ours(table, call('listRecords', 'GET', path.records(table), query), 'list'),
    view: (table, id, query) => ours(table, call('viewRecord', 'GET', path.record(table, id), query)),
    create: (table, body, query) =>
      ours(
        table,
        call(
          'createRecord',
          'POST',
          path.records(table),
          query,
          wholeCreate(session, table.name, theirs(table, body), table),
        ),
      ),
    update: (table, id, body, query) =>
      ours(table, call('updateRecord', 'PATCH', path.record(table, id), query, theirs(table, body))),
    delete: (table, id) => call('deleteRecord', 'DELETE', path.record(table, id)),
    batch: sendBatch,
    authMethods: (table, query) => call('listAuthMethods', 'GET', path.auth(table, 'auth-methods'), query),
    authWithPassword: auth('authWithPassword', 'auth-with-password'),
    authWithOAuth2: auth('authWithOAuth2', 'auth-with-oauth2'),
    requestOtp: auth('requestOtp', 'request-otp'),
    authWithOtp: auth('authWithOtp', 'auth-with-otp'),
    authRefresh: (table, query) => call('authRefresh', 'POST', path.auth(table, 'auth-refresh'), query),
    impersonate: (table, id, body, query) =>
      call('impersonate', 'POST', `${path.auth(table, 'impersonate')}/${pathSegment(id)}`, query, body),
    requestVerification: auth('requestVerification', 'request-verification'),
    confirmVerification: auth('confirmVerification', 'confirm-verification'),
    requestPasswordReset: auth('requestPasswordReset', 'request-password-reset'),
    confirmPasswordReset: auth('confirmPasswordReset', 'confirm-password-reset'),
    requestEmailChange: auth('requestEmailChange', 'request-email-change'),
    confirmEmailChange: auth('confirmEmailChange', 'confirm-email-change'),
    raw: (request) => raw(request),
    path,
  }

  function completed<T extends Body | FormData>({ method, path: to }: RawRequest, body: T): T {
    const match = matchOperation(method, to, path.prefix)
    return match?.operation.id === 'createRecord'
      ? wholeCreate(session, match.params.table ?? '', body)
      : body
  }

  async function raw(request: RawRequest): Promise<ApiResponse> {
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
    const operation =
      request.operation ?? matchOperation(request.method, request.path, path.prefix)?.operation.id
    const { method } = request
    const sent = { method, path: request.path, headers, alone: true }
    if (request.json !== undefined) {
      headers['content-type'] ??= 'application/json'
      const body = moveToHeaders(targetNames(operation, request.json, session.binding), headers)
      const text = JSON.stringify(isObject(body) ? completed(request, body) : body)
      return send(operation, { ...sent, body: text }, text)
    }
    if (request.body === undefined) return send(operation, sent, '')
    if (request.body instanceof FormData) {
      const form = await encoded(completed(request, request.body))
      headers['content-type'] ??= form.contentType
      return send(operation, { ...sent, body: form.bytes }, form.summary)
    }
    const shown =
      typeof request.body === 'string'
        ? request.body
        : `${request.body.byteLength} bytes #${createHash('sha256').update(request.body).digest('hex').slice(0, 8)}`
    return send(operation, { ...sent, body: request.body }, shown)
  }

  return api
}

function theirs(table: TableRef, body: Body | FormData): Body | FormData {
  return body instanceof FormData ? formToTheirs(table, body) : toTheirs(table, body)
}

async function ours(
  table: TableRef,
  pending: Promise<ApiResponse>,
  shown: ShownAs = 'record',
): Promise<ApiResponse> {
  const response = await pending
  return hasOtherNames(table) ? { ...response, body: toOurs(table, response.body, shown) } : response
}
