/**
 * Keeps the clean-up registry: called for each request before it is sent, and again after its response, or without one.
 * That a response names a record as created is only a claim: `harness/ownership` proves it before anything is deleted.
 *
 * @module
 */

import { batchEntries, matchEntry } from '../../exchange/batch-entries.ts'
import { isObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { SignIn } from '../cleanup/account-credentials.ts'
import { intentOf } from '../cleanup/intent.ts'
import type { Intent } from '../cleanup/journal.ts'
import { recordEntry } from '../cleanup/record-entry.ts'
import type { RecordPlace } from '../cleanup/remove-as.ts'
import { createdId } from '../created-record.ts'
import { BlockedError } from '../judging/expect.ts'
import type { OwnershipClaim } from '../ownership/holds-proof.ts'
import { marksIn, marksInBody } from '../ownership/marks.ts'
import { unusable } from '../ownership/unusable.ts'
import type { Api, ApiResponse, Body } from '../vocabulary/api.ts'
import type { CleanUp, Course } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { isHeaderValue } from './header-value.ts'
import { makePaths } from './paths.ts'
import type { WireRequest } from './transport.ts'

/**
 * What a request may create, by position: that of a sub-request, 0 in any other. Undefined if nothing would find the
 * record again.
 */
export type Intended = readonly (Intent | undefined)[]

export interface WriteTracker {
  /** The tables in which a request may create something, as paths name them. */
  tables(operation: OperationId | undefined, request: WireRequest): string[]
  /** Notes what a request may create, before it is sent. */
  intend(operation: OperationId | undefined, request: WireRequest): Intended
  /**
   * What a response shows, and what its request created or deleted. What was created under an id that no response returned
   * is searched for later, and so is what a server error may have created.
   *
   * @throws BlockedError if it names as created a record that existed before the run
   */
  afterResponse(
    operation: OperationId | undefined,
    request: WireRequest,
    response: ApiResponse,
    intended: Intended,
  ): void
  /** No response came, and the server may have done it all the same. */
  unanswered(operation: OperationId | undefined, request: WireRequest): void
}

/** One record that a request creates. */
interface Creation {
  /** Its position among those of the request. */
  at: number
  table: string
  id: unknown
  marks: readonly string[]
  /** The id that the request gave it. */
  given?: unknown
  /** What signs in the account that it is. */
  secrets?: Partial<SignIn>
}

/** Characters of an id. */
const shortestOwnId = 12

/** @param sameAgain the actor of the requests, for the clean-up: it deletes where no superuser is known */
export function trackWrites(session: Wire & CleanUp & Course, sameAgain: () => Api): WriteTracker {
  const path = makePaths(session.target.binding)
  const operationOf = (operation: OperationId | undefined, { method, path: to }: WireRequest) => {
    const match = matchOperation(method, to, path.prefix)
    return {
      what: operation ?? match?.operation.id,
      table: match?.params.table ?? '',
      id: match?.params.id ?? '',
    }
  }

  /** Tables and bodies of the creates that a request stands for, by position. */
  function creates(
    operation: OperationId | undefined,
    request: WireRequest,
  ): { table: string; body: Body }[] {
    const { method, path: url, body } = request
    if (method === 'GET' || body === undefined) return []
    const entries =
      operation === 'batch' ? (batchEntries(body) ?? []) : [{ method, url, body: objectIn(body) }]
    return entries.map((entry) => {
      const match = matchEntry(entry, path.prefix)
      const table = match?.operation.id === 'createRecord' ? (match.params.table ?? '') : ''
      return { table, body: (entry?.body ?? {}) as Body }
    })
  }

  function tables(operation: OperationId | undefined, request: WireRequest): string[] {
    const { what, table } = operationOf(operation, request)
    if (what === 'createRecord' || what === 'authWithOAuth2') return [table]
    return [...new Set(creates(what, request).map((each) => each.table))].filter((each) => each !== '')
  }

  function intend(operation: OperationId | undefined, request: WireRequest): Intended {
    return creates(operation, request).map(({ table, body }) => {
      if (table === '') return undefined
      const intent = intentOf(table, body, session.scopes)
      return intent === undefined ? undefined : session.cleanup.intend(intent)
    })
  }

  function afterResponse(
    operation: OperationId | undefined,
    request: WireRequest,
    response: ApiResponse,
    intended: Intended,
  ): void {
    const { what, table, id } = operationOf(operation, request)
    if (response.ok && what === 'updateRecord') {
      const sent = objectIn(request.body)
      session.ownership.updated(table, id, sent)
      session.accounts.add(id, signInOf(sent))
      noteMoved({ table, id }, sent, response.body)
    }
    if (response.ok && (what === 'listRecords' || what === 'viewRecord')) {
      const records = what === 'viewRecord' ? [response.body] : itemsOf(response.body)
      session.ownership.saw(table, records)
      if (isOfGuest(request))
        for (const each of session.ownership.sawAsGuest(table, records))
          session.cleanup.noteSeenByGuest(each.table, each.id)
    }
    if (request.method === 'GET') return
    // The server may have done what it says that it could not do.
    if (response.status >= 500) {
      unanswered(operation, request, `its create returned ${response.status}`)
      return
    }
    // The redirect is not followed: the record may exist.
    if (response.status >= 300 && response.status < 400) return
    const created = response.ok ? creationsIn(operation, request, response) : []
    intended.forEach((intent, at) => {
      if (intent !== undefined && !created.some((each) => each.at === at)) session.cleanup.settle(intent)
    })
    const foreign = created.filter((each) => !enter(each, intended[each.at]))
    for (const each of foreign) expectNew(each, response)
  }

  /**
   * An update that returns another id has moved the record, or names one of another client. An id is a mark of the run only
   * if the update sent it. If no mark is left, no one can tell whose the record is.
   */
  function noteMoved({ table, id }: RecordPlace, sent: Body, body: unknown): void {
    const returned = isObject(body) ? body.id : undefined
    if (typeof returned !== 'string' || returned === '' || returned.toLowerCase() === id.toLowerCase()) return
    const marks = [...marksIn(body, session.scopes), ...(sent.id === returned ? givenId(sent) : [])]
    if (marks.length > 0) enter({ at: 0, table, id: returned, marks }, undefined)
    else session.ownership.leaveAlone(table, returned, `an update of ${id} returned this id`)
  }

  /** Whatever else it reads, a response to a create must not name a record that was there before. */
  function expectNew({ table, id }: Creation, { exchange }: ApiResponse): never {
    session.traffic.report({
      requirement: 'record.id-unique',
      message: `a create in ${table} returned a record that existed before the run`,
      expected: 'the id of a new record',
      received: String(id),
      exchange,
      during: session.check,
    })
    throw new BlockedError(
      `a create in ${table} returned the record ${id}, which existed before the run: it is left alone`,
    )
  }

  function creationsIn(
    operation: OperationId | undefined,
    request: WireRequest,
    response: ApiResponse,
  ): Creation[] {
    const { what, table, id } = operationOf(operation, request)
    if (what === 'batch') return batched(request.body, response.body)
    if (what === 'deleteRecord') struck(table, id)
    else if (what === 'createRecord') {
      const fields = objectIn(request.body)
      const secrets = session.actors.knows('superuser') ? {} : signInOf(fields)
      const marks = [...marksInBody(request.body, session.scopes), ...givenId(fields)]
      return [{ at: 0, table, id: createdId(response) ?? fields.id, marks, secrets, given: fields.id }]
    } else if (what === 'authWithPassword' || what === 'authRefresh') {
      const { token, record } = (response.body ?? {}) as { token?: unknown; record?: { id?: unknown } }
      if (typeof token === 'string' && typeof record?.id === 'string') {
        session.accounts.tokens.set(record.id, token)
        if (what === 'authWithPassword') session.accounts.add(record.id, signInWith(request))
      }
    } else if (what === 'authWithOAuth2') {
      const { record, meta } = (response.body ?? {}) as {
        record?: { id?: unknown }
        meta?: { isNew?: boolean }
      }
      // `isNew` is the profile's: an unknown record is treated as new as well.
      const { id } = record ?? {}
      if (meta?.isNew === true || session.ownership.isUnknown(table, id))
        return [{ at: 0, table, id, marks: [] }]
    }
    return []
  }

  function unanswered(
    operation: OperationId | undefined,
    request: WireRequest,
    reason = 'its create got no response: it may exist',
  ): void {
    const { what, table } = operationOf(operation, request)
    if (what === 'authWithOAuth2') session.cleanup.mayExist(table, reason)
    if (what !== 'createRecord' && what !== 'batch') return
    for (const [at, { table: its, body }] of creates(what, request).entries()) {
      if (its === '') continue
      const { id } = body
      if (typeof id === 'string' && id !== '')
        enter({ at, table: its, id, marks: [...marksIn(body, session.scopes), ...givenId(body)] }, undefined)
      // Only the table shows whether it exists: no search finds it.
      else if (intentOf(its, body, session.scopes) === undefined) session.cleanup.mayExist(its, reason)
    }
  }

  /**
   * An id that the run made up is a mark as well, where it is long enough that no other record has it by accident. One
   * that a response has shown was not made up.
   */
  function givenId({ id }: Body): string[] {
    const isOwn = typeof id === 'string' && id.length >= shortestOwnId && session.ownership.isOwnId(id)
    return isOwn ? [id.toLowerCase()] : []
  }

  /** A superuser sees at the end whether it is still listed. */
  function struck(table: string, id: string): void {
    if (session.actors.knows('superuser')) session.cleanup.markDeleted(table, id)
    else session.cleanup.verifyDeletedLater(table, id)
  }

  /** What signs in the account that a body creates or changes. */
  function signInOf(fields: Body): Partial<SignIn> {
    const password = fields[session.target.binding['signUp.password'] ?? 'password']
    const identity = fields.email ?? fields.username
    return {
      ...(typeof password === 'string' ? { password } : {}),
      ...(typeof identity === 'string' ? { identity } : {}),
    }
  }

  /** What a sign-in sent. */
  function signInWith({ body }: WireRequest): Partial<SignIn> {
    const { identity, password } = objectIn(body)
    return typeof identity === 'string' && typeof password === 'string' ? { identity, password } : {}
  }

  /** The sessions of an account: its last one, and new ones. Without a superuser only it may see and delete itself. */
  function ownSessions({ table, id }: RecordPlace): (() => Promise<Api>)[] {
    const guest = () => session.cleaner('guest')
    const withToken = (token: unknown) =>
      typeof token === 'string' && isHeaderValue(token) ? guest().withToken(token, 'user') : guest()
    return [
      async () => withToken(session.accounts.tokens.get(id)),
      async () => {
        for (const secrets of session.accounts.signInsOf(id)) {
          const { ok, body } = await guest().authWithPassword({ role: '', name: table }, { ...secrets })
          if (ok && isObject(body) && typeof body.token === 'string') return withToken(body.token)
        }
        return guest()
      },
    ]
  }

  /** @returns false where the record was there before the run */
  function enter(
    { table, id: named, marks, secrets = {}, given }: Creation,
    intent: Intent | undefined,
  ): boolean {
    if (table === '') return true
    // Whatever the response names, it may be there under the id that it was given.
    if (named !== given && givenId({ id: given }).length > 0) session.ownership.gave(table, String(given))
    const reason = typeof named === 'string' && named !== '' ? unusable(named) : ''
    if (typeof named !== 'string' || reason !== undefined) {
      // Where its text is known, it is searched for at the end.
      if (intent === undefined)
        session.cleanup.reportWithoutId(table, reason || 'the create response contained no id')
      return true
    }
    session.accounts.add(named, secrets)
    const isAccount = session.accounts.signInsOf(named).length > 0
    const clients = isAccount ? ownSessions({ table, id: named }) : [async () => sameAgain()]
    const claim: OwnershipClaim = { table, id: named, marks, viewers: clients }
    const claimed = session.ownership.claim(claim)
    if (claimed === 'foreign') return false
    session.cleanup.add({
      ...recordEntry(session, claim),
      // Named twice, it was made by the first create: what the second one made is searched for at the end.
      intent: claimed === 'new' || marks.includes(named.toLowerCase()) ? intent : undefined,
    })
    return true
  }

  /** The form of the response is the profile's: where it is another, every sub-request has succeeded like the batch. */
  function batched(body: string | Uint8Array | undefined, response: unknown): Creation[] {
    const entries = batchEntries(body) ?? []
    const responses: readonly unknown[] = Array.isArray(response) ? response : []
    return entries.flatMap((entry, at) => {
      const result = responses[at] as { status?: unknown; body?: unknown } | null | undefined
      if (Number(result?.status) >= 300) return []
      const match = matchEntry(entry, path.prefix)
      const { table = '', id = '' } = match?.params ?? {}
      const sent = (entry?.body ?? {}) as Body
      if (match?.operation.id === 'createRecord') {
        const reported = isObject(result?.body) ? result.body.id : undefined
        const marks = [...marksIn(sent, session.scopes), ...givenId(sent)]
        return [{ at, table, id: reported ?? sent.id, marks, given: sent.id }]
      }
      // If no response says that it was deleted, it is deleted again, and the response is then 404.
      if (match?.operation.id === 'deleteRecord' && result !== undefined) struck(table, id)
      return []
    })
  }

  return { tables, intend, afterResponse, unanswered }
}

function itemsOf(body: unknown): readonly unknown[] {
  return isObject(body) && Array.isArray(body.items) ? body.items : []
}

function objectIn(text: unknown): Record<string, unknown> {
  try {
    return typeof text === 'string' ? ((JSON.parse(text) ?? {}) as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Whether nothing in a request says who sends it. */
function isOfGuest({ headers }: WireRequest): boolean {
  return !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
