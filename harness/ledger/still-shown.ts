import { isObject } from '../is-object.ts'
import type { Session } from '../session.ts'
import type { Api } from '../vocabulary/api.ts'
import { findIntended } from './find-intended.ts'
import type { Removal } from './ledger.ts'

/**
 * What came of a delete that was answered with 404. To somebody who is no superuser that may also mean that he must not
 * delete it: whoever still sees the record knows that it is there.
 */
export async function checkedRemoval(
  session: Session,
  api: Api,
  { table, id }: { table: string; id: string },
  removal: Removal,
): Promise<Removal> {
  if (removal.status !== 404 || session.actors.knows('superuser')) return removal
  const { ok, body } = await api.view({ role: '', name: table }, id)
  const shown = (ok && isObject(body) && body.id === id) || (await isListed(session, api, table, id))
  return shown ? { ...removal, reason: 'it is still shown', shown } : removal
}

async function isListed(session: Session, api: Api, table: string, id: string): Promise<boolean> {
  const found = await findIntended(session, api, { table, field: 'id', value: id })
  return 'ids' in found && found.ids.length > 0
}
