/**
 * What a request has written, according to its response: records that it created, updated or deleted, and accounts that
 * it signed in. Pure: whose the records are is decided later.
 *
 * @module
 */

import { batchEntries, matchEntry } from '../../exchange/batch-entries.ts'
import { isObject } from '../../exchange/json-object.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import type { SignIn } from '../cleanup/account-credentials.ts'
import { createdId, namedId } from '../cleanup/record-of-create.ts'
import type { RecordPlace } from '../cleanup/remove-as.ts'
import { marksIn, marksInBody } from '../ownership/marks.ts'
import type { ApiResponse, Body } from '../vocabulary/api.ts'
import { type RequestedOperation, sentObject } from './requested-creates.ts'
import type { WireRequest } from './transport.ts'

/** One record that a request created. */
export interface Creation {
  /** Its position in the request. */
  at: number
  table: string
  /** As the response names it. */
  id: unknown
  /** Marks of the run in the strings that were sent. */
  marks: readonly string[]
  /** The id that the request gave it: also the `id`, where the response names none. */
  given?: unknown
  /** The response names no id. @default false */
  assumed?: boolean
  /** What signs in the account that it is. */
  secrets?: Partial<SignIn>
  /** The response does not say that it is new: it is if the run does not know it. @default false */
  onlyIfUnknown?: boolean
}

/** One record that a request updated. */
export interface RecordUpdate extends RecordPlace {
  sent: Body
}

/** One record that a request deleted. */
export interface Deletion extends RecordPlace {
  /** Its position in the request. */
  at: number
}

/** An account that has signed in. */
export interface SignedInAccount {
  id: string
  token: string
  /** What it sent; absent if it was a token. */
  secrets?: Partial<SignIn>
}

export interface WriteEffects {
  created: Creation[]
  updated: RecordUpdate[]
  deleted: Deletion[]
  signedIn?: SignedInAccount
}

/** What the reading of an exchange needs to know about the run. */
interface RunFacts {
  prefix: string
  binding: Binding
  /** Scopes of the checks of this run. */
  scopes: ReadonlySet<string>
}

const nothing: WriteEffects = { created: [], updated: [], deleted: [] }

/** @param response a success */
export function writeEffects(
  { what, table, id }: RequestedOperation,
  request: WireRequest,
  response: ApiResponse,
  run: RunFacts,
): WriteEffects {
  if (what === 'batch') return batchEffects(request.body, response.body, run)
  if (what === 'deleteRecord') return { ...nothing, deleted: [{ at: 0, table, id }] }
  if (what === 'updateRecord') return { ...nothing, updated: [{ table, id, sent: sentObject(request.body) }] }
  if (what === 'createRecord') {
    const sent = sentObject(request.body)
    const marks = marksInBody(request.body, run.scopes)
    const secrets = signInOf(sent, run.binding)
    return {
      ...nothing,
      created: [{ at: 0, table, ...idsOf(createdId(response), sent), marks, secrets }],
    }
  }
  if (what === 'authWithPassword' || what === 'authRefresh') {
    const { token, record } = (response.body ?? {}) as { token?: unknown; record?: { id?: unknown } }
    if (typeof token !== 'string' || typeof record?.id !== 'string') return nothing
    const secrets = what === 'authWithPassword' ? { secrets: signInWith(request) } : {}
    return { ...nothing, signedIn: { id: record.id, token, ...secrets } }
  }
  if (what === 'authWithOAuth2') {
    const { record, meta } = (response.body ?? {}) as {
      record?: { id?: unknown }
      meta?: { isNew?: boolean }
    }
    // `isNew` is the profile's: an unknown record is treated as new as well.
    const onlyIfUnknown = meta?.isNew !== true
    return { ...nothing, created: [{ at: 0, table, id: record?.id, marks: [], onlyIfUnknown }] }
  }
  return nothing
}

/**
 * The body of the response is left open (4.1). Results are read where one list in it has one for each sub-request; where
 * there is none, every sub-request has succeeded like the batch.
 */
function batchEffects(
  body: WireRequest['body'],
  response: unknown,
  { prefix, binding, scopes }: RunFacts,
): WriteEffects {
  const effects: WriteEffects = { created: [], updated: [], deleted: [] }
  const entries = batchEntries(body) ?? []
  const results = resultsIn(response, entries.length)
  for (const [at, entry] of entries.entries()) {
    const result = results[at]
    if (isObject(result) && Number(result.status) >= 300) continue
    const match = matchEntry(entry, prefix)
    const { table = '', id = '' } = match?.params ?? {}
    const sent = (entry?.body ?? {}) as Body
    if (match?.operation.id === 'createRecord') {
      const marks = marksIn(sent, scopes)
      const secrets = signInOf(sent, binding)
      const reported = namedId(isObject(result) && isObject(result.body) ? result.body : result)
      effects.created.push({ at, table, ...idsOf(reported, sent), marks, secrets })
    }
    if (match?.operation.id === 'updateRecord') effects.updated.push({ table, id, sent })
    // If no response says that it was deleted, it is deleted again, and the response is then 404.
    if (match?.operation.id === 'deleteRecord' && result !== undefined)
      effects.deleted.push({ at, table, id })
  }
  return effects
}

function idsOf(reported: string | undefined, sent: Body): Pick<Creation, 'id' | 'given' | 'assumed'> {
  return { id: reported ?? sent.id, given: sent.id, assumed: reported === undefined }
}

/** The list with this many members: the response itself, or the only such list in it. */
function resultsIn(response: unknown, count: number): readonly unknown[] {
  if (Array.isArray(response)) return response
  const lists = isObject(response) ? Object.values(response).filter(Array.isArray) : []
  const [list, other] = lists.filter(({ length }) => length === count)
  return list !== undefined && other === undefined ? list : []
}

/** What signs in the account that a body creates or changes. */
export function signInOf(sent: Body, binding: Binding): Partial<SignIn> {
  const password = sent[binding['signUp.password'] ?? 'password']
  const identity = sent.email ?? sent.username
  return {
    ...(typeof password === 'string' ? { password } : {}),
    ...(typeof identity === 'string' ? { identity } : {}),
  }
}

/** What a sign-in sent. */
function signInWith({ body }: WireRequest): Partial<SignIn> {
  const { identity, password } = sentObject(body)
  return typeof identity === 'string' && typeof password === 'string' ? { identity, password } : {}
}
