/**
 * Finds the record of a create for any response: the body and status of the response are unspecified (document, section
 * 4.1).
 *
 * @module
 */

import { isObject, jsonObject, objectsOf } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { holdsMark, marksIn } from '../ownership/marks.ts'
import { idOf } from '../ownership/prior-records.ts'
import { toTheirs } from '../target/mapped-table.ts'
import type { Api, ApiResponse, Body, WireRecord } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { addFound } from './add-found.ts'
import { findIntended } from './find-intended.ts'
import { intentOf } from './intent.ts'
import { locatedId } from './located-id.ts'

/** The id in the response to a create: in the body, in the only object inside it, or in Location. */
export function createdId({ body, headers, exchange }: ApiResponse): string | undefined {
  return namedId(body) ?? locatedId(headers.location, exchange.request.url)
}

/** The id in the result of a create: of the object that it is, or of the only one inside it. */
export function namedId(body: unknown): string | undefined {
  const named = objectsOf(body).find(({ id }) => typeof id === 'string' && id !== '')
  return named?.id as string | undefined
}

/**
 * The record of a create whose response contains no id: the only record with a text that only this run writes, and that
 * no earlier create made. Undefined if the body has no such text, or the table shows none, or several.
 *
 * @param body what was sent, with our names: the recorded request lacks secrets and fields with such names
 */
async function searchedRecord(
  session: Wire & CleanUp,
  api: Api,
  table: TableRef,
  response: ApiResponse,
  body: Body = {},
): Promise<WireRecord | undefined> {
  const sent = { ...sentIn(response), ...toTheirs(table, body) }
  const intent = intentOf(table.name, sent, session.scopes)
  if (intent === undefined) return undefined
  const found = await findIntended(session, api, intent)
  const ids = 'ids' in found ? found.ids : []
  const [id, another] = ids.filter((each) => !session.ownership.isKnown(table.name, each))
  if (id === undefined || another !== undefined) return undefined
  const record = (await viewedOf(api, table, id)) ?? { id }
  addFound(session, intent, record, marksIn(sent, session.scopes))
  return record
}

/**
 * The account of a create whose response contains no id, as a sign-in shows it: lists may hide the address of each account.
 * Undefined if no sign-in shows one, or only one that an earlier create made.
 *
 * @param signedIn the response to a sign-in with what was created. @default that of a guest
 */
export async function signedInRecord(
  session: Wire & CleanUp,
  table: TableRef,
  response: ApiResponse,
  signedIn?: ApiResponse,
): Promise<WireRecord | undefined> {
  const { accounts, cleanup, ownership, scopes } = session
  const sent = sentIn(response)
  const intent = intentOf(table.name, sent, scopes)
  const named = createdId(response)
  const signIn =
    intent &&
    (accounts.signInWithoutId(intent.value) ??
      (named === undefined ? undefined : accounts.signInsOf(named)[0]))
  if (intent === undefined || signIn === undefined) return undefined
  // Without a create that is still open, its account is known. One that named an id is not.
  if (named === undefined && cleanup.pendingLike(intent) === undefined) return undefined
  // Some tables take only a username.
  const username = sent[table.fields?.username ?? 'username']
  const identities = [signIn.identity, ...(typeof username === 'string' ? [username] : [])]
  for (const identity of identities) {
    const { ok, body } =
      signedIn ??
      (await session.recorder.silently(() =>
        session.cleaner('guest').authWithPassword(table, { ...signIn, identity }),
      ))
    const record = ok && isObject(body) && isObject(body.record) ? body.record : undefined
    const id = idOf(record)
    if (id === undefined || ownership.isKnown(table.name, id)) continue
    addFound(session, intent, record as WireRecord, marksIn(sent, scopes))
    return record as WireRecord
  }
  return undefined
}

/**
 * The record of a create: from the response or, if that is not the complete record, from a view, a search or a sign-in. An id
 * that a response names without the record may be the id of something else, of a receipt for example: it counts if a view
 * shows what was sent, or if nothing else does.
 */
export async function recordOfCreate(
  session: Wire & CleanUp,
  api: Api,
  table: TableRef,
  response: ApiResponse,
  body?: Body,
): Promise<WireRecord | undefined> {
  const id = createdId(response)
  const responded = isObject(response.body) ? response.body : {}
  const sent = Object.keys(sentIn(response))
  const shows = sent.length === 0 || sent.some((field) => field in toTheirs(table, responded))
  if (id !== undefined && shows && commonFields.every((field) => field in responded))
    return responded as WireRecord
  const viewed = id === undefined ? undefined : await viewedOf(api, table, id)
  if (id !== undefined && shows) return viewed ?? { ...responded, id }
  if (viewed !== undefined && isOfCreate(session, response, viewed)) return viewed
  if (id !== undefined) session.accounts.mistook(id)
  const found =
    (await searchedRecord(session, api, table, response, body)) ??
    (await signedInRecord(session, table, response))
  // No record has the id that the response names: it need not be deleted.
  if (id !== undefined && found !== undefined && found.id !== id) session.cleanup.markDeleted(table.name, id)
  return found ?? viewed ?? (id === undefined ? undefined : { ...responded, id })
}

/** Whether a record contains a mark that its create sent; true if it sent none. */
function isOfCreate({ scopes }: CleanUp, response: ApiResponse, record: WireRecord): boolean {
  const marks = marksIn(sentIn(response), scopes)
  return marks.length === 0 || holdsMark(record, marks)
}

/** The fields of a create, with the target's names; none for a form. */
function sentIn({ exchange }: ApiResponse): Body {
  return jsonObject(exchange.request.body) ?? {}
}

async function viewedOf(api: Api, table: TableRef, id: string): Promise<WireRecord | undefined> {
  const { ok, body } = await api.view(table, id)
  return ok && isObject(body) && body.id !== undefined ? (body as WireRecord) : undefined
}
