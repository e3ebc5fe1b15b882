/**
 * The books of what requests create and delete: told before a request is sent, and again when its answer is there or
 * did not come, so that the ledger can delete it all.
 *
 * @module
 */

import { matchOperation } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { createdId } from '../created-record.ts'
import { intentOf } from '../ledger/intent.ts'
import { removalOf } from '../ledger/removal.ts'
import type { Session } from '../session.ts'
import type { Api, Body, Reply } from '../vocabulary/api.ts'
import type { TableRef } from '../vocabulary/target.ts'
import { batchEntries, matchEntry } from './batch-entries.ts'
import { makePaths } from './paths.ts'

export interface SentRequest {
  method: string
  path: string
  body?: string | Uint8Array
}

/**
 * What a request may create, by position: that of a sub-request, 0 in any other. To be called once it is known what
 * came of it; undefined where nothing would find the record again.
 */
export type Intended = readonly ((() => void) | undefined)[]

export interface Books {
  /** Notes what a request may create before anybody can know. */
  intend(operation: OperationId | undefined, request: SentRequest): Intended
  /** What a successful request created or deleted. What was created under an id that nobody told is searched for later. */
  answered(operation: OperationId | undefined, request: SentRequest, reply: Reply, intended: Intended): void
  /** No answer came, and the server may have done it all the same. */
  unanswered(operation: OperationId | undefined, request: SentRequest): void
}

/** Something that a request created without an id for it to be known by. */
interface Unnamed {
  at: number
  table: string
}

/** @param sameAgain the actor who asks, for the clean-up: it deletes where no superuser is known */
export function keepBooks(session: Session, sameAgain: () => Api): Books {
  const path = makePaths(session.target.binding)

  function intend(operation: OperationId | undefined, { method, path: to, body }: SentRequest): Intended {
    if (method === 'GET' || body === undefined) return []
    const creates = operation === 'batch' ? batchEntries(body) : [{ method, url: to, body: objectIn(body) }]
    return creates.map((each) => {
      const match = matchEntry(each, path.prefix)
      const { table = '' } = match?.params ?? {}
      if (match?.operation.id !== 'createRecord' || table === '') return undefined
      const intent = intentOf(table, (each?.body ?? {}) as Body, session.scopes)
      return intent === undefined ? undefined : session.ledger.intend(intent)
    })
  }

  function answered(
    operation: OperationId | undefined,
    request: SentRequest,
    reply: Reply,
    intended: Intended,
  ): void {
    const unnamed = reply.ok && request.method !== 'GET' ? enter(operation, request, reply) : []
    for (const { at, table } of unnamed) if (intended[at] === undefined) session.ledger.nameless(table)
    intended.forEach((settle, at) => {
      if (!unnamed.some((each) => each.at === at)) settle?.()
    })
  }

  /** @returns what was created under an id that nobody told */
  function enter(operation: OperationId | undefined, request: SentRequest, reply: Reply): Unnamed[] {
    const match = matchOperation(request.method, request.path, path.prefix)
    const what = operation ?? match?.operation.id
    const { table = '', id = '' } = match?.params ?? {}
    if (what === 'batch') return batched(request.body, reply.body)
    if (what === 'deleteRecord') session.ledger.strike(table, id)
    else if (what === 'createRecord')
      return created(table, { id: createdId(reply) }, objectIn(request.body), secretsIn(request.body))
    else if (what === 'authWithPassword' || what === 'authRefresh') {
      const { token, record } = (reply.body ?? {}) as { token?: unknown; record?: { id?: unknown } }
      if (typeof token === 'string' && typeof record?.id === 'string')
        session.ledger.tokens.set(record.id, token)
    } else if (what === 'authWithOAuth2') {
      const { record, meta } = (reply.body ?? {}) as { record?: unknown; meta?: { isNew?: boolean } }
      if (meta?.isNew === true) return created(table, record, {})
    }
    return []
  }

  function unanswered(operation: OperationId | undefined, { method, path: to, body }: SentRequest): void {
    const match = matchOperation(method, to, path.prefix)
    const what = operation ?? match?.operation.id
    if (what === 'createRecord') doubtful(match?.params.table, objectIn(body))
    else if (what === 'authWithOAuth2') doubtful(match?.params.table)
    else if (what === 'batch')
      for (const entry of batchEntries(body)) {
        const target = matchEntry(entry, path.prefix)
        if (target?.operation.id === 'createRecord')
          doubtful(target.params.table, (entry?.body ?? {}) as Body)
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

  /** @param sent where the id is found that an answer does not show */
  function created(table: string, record: unknown, sent: Body, secrets?: Body, at = 0): Unnamed[] {
    const id = (record as { id?: unknown } | null | undefined)?.id ?? sent.id
    if (table === '') return []
    if (typeof id !== 'string' || id === '') return [{ at, table }]
    const remover = session.actors.knows('superuser') ? session.cleaner('superuser') : sameAgain()
    session.ledger.enter({
      table,
      id,
      remove: () =>
        session.recorder.silently(async () => {
          const ref = { role: '', name: table }
          const reply =
            secrets === undefined ? await remover.delete(ref, id) : await removeOwn(ref, id, secrets)
          return removalOf(session, remover, { table, id }, reply)
        }),
    })
    return []
  }

  /** The form of the answer is the profile's: where it is another, every sub-request has succeeded like the batch. */
  function batched(body: string | Uint8Array | undefined, reply: unknown): Unnamed[] {
    const entries = batchEntries(body)
    const answers: readonly unknown[] = Array.isArray(reply) ? reply : []
    if (entries.length === 0 && answers.length > 0) return [{ at: 0, table: 'batch' }]
    return entries.flatMap((entry, at) => {
      const answer = answers[at] as { status?: unknown; body?: unknown } | null | undefined
      if (Number(answer?.status) >= 300) return []
      const match = matchEntry(entry, path.prefix)
      const { table = '', id = '' } = match?.params ?? {}
      if (match?.operation.id === 'createRecord')
        return created(table, answer?.body, (entry?.body ?? {}) as Body, undefined, at)
      // Where nobody said that it is gone it is deleted again, and missing then.
      if (match?.operation.id === 'deleteRecord' && answer !== undefined) session.ledger.strike(table, id)
      return []
    })
  }

  return { intend, answered, unanswered }
}

function objectIn(text: unknown): Record<string, unknown> {
  try {
    return typeof text === 'string' ? ((JSON.parse(text) ?? {}) as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
