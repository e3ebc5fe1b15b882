/**
 * The interface as a client speaks it, for one actor. Paths and parameter names come from the target's binding; every
 * exchange is recorded, held against the description, and what it creates enters the ledger.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { matchOperation } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { HarnessError, StoppedError } from '../errors.ts'
import { UntestableError } from '../judging/expect.ts'
import { intentOf } from '../ledger/intent.ts'
import { removalOf } from '../ledger/ledger.ts'
import type { Session } from '../session.ts'
import { formToTheirs, toOurs, toTheirs } from '../target/mapped-fields.ts'
import type { Api, Body, Query, RawRequest, Reply, SubRequest } from '../vocabulary/api.ts'
import type { TableRef } from '../vocabulary/target.ts'
import { batchEntries } from './batch-entries.ts'
import { encodeForm } from './multipart.ts'
import { makePaths } from './paths.ts'
import { sendRecorded } from './send.ts'

export interface Identity {
  actor: string
  /** The Authorization value; undefined for a guest. */
  authorization(): Promise<string | undefined>
  /** Its requests are sent even after the run was stopped: clean-up, and the sign-in that it needs. @default false */
  cleaning?: boolean
}

/** What a read-only run may send beside GET: how one becomes somebody. */
const harmless: readonly OperationId[] = ['authWithPassword']

