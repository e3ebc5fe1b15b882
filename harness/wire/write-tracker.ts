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
import {
  type RequestedOperation,
  requestedCreates,
  requestedOperation,
  sentObject,
} from './requested-creates.ts'
import { standInAt } from './stand-in.ts'
import type { WireRequest } from './transport.ts'
import {
  type Creation,
  type RecordUpdate,
  signInOf,
  type WriteEffects,
  writeEffects,
} from './write-effects.ts'

/**
 * What a request may create, by position: that of a sub-request, 0 in any other. Undefined if nothing would find the
 * record again.
 */
export type Intended = readonly (Intent | undefined)[]

/** Minimum length of an id that counts as a mark. */
const shortestIdMark = 12

type Writing = Wire & CleanUp & Course & Pick<TargetFacts, 'standIns' | 'identifiers'>

/** Tracks what the requests of one actor have written. */
export class WriteTracker {
  readonly #session: Writing
  readonly #sameAgain: () => Api
  readonly #prefix: string

  /** @param sameAgain the actor of the requests, for the clean-up: it deletes where no superuser is known */
  constructor(session: Writing, sameAgain: () => Api) {
    this.#session = session
    this.#sameAgain = sameAgain
    this.#prefix = makePaths(session.target.binding).prefix
  }

  /** The tables in which a request may create something, as paths name them. */
  tables(operation: OperationId | undefined, request: WireRequest): string[] {
    const { what, table } = requestedOperation(operation, request, this.#prefix)
    if (what === 'createRecord' || what === 'authWithOAuth2') return [table]
    const creates = requestedCreates(what, request, this.#prefix)
    return [...new Set(creates.map((each) => each.table))].filter((each) => each !== '')
  }

  /** Notes what a request may create, before it is sent. */
  intend(operation: OperationId | undefined, request: WireRequest): Intended {
    const { scopes, cleanup } = this.#session
    return requestedCreates(operation, request, this.#prefix).map(({ table, body }) => {
      if (table === '') return undefined
      const intent = intentOf(table, body, scopes)
      return intent === undefined ? undefined : cleanup.intend(intent)
    })
  }

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
  ): void {
    const requested = requestedOperation(operation, request, this.#prefix)
    const { what, table, id } = requested
    if (response.ok && what === 'updateRecord')
      this.#noteMoved({ table, id }, sentObject(request.body), response.body)
    if (response.ok && what === 'listRecords') this.#noteShown(table, itemsOf(response.body), request)
    if (response.ok && what === 'viewRecord') this.#noteShown(table, [response.body], request)
    if (isSafeMethod(request.method)) return
    // The server may have done what it says that it could not do.
    if (response.status >= 500) {
      this.withoutResponse(operation, request, `its create returned ${response.status}`)
      return
    }
    // The redirect is not followed: the record may exist.
    if (response.status >= 300 && response.status < 400 && !response.ok) {
      this.#noteSignIns(what, request)
      return
    }
    const { created, deleted } = response.ok
      ? this.#noteEffects(requested, request, response)
      : { created: [], deleted: [] }
    intended.forEach((intent, at) => {
      if (intent !== undefined && !created.some((each) => each.at === at))
        this.#session.cleanup.settle(intent)
    })
    const foreign = created.filter((each) => !this.#add(each, intended[each.at]))
    // A batch may delete what it has created.
    for (const each of deleted)
      if (created.some(({ at, id }) => id === each.id && at < each.at)) this.#noteDeleted(each)
    for (const each of foreign) this.#expectNew(each, response)
  }

  /** No response came, but the server may have executed the request. */
  withoutResponse(
    operation: OperationId | undefined,
    request: WireRequest,
    reason = 'its create got no response: it may exist',
  ): void {
    const { cleanup, scopes } = this.#session
    const { what, table } = requestedOperation(operation, request, this.#prefix)
    if (what === 'authWithOAuth2') cleanup.leftovers.mayExist(table, reason)
    if (what !== 'createRecord' && what !== 'batch') return
    this.#noteSignIns(what, request)
    for (const [at, { table: its, body }] of requestedCreates(what, request, this.#prefix).entries()) {
      if (its === '') continue
      const { id } = body
      if (typeof id === 'string' && id !== '')
        this.#add({ at, table: its, id, marks: [...marksIn(body, scopes), ...this.#idMarks(id)] }, undefined)
      // Only the table shows whether it exists: no search finds it.
      else if (intentOf(its, body, scopes) === undefined) cleanup.leftovers.mayExist(its, reason)
    }
  }

  /** Records that a list or a view shows. */
  #noteShown(table: string, records: readonly unknown[], request: WireRequest): void {
    const { ownership, cleanup } = this.#session
    ownership.saw(table, records)
    // Of a later run, another account stands in for guests: it may not see the same.
    if (this.#isStandIn(table, request)) ownership.sawAsGuest(table, records)
    if (isOfGuest(request))
      for (const each of ownership.sawAsGuest(table, records)) cleanup.noteSeenByGuest(each.table, each.id)
  }

  /** Whether an account is sent for a guest: it sees what a guest of an open table would see. */
  #isStandIn(table: string, { headers }: WireRequest): boolean {
    const token = standInAt(this.#session, table)
    return token !== undefined && headers?.authorization === token
  }

  /**
   * Notes what a successful request updated and deleted, and who signed in.
   *
   * @returns what was created, still to be added, and what was deleted
   */
  #noteEffects(
    requested: RequestedOperation,
    request: WireRequest,
    response: ApiResponse,
  ): Pick<WriteEffects, 'created' | 'deleted'> {
    const { accounts, ownership, scopes, target, usernames } = this.#session
    const run = { prefix: this.#prefix, binding: target.binding, scopes }
    const { created, updated, deleted, signedIn } = writeEffects(requested, request, response, run)
    for (const each of updated) this.#noteUpdate(each)
    for (const each of deleted) this.#noteDeleted(each)
    this.#noteFlow(requested, request)
    if (signedIn !== undefined) {
      accounts.tokens.set(signedIn.id, signedIn.token)
      const { secrets = {} } = signedIn
      // Accounts are known by their addresses: most creates send nothing else.
      const name = ownership.mapped(requested.table)?.name ?? requested.table
      const address = usernames.addressOf(name, secrets.identity ?? '')
      accounts.add(signedIn.id, address === undefined ? secrets : { ...secrets, identity: address })
    }
    const added = created
      .filter((each) => each.onlyIfUnknown !== true || ownership.isUnknown(each.table, each.id))
      .map((each) => ({ ...each, marks: [...each.marks, ...this.#idMarks(each.given)] }))
    return { created: added, deleted }
  }

  /** What an email flow may have changed of what signs an account in. */
  #noteFlow({ what }: RequestedOperation, { body, headers }: WireRequest): void {
    if (what !== 'confirmPasswordReset' && what !== 'requestEmailChange') return
    const { accounts, target } = this.#session
    const sent = sentObject(body)
    const sentAs = (key: string, usual: string) => sent[target.binding[key] ?? usual]
    if (what === 'confirmPasswordReset') {
      const password = sentAs('passwordReset.password', 'password')
      if (typeof password === 'string') accounts.reset(password)
    } else {
      const [address, token] = [sentAs('emailChange.newEmail', 'newEmail'), headers?.authorization]
      if (typeof address === 'string' && token !== undefined) accounts.asked(token, address)
    }
  }

  #noteUpdate({ table, id, sent }: RecordUpdate): void {
    const { ownership, accounts, target } = this.#session
    ownership.updated(table, id, sent)
    accounts.add(id, signInOf(sent, target.binding))
  }

  /**
   * An update that returns another id has moved the record, or names one of another client. An id is a mark of the run only
   * if the update sent it. If no mark is left, no one can tell whose the record is.
   */
  #noteMoved({ table, id }: RecordPlace, sent: Body, body: unknown): void {
    const { ownership, scopes } = this.#session
    const returned = isObject(body) ? body.id : undefined
    if (typeof returned !== 'string' || returned === '' || returned.toLowerCase() === id.toLowerCase()) return
    const marks = [...marksIn(body, scopes), ...(sent.id === returned ? this.#idMarks(returned) : [])]
    if (marks.length > 0) this.#add({ at: 0, table, id: returned, marks }, undefined)
    else ownership.leaveAlone(table, returned, `an update of ${id} returned this id`)
  }

  /** A superuser sees at the end whether it is still listed. */
  #noteDeleted({ table, id }: RecordPlace): void {
    const { accounts, actors, cleanup } = this.#session
    accounts.deleted.add(id)
    if (actors.knows('superuser')) cleanup.markDeleted(table, id)
    else cleanup.verifyDeletedLater(table, id)
  }

  /** If it has made an account, perhaps only the account itself may delete it. */
  #noteSignIns(what: OperationId | undefined, request: WireRequest): void {
    const { accounts, target } = this.#session
    for (const { table, body } of requestedCreates(what, request, this.#prefix))
      if (table !== '') accounts.addWithoutId(signInOf(body, target.binding))
  }

  /**
   * The mark in an id that the run gave a record: the id itself, if it is long enough that no other record has it by
   * accident, and if no response has shown it before.
   */
  #idMarks(id: unknown): string[] {
    const isMark =
      typeof id === 'string' && id.length >= shortestIdMark && this.#session.ownership.isGeneratedId(id)
    return isMark ? [id.toLowerCase()] : []
  }

  /**
   * Adds a created record to the clean-up.
   *
   * @returns false where the record was there before the run
   */
  #add(creation: Creation, intent: Intent | undefined): boolean {
    const { ownership, accounts, cleanup, actors } = this.#session
    const { table, id: named, marks, secrets = {}, given } = creation
    // Without a text, nothing but the id finds it.
    const assumed = creation.assumed === true && intent !== undefined
    if (table === '') return true
    // Whatever the response names, it may be there under the id that it was given.
    if (named !== given && this.#idMarks(given).length > 0) ownership.gave(table, String(given))
    const reason = typeof named === 'string' && named !== '' ? unusable(named) : ''
    if (typeof named !== 'string' || reason !== undefined) {
      accounts.addWithoutId(secrets)
      // Where its text is known, it is searched for at the end.
      if (intent === undefined)
        cleanup.leftovers.mayExist(table, reason || 'the create response contained no id')
      return true
    }
    if (!actors.knows('superuser')) accounts.add(named, secrets)
    // Even with a superuser: the account deletes itself where the superuser is rejected.
    const isAccount = accounts.signInsOf(named).length > 0 || secrets.password !== undefined
    const viewers = isAccount
      ? accountSessions(this.#session, { table, id: named })
      : [async () => this.#sameAgain()]
    const claim: OwnershipClaim = { table, id: named, marks, viewers, assumed }
    const claimed = ownership.claim(claim)
    if (claimed === 'foreign') return false
    cleanup.add({
      ...recordEntry(this.#session, claim),
      assumed,
      // Named twice, it was made by the first create: what the second one made is searched for at the end.
      intent: claimed === 'new' || marks.includes(named.toLowerCase()) ? intent : undefined,
    })
    return true
  }

  /** Whatever else it reads, a response to a create must not name a record that was there before. */
  #expectNew({ table, id }: Creation, { exchange }: ApiResponse): never {
    this.#session.traffic.report({
      requirement: 'record.id-unique',
      message: `a create in ${table} returned a record that existed before the run`,
      expected: 'the id of a new record',
      received: String(id),
      exchange,
      during: this.#session.check,
    })
    throw new BlockedError(
      `a create in ${table} returned the record ${id}, which existed before the run: it is left alone`,
    )
  }
}

function itemsOf(body: unknown): readonly unknown[] {
  return isObject(body) && Array.isArray(body.items) ? body.items : []
}

/** Whether nothing in a request says who sends it. */
function isOfGuest({ headers }: WireRequest): boolean {
  return !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
