/**
 * What came of a delete.
 *
 * @module
 */

import { isObject } from '../is-object.ts'
import type { Session } from '../session.ts'
import type { Api, Reply } from '../vocabulary/api.ts'
import { findIntended } from './find-intended.ts'
import type { Removal } from './ledger.ts'

/**
 * The answer to a delete, as it was recorded and not as it was received: a server may show the very token it refuses. To
 * somebody who is no superuser a 404 may also mean that he must not delete the record: whoever still sees it knows that
 * it is there.
 *
 * @param api who looks for it
 */
export async function removalOf(
  session: Session,
  api: Api,
  { table, id }: { table: string; id: string },
  { status, exchange }: Reply,
): Promise<Removal> {
  const removal = { status, reason: (exchange.response?.body ?? '').slice(0, 200) }
  if (status !== 404 || session.actors.knows('superuser')) return removal
  const { ok, body } = await api.view({ role: '', name: table }, id)
  const shown = (ok && isObject(body) && body.id === id) || (await isListed(session, api, table, id))
  return shown ? { status, reason: 'it is still shown', shown } : removal
}

async function isListed(session: Session, api: Api, table: string, id: string): Promise<boolean> {
  const found = await findIntended(session, api, { table, field: 'id', value: id })
  return 'ids' in found && found.ids.length > 0
}
