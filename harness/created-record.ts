/**
 * What a create made, whatever it answered: body and status of such an answer are left open (document, section 4.1).
 *
 * @module
 */

import { isObject, objectsOf } from '../exchange/json-object.ts'
import { commonFields } from '../spec/common-fields.ts'
import { enterFound } from './cleanup/enter-found.ts'
import { findIntended } from './cleanup/find-intended.ts'
import { intentOf } from './cleanup/intent.ts'
import { marksIn } from './ownership/marks.ts'
import { toTheirs } from './target/mapped-fields.ts'
import type { Api, Body, Reply, WireRecord } from './vocabulary/api.ts'
import type { Session } from './vocabulary/session.ts'
import type { TableRef } from './vocabulary/target.ts'

/** The id that the answer to a create names: in the body, in the one object that it holds, or at the end of Location. */
export function createdId({ body, headers }: Pick<Reply, 'body' | 'headers'>): string | undefined {
  const named = objectsOf(body).find(({ id }) => typeof id === 'string' && id !== '')
  return (named?.id as string | undefined) ?? lastPart(headers.location)
}

/**
 * The record that a create made: as it was answered or, where that is not the whole record, as a view shows it.
 * Undefined where the answer names no id.
 */
export async function createdRecord(
  api: Api,
  table: TableRef,
  reply: Reply,
): Promise<WireRecord | undefined> {
  const id = createdId(reply)
  if (id === undefined) return undefined
  const answered = isObject(reply.body) ? reply.body : {}
  const sent = Object.keys(sentIn(reply))
  const whole = sent.length === 0 || sent.some((field) => field in toTheirs(table, answered))
  if (whole && commonFields.every((field) => field in answered)) return answered as WireRecord
  return viewedOr(api, table, { ...answered, id })
}

/**
 * The record that a create made whose answer names nothing: the one record with the text that only this run has
 * written, and that no create before it made. Undefined where the body has no such text, or the table shows none, or
 * several.
 *
 * @param body what was sent, by our names: what the reply remembers of it holds no secrets, nor fields that are called so
 */
export async function searchedRecord(
  session: Session,
  api: Api,
  table: TableRef,
  reply: Reply,
  body: Body = {},
): Promise<WireRecord | undefined> {
  const sent = { ...sentIn(reply), ...toTheirs(table, body) }
  const intent = intentOf(table.name, sent, session.scopes)
  if (intent === undefined) return undefined
  const found = await findIntended(session, api, intent)
  const ids = 'ids' in found ? found.ids : []
  const [id, another] = ids.filter((each) => !session.ownership.isKnown(table.name, each))
  if (id === undefined || another !== undefined) return undefined
  const record = await viewedOr(api, table, { id })
  enterFound(session, table.name, record, marksIn(sent, session.scopes))
  return record
}

/** The fields that a create sent, by the target's names; none where it was a form. */
function sentIn({ exchange }: Reply): Body {
  try {
    const body: unknown = JSON.parse(exchange.request.body ?? '')
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}

/** The record as a view shows it; what is known of it where none does. */
async function viewedOr(api: Api, table: TableRef, known: WireRecord): Promise<WireRecord> {
  const { ok, body } = await api.view(table, known.id)
  return ok && isObject(body) ? (body as WireRecord) : known
}

function lastPart(location: string | undefined): string | undefined {
  const last = location?.split(/[?#]/)[0]?.split('/').at(-1)
  if (last === undefined || last === '') return undefined
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
