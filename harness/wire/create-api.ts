/**
 * The client of the interface for one actor. Paths and parameter names come from the target's binding; every exchange
 * is recorded and validated, and created records are added to the cleanup registry.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { matchEntry } from '../../exchange/batch-entries.ts'
import { isObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { HarnessError, StoppedError } from '../errors.ts'
import { BlockedError, UntestableError } from '../judging/expect.ts'
import { withOwnMark } from '../ownership/own-mark.ts'
import { isAbsent } from '../target/is-absent.ts'
import { formToTheirs, toOurs, toTheirs } from '../target/mapped-table.ts'
import type { Api, ApiResponse, Body, Query, RawRequest, SubRequest } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { encodeForm } from './encode-form.ts'
import { expectForm } from './expect-form.ts'
import { extraKeys } from './extra-keys.ts'
import { isHeaderValue } from './header-value.ts'
import { ownMistake } from './own-mistake.ts'
import { makePaths, pathSegment } from './paths.ts'
import { queryText } from './query-text.ts'
import { repeating } from './repeat.ts'
import { expectUnlimited, sendRecorded } from './send.ts'
import { learnIdentifier, standInToken } from './stand-in.ts'
import { moveToHeaders, targetNames } from './target-names.ts'
import { trackWrites } from './track-writes.ts'

export interface Identity {
  actor: string
  /** The Authorization value; undefined for a guest. */
  authorization(): Promise<string | undefined>
  /** Its requests are sent even after the run was stopped: clean-up, and the sign-in that it needs. @default false */
  cleaning?: boolean
  /** Whether a 429 is returned like any other response. @default false */
  counting?: boolean
}

/** Operations that a read-only run may send in addition to GET: those that sign in. */
const harmless: readonly OperationId[] = ['authWithPassword']

