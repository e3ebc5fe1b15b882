/**
 * Keeps the clean-up registry: called for each request before it is sent, and again after its response, or without one.
 * That a response names a record as created is only a claim: `harness/ownership` proves it before anything is deleted.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { accountSessions } from '../cleanup/account-sessions.ts'
import { intentOf } from '../cleanup/intent.ts'
import type { Intent } from '../cleanup/journal.ts'
import { recordEntry } from '../cleanup/record-entry.ts'
import type { RecordPlace } from '../cleanup/remove-as.ts'
import { BlockedError } from '../judging/expect.ts'
import type { OwnershipClaim } from '../ownership/holds-proof.ts'
import { marksIn } from '../ownership/marks.ts'
import { unusable } from '../ownership/unusable.ts'
import type { Api, ApiResponse, Body } from '../vocabulary/api.ts'
import type { CleanUp, Course, TargetFacts } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { isSafeMethod } from './is-safe-method.ts'
import { makePaths } from './paths.ts'
import { requestedCreates, requestedOperation, sentObject } from './requested-creates.ts'
import type { WireRequest } from './transport.ts'
import { type Creation, type RecordUpdate, signInOf, writeEffects } from './write-effects.ts'

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
  /** No response came, but the server may have executed the request. */
  withoutResponse(operation: OperationId | undefined, request: WireRequest): void
}

/** Minimum length of an id that counts as a mark. */
const shortestIdMark = 12

type Writing = Wire & CleanUp & Course & Pick<TargetFacts, 'standIns'>

