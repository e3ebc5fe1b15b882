/**
 * Deletes a record for the clean-up.
 *
 * @module
 */

import { jsonObject } from '../../exchange/json-object.ts'
import { isSuccess } from '../../spec/status-range.ts'
import { idOf } from '../ownership/prior-records.ts'
import { saysGone } from '../ownership/says-gone.ts'
import type { Api } from '../vocabulary/api.ts'
import type { Wire } from '../vocabulary/wire.ts'
import type { Removal } from './cleanup-registry.ts'
import { findIntended } from './find-intended.ts'

/** A record by its path. */
export interface RecordPlace {
  table: string
  id: string
}

/**
 * The result of a delete, from the recorded and not the received response: a server may return the token that it
 * rejects. Unless a superuser deletes it, the record may still exist whatever the response says, so it is viewed again.
 *
 * @param as who deletes and views it
 */
export async function removeAs(session: Wire, as: Api, { table, id }: RecordPlace): Promise<Removal> {
  const ref = { role: '', name: table }
  const { status, exchange } = await as.delete(ref, id)
  const removal = { status, reason: reasonIn(exchange.response?.body ?? '') }
  const done = saysGone({ status }) || isSuccess(status)
  // What a superuser deletes is checked again at the end, when all tables are listed.
  if (!done || session.actors.knows('superuser')) return removal
  const [view, listed] = await Promise.all([as.view(ref, id), isListed(session, as, { table, id })])
  const shown = listed || (view.ok && idOf(view.body) === id)
  return shown ? { status, reason: 'it still exists', shown } : removal
}

/** What an error response says, in one line: its message, or the beginning of a body without one. */
function reasonIn(body: string): string {
  const message = jsonObject(body)?.message
  const text = typeof message === 'string' && message !== '' ? message : body
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}

/** Whether a list still shows a record that a view does not. */
async function isListed(session: Wire, api: Api, { table, id }: RecordPlace): Promise<boolean> {
  const found = await findIntended(session, api, { table, field: 'id', value: id })
  return 'ids' in found && found.ids.length > 0
}