export function createApi(
  session: Wire & CleanUp & Course & RunSettings & TargetFacts,
  identity: Identity,
): Api {
  const path = makePaths(session.target.binding)
  const writes = trackWrites(session, () => createApi(session, { ...identity, cleaning: true }))
  const encoded = (form: FormData) => encodeForm(form, (name, value) => session.redactor.field(name, value))

  /** Whether its requests are those of checks: an exploration, which comes before them, and a clean-up judge nothing. */
  const isJudged = () => session.check !== undefined && identity.cleaning !== true

  async function call(
    operation: OperationId,
    method: string,
    to: string,
    query: Query = {},
    body?: Body | FormData,
  ): Promise<ApiResponse> {
    const headers: Record<string, string> = { accept: 'application/json' }
    const sent = { method, path: to + queryText(session.target.binding, query), headers }
    // Intentionally invalid requests use `raw`; any other invalid one is our own error. Except for path parameters:
    // their values come from the target, so an empty one is its error.
    const mistake = ownMistake(operation, query, body)
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
    const { binding } = session
    if (body === undefined && Object.keys(extraKeys(operation, binding)).length === 0)
      return send(operation, sent, '')
    headers['content-type'] = 'application/json'
    const text = JSON.stringify(moveToHeaders(targetNames(operation, body ?? {}, binding), headers))
    return send(operation, { ...sent, body: text }, text)
  }

  async function send(
    operation: OperationId | undefined,
    request: {
      method: string
      path: string
      headers: Record<string, string>
      body?: string | Uint8Array
      alone?: boolean
    },
    shown: string,
  ): Promise<ApiResponse> {
    const reading = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (session.options.readOnly && !reading && !(operation !== undefined && harmless.includes(operation))) {
      throw new UntestableError('the run is read-only', 'remove --read-only')
    }
    const stoppable = identity.cleaning !== true
    // Its response would be that of a path at which there is nothing, whatever the check is about. Requirements on every
    // response hold for that one, too.
    if (
      isJudged() &&
      session.check?.startsWith('wire.') !== true &&
      operation !== undefined &&
      isAbsent(session.target, operation)
    )
      throw new UntestableError(
        `the check sends ${operation}, which the target file declares absent`,
        `if the server has it, remove "${operation}" from "operations", or its capability from "capabilities", in the target file`,
      )
    const { maxRequests } = session.options
    if (stoppable && maxRequests !== undefined && session.recorder.requests >= maxRequests)
      throw new StoppedError(`the limit of ${maxRequests} requests (--max-requests) was reached`)
    const standIn = identity.actor === 'guest' ? standInToken(session, request) : undefined
    const authorization = (await identity.authorization()) ?? standIn
    if (authorization !== undefined && request.headers.authorization === undefined)
      request.headers.authorization = authorization
    // Tokens come from the server. The tester's own are checked when they are read.
    if (!isHeaderValue(request.headers.authorization ?? ''))
      throw new BlockedError('a token contains characters that no header can carry, so it cannot be sent')
    for (const table of writes.tables(operation, request)) await session.ownership.beforeCreate(table)
    await session.ownership.expectOurs(request)
    // Checked last, since the steps before take time.
    if (stoppable && session.signal?.aborted === true) throw new StoppedError('the run was stopped')
    const position = stoppable ? ++session.connections.sent : 0
    const signsIn = operation !== undefined && harmless.includes(operation)
    session.recorder.sent[reading ? 'reads' : signsIn ? 'signIns' : 'writes'] += 1
    let attempts = 0
    const sendOnce = async (onNoResponse: () => void) => {
      if (attempts++ > 0) await session.ownership.expectOurs(request)
      const intended = writes.intend(operation, request)
      const response = await sendRecorded(session, {
        operation,
        actor: identity.actor,
        request: { ...request },
        shown,
        counted: identity.counting === true,
        position,
        cleaning: !stoppable,
        onNoResponse,
      })
      writes.afterResponse(operation, request, response, intended)
      learnIdentifier(session, response.body)
      if (identity.counting !== true) expectUnlimited(response)
      return response
    }
    const repeatable = { reading, alone: request.alone === true, cleaning: !stoppable, body: request.body }
    const onNoResponse = () => writes.withoutResponse(operation, request)
    return session.pending(() => repeating(session, repeatable, sendOnce, onNoResponse))
  }

  const auth =
    (operation: OperationId, action: string) =>
    (table: TableRef, body: Body, query?: Query): Promise<ApiResponse> =>
      ours(table, call(operation, 'POST', path.auth(table, action), query, body))

  /** Sub-requests with the target's field names, and its responses with ours. */
  async function sendBatch(requests: SubRequest[], query?: Query): Promise<ApiResponse> {
    const tables = requests.map(({ method, url }) => renamedTable(method, url))
    const mapped = requests.map((request, index) => {
      const table = tables[index]
      const match = matchEntry(request, path.prefix)
      if (request.body === undefined) return request
      const body = table === undefined ? request.body : toTheirs(table, request.body)
      return match?.operation.id === 'createRecord'
        ? { ...request, body: withOwnMark(session, match.params.table ?? '', body) }
        : { ...request, body }
    })
    const response = await call('batch', 'POST', path.batch(), query, { requests: mapped })
    if (!Array.isArray(response.body)) return response
    const responses = response.body.map((result: { body?: unknown } | null, index) => {
      const table = tables[index]
      return table === undefined || result?.body === undefined
        ? result
        : { ...result, body: toOurs(table, result.body) }
    })
    return { ...response, body: responses }
  }

  /** The table of a sub-request, if its fields have other names. */
  function renamedTable(method: string, url: string): TableRef | undefined {
    const name = matchEntry({ method, url }, path.prefix)?.params.table
    if (name === undefined) return undefined
    return Object.values(session.target.tables).find(
      (table) => table.fields !== undefined && (table.name === name || table.id === name),
    )
  }

  const api: Api = {
    actor: identity.actor,
    as: (actor) => session.api(actor),
    withToken: (token, name = 'token') => {
      session.redactor.meet(token, `$TOKEN_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`)
      return createApi(session, { ...identity, actor: name, authorization: async () => token })
    },
    counting: () => createApi(session, { ...identity, counting: true }),
    undisturbed: (work) => session.overlap.undisturbed(work),
    async list(table, query) {
      if (query?.page !== undefined && isJudged()) expectForm(session.target, 'page number')
      return ours(table, call('listRecords', 'GET', path.records(table), query))
    },
    view: (table, id, query) => ours(table, call('viewRecord', 'GET', path.record(table, id), query)),
    create: (table, body, query) =>
      ours(
        table,
        call(
          'createRecord',
          'POST',
          path.records(table),
          query,
          withOwnMark(session, table.name, theirs(table, body)),
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

  function marked<T extends Body | FormData>({ method, path: to }: RawRequest, body: T): T {
    const match = matchOperation(method, to, path.prefix)
    return match?.operation.id === 'createRecord'
      ? withOwnMark(session, match.params.table ?? '', body)
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
      const text = JSON.stringify(isObject(body) ? marked(request, body) : body)
      return send(operation, { ...sent, body: text }, text)
    }
    if (request.body === undefined) return send(operation, sent, '')
    if (request.body instanceof FormData) {
      const form = await encoded(marked(request, request.body))
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

async function ours(table: TableRef, pending: Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await pending
  return table.fields === undefined ? response : { ...response, body: toOurs(table, response.body) }
}