/** @param sameAgain the actor of the requests, for the clean-up: it deletes where no superuser is known */
export function trackWrites(session: Writing, sameAgain: () => Api): WriteTracker {
  const { prefix } = makePaths(session.target.binding)

  function tables(operation: OperationId | undefined, request: WireRequest): string[] {
    const { what, table } = requestedOperation(operation, request, prefix)
    if (what === 'createRecord' || what === 'authWithOAuth2') return [table]
    const creates = requestedCreates(what, request, prefix)
    return [...new Set(creates.map((each) => each.table))].filter((each) => each !== '')
  }

  /** Whether an account is sent for a guest: it sees what a guest of an open table would see. */
  function isStandIn(table: string, { headers }: WireRequest): boolean {
    const token = session.standIns.get(table)
    return token !== undefined && headers?.authorization === token
  }

  function intend(operation: OperationId | undefined, request: WireRequest): Intended {
    return requestedCreates(operation, request, prefix).map(({ table, body }) => {
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
    const requested = requestedOperation(operation, request, prefix)
    const { what, table, id } = requested
    if (response.ok && what === 'updateRecord')
      noteMoved({ table, id }, sentObject(request.body), response.body)
    if (response.ok && (what === 'listRecords' || what === 'viewRecord')) {
      const records = what === 'viewRecord' ? [response.body] : itemsOf(response.body)
      session.ownership.saw(table, records)
      // Of a later run, another account stands in for guests: it may not see the same.
      if (isStandIn(table, request)) session.ownership.sawAsGuest(table, records)
      if (isOfGuest(request))
        for (const each of session.ownership.sawAsGuest(table, records))
          session.cleanup.noteSeenByGuest(each.table, each.id)
    }
    if (isSafeMethod(request.method)) return
    // The server may have done what it says that it could not do.
    if (response.status >= 500) {
      withoutResponse(operation, request, `its create returned ${response.status}`)
      return
    }
    // The redirect is not followed: the record may exist.
    if (response.status >= 300 && response.status < 400 && !response.ok) {
      noteSignIns(what, request)
      return
    }
    const created = response.ok ? noteEffects() : []
    intended.forEach((intent, at) => {
      if (intent !== undefined && !created.some((each) => each.at === at)) session.cleanup.settle(intent)
    })
    const foreign = created.filter((each) => !add(each, intended[each.at]))
    for (const each of foreign) expectNew(each, response)

    /** @returns what was created, still to be added */
    function noteEffects(): Creation[] {
      const { binding } = session.target
      const effects = writeEffects(requested, request, response, { prefix, binding, scopes: session.scopes })
      const { updated, deleted, signedIn } = effects
      for (const each of updated) noteUpdate(each)
      for (const each of deleted) noteDeleted(each)
      if (signedIn !== undefined) {
        session.accounts.tokens.set(signedIn.id, signedIn.token)
        session.accounts.add(signedIn.id, signedIn.secrets ?? {})
      }
      return effects.created
        .filter((each) => each.onlyIfUnknown !== true || session.ownership.isUnknown(each.table, each.id))
        .map((each) => ({ ...each, marks: [...each.marks, ...idMarks(each.given)] }))
    }
  }

  function noteUpdate({ table, id, sent }: RecordUpdate): void {
    session.ownership.updated(table, id, sent)
    session.accounts.add(id, signInOf(sent, session.target.binding))
  }

  /**
   * An update that returns another id has moved the record, or names one of another client. An id is a mark of the run only
   * if the update sent it. If no mark is left, no one can tell whose the record is.
   */
  function noteMoved({ table, id }: RecordPlace, sent: Body, body: unknown): void {
    const returned = isObject(body) ? body.id : undefined
    if (typeof returned !== 'string' || returned === '' || returned.toLowerCase() === id.toLowerCase()) return
    const marks = [...marksIn(body, session.scopes), ...(sent.id === returned ? idMarks(returned) : [])]
    if (marks.length > 0) add({ at: 0, table, id: returned, marks }, undefined)
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

  function withoutResponse(
    operation: OperationId | undefined,
    request: WireRequest,
    reason = 'its create got no response: it may exist',
  ): void {
    const { what, table } = requestedOperation(operation, request, prefix)
    if (what === 'authWithOAuth2') session.cleanup.leftovers.mayExist(table, reason)
    if (what !== 'createRecord' && what !== 'batch') return
    noteSignIns(what, request)
    for (const [at, { table: its, body }] of requestedCreates(what, request, prefix).entries()) {
      if (its === '') continue
      const { id } = body
      if (typeof id === 'string' && id !== '')
        add({ at, table: its, id, marks: [...marksIn(body, session.scopes), ...idMarks(id)] }, undefined)
      // Only the table shows whether it exists: no search finds it.
      else if (intentOf(its, body, session.scopes) === undefined)
        session.cleanup.leftovers.mayExist(its, reason)
    }
  }

  /** If it has made an account, perhaps only the account itself may delete it. */
  function noteSignIns(what: OperationId | undefined, request: WireRequest): void {
    for (const { table, body } of requestedCreates(what, request, prefix))
      if (table !== '') session.accounts.addWithoutId(signInOf(body, session.target.binding))
  }

  /**
   * The mark in an id that the run gave a record: the id itself, if it is long enough that no other record has it by
   * accident, and if no response has shown it before.
   */
  function idMarks(id: unknown): string[] {
    const isMark =
      typeof id === 'string' && id.length >= shortestIdMark && session.ownership.isGeneratedId(id)
    return isMark ? [id.toLowerCase()] : []
  }

  /** A superuser sees at the end whether it is still listed. */
  function noteDeleted({ table, id }: RecordPlace): void {
    session.accounts.deleted.add(id)
    if (session.actors.knows('superuser')) session.cleanup.markDeleted(table, id)
    else session.cleanup.verifyDeletedLater(table, id)
  }

  /** @returns false where the record was there before the run */
  function add(
    { table, id: named, marks, secrets = {}, given }: Creation,
    intent: Intent | undefined,
  ): boolean {
    if (table === '') return true
    // Whatever the response names, it may be there under the id that it was given.
    if (named !== given && idMarks(given).length > 0) session.ownership.gave(table, String(given))
    const reason = typeof named === 'string' && named !== '' ? unusable(named) : ''
    if (typeof named !== 'string' || reason !== undefined) {
      session.accounts.addWithoutId(secrets)
      // Where its text is known, it is searched for at the end.
      if (intent === undefined)
        session.cleanup.leftovers.mayExist(table, reason || 'the create response contained no id')
      return true
    }
    if (!session.actors.knows('superuser')) session.accounts.add(named, secrets)
    const isAccount = session.accounts.signInsOf(named).length > 0
    const viewers = isAccount ? accountSessions(session, { table, id: named }) : [async () => sameAgain()]
    const claim: OwnershipClaim = { table, id: named, marks, viewers }
    const claimed = session.ownership.claim(claim)
    if (claimed === 'foreign') return false
    session.cleanup.add({
      ...recordEntry(session, claim),
      // Named twice, it was made by the first create: what the second one made is searched for at the end.
      intent: claimed === 'new' || marks.includes(named.toLowerCase()) ? intent : undefined,
    })
    return true
  }

  return { tables, intend, afterResponse, withoutResponse }
}

function itemsOf(body: unknown): readonly unknown[] {
  return isObject(body) && Array.isArray(body.items) ? body.items : []
}

/** Whether nothing in a request says who sends it. */
function isOfGuest({ headers }: WireRequest): boolean {
  return !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