export function createApi(session: Session, identity: Identity): Api {
  const path = makePaths(session.target.binding)
  const encoded = (form: FormData) => encodeForm(form, (name, value) => session.redactor.field(name, value))

  async function call(
    operation: OperationId,
    method: string,
    to: string,
    query: Query = {},
    body?: Body | FormData,
  ): Promise<Reply> {
    const headers: Record<string, string> = { accept: 'application/json' }
    const sent = { method, path: to + queryText(session, query), headers }
    if (body === undefined) return send(operation, sent, '')
    if (body instanceof FormData) {
      const form = await encoded(body)
      headers['content-type'] = form.contentType
      return send(operation, { ...sent, body: form.bytes }, form.summary)
    }
    const mistake = session.validator?.requestMistake(operation, body)
    if (mistake !== undefined) {
      throw new HarnessError(
        `the suite's own ${operation} request does not follow the description: ${mistake}`,
      )
    }
    headers['content-type'] = 'application/json'
    const text = JSON.stringify(body)
    return send(operation, { ...sent, body: text }, text)
  }

  async function send(
    operation: OperationId | undefined,
    request: {
      method: string
      path: string
      headers: Record<string, string>
      body?: string | Uint8Array
      patient?: boolean
    },
    shown: string,
  ): Promise<Reply> {
    const reading = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (session.options.readOnly && !reading && !(operation !== undefined && harmless.includes(operation))) {
      throw new UntestableError('the run is read-only', 'leave out --read-only')
    }
    const { maxRequests } = session.options
    const stoppable = identity.cleaning !== true
    if (stoppable && maxRequests !== undefined && session.recorder.requests >= maxRequests)
      throw new StoppedError(`the budget of ${maxRequests} requests is used up`)
    const authorization = await identity.authorization()
    if (authorization !== undefined && request.headers.authorization === undefined)
      request.headers.authorization = authorization
    // Last of all, since getting a token takes its time.
    if (stoppable && session.signal?.aborted === true) throw new StoppedError('the run was stopped')
    session.ledger.sent(
      reading ? 'reads' : operation !== undefined && harmless.includes(operation) ? 'signIns' : 'writes',
    )
    const known = intend(operation, request)
    return session.pending(async () => {
      const unanswered = () => expectCreated(operation, request)
      const reply = await sendRecorded(session, {
        operation,
        actor: identity.actor,
        request,
        shown,
        unanswered,
      })
      enter(operation, request, reply)
      for (const tell of known) tell()
      return reply
    })
  }

  /** Notes what a request may create before anybody can know. Gives what is to be called once the answer is there. */
  function intend(
    operation: OperationId | undefined,
    { method, path: to, body }: { method: string; path: string; body?: string | Uint8Array },
  ): (() => void)[] {
    if (method === 'GET' || body === undefined) return []
    const creates = operation === 'batch' ? batchEntries(body) : [{ method, url: to, body: objectIn(body) }]
    return creates.flatMap((each) => {
      const { method: verb, url, body: fields } = each ?? {}
      if (typeof verb !== 'string' || typeof url !== 'string') return []
      const match = matchOperation(verb === 'PUT' ? 'POST' : verb, url, path.prefix)
      const { table = '' } = match?.params ?? {}
      if (match?.operation.id !== 'createRecord' || table === '') return []
      const intent = intentOf(table, (fields ?? {}) as Body, session.scopes)
      return intent === undefined ? [] : [session.ledger.intend(intent)]
    })
  }

  /** What a successful request created or deleted is told to the ledger. */
  function enter(
    operation: OperationId | undefined,
    request: { method: string; path: string; body?: string | Uint8Array },
    reply: Reply,
  ): void {
    if (!reply.ok || request.method === 'GET') return
    const match = matchOperation(request.method, request.path, path.prefix)
    const what = operation ?? match?.operation.id
    const { table = '', id = '' } = match?.params ?? {}
    if (what === 'deleteRecord') session.ledger.strike(table, id)
    else if (what === 'createRecord')
      created(table, reply.body, objectIn(request.body), secretsIn(request.body))
    else if (what === 'authWithPassword' || what === 'authRefresh') {
      const { token, record } = (reply.body ?? {}) as { token?: unknown; record?: { id?: unknown } }
      if (typeof token === 'string' && typeof record?.id === 'string')
        session.ledger.tokens.set(record.id, token)
    } else if (what === 'authWithOAuth2') {
      const { record, meta } = (reply.body ?? {}) as { record?: unknown; meta?: { isNew?: boolean } }
      if (meta?.isNew === true) created(table, record, {})
    } else if (what === 'batch') batched(request.body, reply.body)
  }

  /** No answer came, and the server may have done it all the same. */
  function expectCreated(
    operation: OperationId | undefined,
    { method, path: to, body }: { method: string; path: string; body?: string | Uint8Array },
  ): void {
    const match = matchOperation(method, to, path.prefix)
    const what = operation ?? match?.operation.id
    if (what === 'createRecord') doubtful(match?.params.table, objectIn(body))
    else if (what === 'authWithOAuth2') doubtful(match?.params.table)
    else if (what === 'batch')
      for (const entry of batchEntries(body)) {
        const { method: verb, url, body: fields } = entry ?? {}
        if (typeof verb !== 'string' || typeof url !== 'string') continue
        const target = matchOperation(verb === 'PUT' ? 'POST' : verb, url, path.prefix)
        if (target?.operation.id === 'createRecord') doubtful(target.params.table, (fields ?? {}) as Body)
      }
  }

  /** Deleted where the request said its id, searched for at the end where it was noted; otherwise told of. */
  function doubtful(table: string | undefined, fields: Body = {}): void {
    if (table === undefined) return
    const { id } = fields
    if (typeof id === 'string' && id !== '') created(table, { id }, {})
    else if (intentOf(table, fields, session.scopes) === undefined)
      session.ledger.nameless(table, 'its creation was sent, and no answer came: it may be there')
  }

  /** What signs in the account that a body creates: without a superuser only it may delete itself. */
  function secretsIn(body: unknown): Body | undefined {
    if (session.actors.knows('superuser')) return undefined
    const fields = objectIn(body)
    const password = fields[session.target.binding['signUp.password'] ?? 'password']
    const identity = fields.email ?? fields.username
    return typeof password === 'string' && typeof identity === 'string' ? { identity, password } : undefined
  }

  /** Deletes an account as itself: by its last session, or by signing in anew. */
  async function removeOwn(ref: TableRef, id: string, secrets: Body): Promise<Reply> {
    const known = session.ledger.tokens.get(id)
    if (known !== undefined) {
      const reply = await session.cleaner('guest').withToken(known, 'user').delete(ref, id)
      if (reply.ok) return reply
    }
    const guest = session.cleaner('guest')
    const { body } = await guest.authWithPassword(ref, secrets)
    const token = (body as { token?: unknown } | undefined)?.token
    return typeof token === 'string' ? guest.withToken(token, 'user').delete(ref, id) : guest.delete(ref, id)
  }

  /** @param sent where the id is found that an answer cut by `fields` does not show */
  function created(table: string, record: unknown, sent: Body, secrets?: Body): void {
    const id = (record as { id?: unknown } | null | undefined)?.id ?? sent.id
    if (table === '') return
    if (typeof id !== 'string' || id === '') {
      session.ledger.nameless(table)
      return
    }
    const remover = session.actors.knows('superuser')
      ? session.cleaner('superuser')
      : createApi(session, { ...identity, cleaning: true })
    session.ledger.enter({
      table,
      id,
      remove: () =>
        session.recorder.silently(async () => {
          const ref = { role: '', name: table }
          return removalOf(
            secrets === undefined ? await remover.delete(ref, id) : await removeOwn(ref, id, secrets),
          )
        }),
    })
  }

  function batched(body: string | Uint8Array | undefined, answers: unknown): void {
    if (!Array.isArray(answers)) return
    const entries = batchEntries(body)
    if (entries.length === 0 && answers.length > 0) session.ledger.nameless('batch')
    answers.forEach((answer: unknown, index) => {
      const entry = entries[index]
      const status = (answer as { status?: unknown } | null)?.status
      if (typeof entry?.url !== 'string' || typeof entry.method !== 'string' || Number(status) >= 300) return
      const match = matchOperation(entry.method === 'PUT' ? 'POST' : entry.method, entry.url, path.prefix)
      const { table = '', id = '' } = match?.params ?? {}
      if (match?.operation.id === 'createRecord')
        created(table, (answer as { body?: unknown } | null)?.body, (entry.body ?? {}) as Body)
      if (match?.operation.id === 'deleteRecord') session.ledger.strike(table, id)
    })
  }

  const auth =
    (operation: OperationId, action: string) =>
    (table: TableRef, body: Body, query?: Query): Promise<Reply> =>
      ours(table, call(operation, 'POST', path.auth(table, action), query, body))

  /** Sub-requests with the target's field names, and its answers with ours. */
  async function sendBatch(requests: SubRequest[], query?: Query): Promise<Reply> {
    const tables = requests.map(({ method, url }) => mappedTable(method, url))
    if (tables.every((table) => table === undefined))
      return call('batch', 'POST', path.batch(), query, { requests })
    const mapped = requests.map((request, index) => {
      const table = tables[index]
      return table === undefined || request.body === undefined
        ? request
        : { ...request, body: toTheirs(table, request.body) }
    })
    const reply = await call('batch', 'POST', path.batch(), query, { requests: mapped })
    if (!Array.isArray(reply.body)) return reply
    const answers = reply.body.map((answer: { body?: unknown } | null, index) => {
      const table = tables[index]
      return table === undefined || answer?.body === undefined
        ? answer
        : { ...answer, body: toOurs(table, answer.body) }
    })
    return { ...reply, body: answers }
  }

  /** The table of a sub-request, when its fields are called otherwise. */
  function mappedTable(method: string, url: string): TableRef | undefined {
    if (typeof url !== 'string') return undefined
    const name = matchOperation(method === 'PUT' ? 'POST' : method, url, path.prefix)?.params.table
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
    list: (table, query) => ours(table, call('listRecords', 'GET', path.records(table), query)),
    view: (table, id, query) => ours(table, call('viewRecord', 'GET', path.record(table, id), query)),
    create: (table, body, query) =>
      ours(table, call('createRecord', 'POST', path.records(table), query, theirs(table, body))),
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
      call(
        'impersonate',
        'POST',
        `${path.auth(table, 'impersonate')}/${encodeURIComponent(id)}`,
        query,
        body,
      ),
    requestVerification: auth('requestVerification', 'request-verification'),
    confirmVerification: auth('confirmVerification', 'confirm-verification'),
    requestPasswordReset: auth('requestPasswordReset', 'request-password-reset'),
    confirmPasswordReset: auth('confirmPasswordReset', 'confirm-password-reset'),
    requestEmailChange: auth('requestEmailChange', 'request-email-change'),
    confirmEmailChange: auth('confirmEmailChange', 'confirm-email-change'),
    raw: (request) => raw(request),
    path,
  }

  async function raw(request: RawRequest): Promise<Reply> {
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
    const operation =
      request.operation ?? matchOperation(request.method, request.path, path.prefix)?.operation.id
    const sent = { method: request.method, path: request.path, headers, patient: false, alone: true }
    if (request.body === undefined) return send(operation, sent, '')
    if (request.body instanceof FormData) {
      const form = await encoded(request.body)
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

async function ours(table: TableRef, answer: Promise<Reply>): Promise<Reply> {
  const reply = await answer
  return table.fields === undefined ? reply : { ...reply, body: toOurs(table, reply.body) }
}

/** The query with the target's parameter names. An absent value leaves the parameter out. */
function queryText(session: Session, query: Query): string {
  const pairs = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) pairs.append(session.target.binding[`list.${key}`] ?? key, String(value))
  }
  const text = pairs.toString()
  return text === '' ? '' : `?${text}`
}

function objectIn(text: unknown): Record<string, unknown> {
  try {
    return typeof text === 'string' ? ((JSON.parse(text) ?? {}) as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
