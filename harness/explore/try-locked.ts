/**
 * Looks for a table that only a superuser may use: it shows whether the token of a superuser is accepted, and that what others
 * send to it has no effect.
 *
 * @module
 */

import { isAboutPermission } from '../../spec/status-range.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { firstFitting } from './first-fitting.ts'
import { keptAccount } from './sign-up.ts'
import { isWhole } from './try-record.ts'
import { usableResponse } from './usable-response.ts'

/** Tables that are tried. */
const mostTables = 3

/**
 * The first of the tables in which the superuser may do everything, and neither a guest nor a new account anything.
 *
 * @param candidates tables that a guest cannot list
 * @param members where an account signs up. Absent: none can
 */
export async function tryLocked(
  session: Wire & CleanUp & TargetFacts,
  candidates: readonly TableRef[],
  members: TableRef | undefined,
  unique: (prefix?: string) => string,
): Promise<TableRef | undefined> {
  const token = session.actors.knows('superuser') ? await session.actors.token('superuser') : undefined
  if (token === undefined) return undefined
  for (const candidate of candidates.slice(0, mostTables)) {
    const { name } = candidate
    if (session.standIns.has(name)) continue
    session.standIns.set(name, token)
    const { best } = await firstFitting(session, [candidate], unique)
    session.standIns.delete(name)
    if (best === undefined || !isWhole(best)) continue
    const { fields, values } = best.table
    const table: TableRef = { role: 'locked', name, ...(fields && { fields }), ...(values && { values }) }
    if (await isClosedToAll(session, table, members, unique)) return table
  }
  return undefined
}

/** Whether neither a guest nor an account may list the table, or create a record in it. */
async function isClosedToAll(
  session: Wire & CleanUp,
  table: TableRef,
  members: TableRef | undefined,
  unique: (prefix?: string) => string,
): Promise<boolean> {
  const mark = session.cleanup.mark()
  const guest = session.api('guest')
  try {
    const account = members && (await keptAccount(session, members, unique))
    const clients = account === undefined ? [guest] : [guest, guest.withToken(account.token, 'account')]
    for (const client of clients) {
      const list = await usableResponse(() => client.list(table))
      const create = await usableResponse(() => client.create(table, { title: unique('closed') }))
      if (!isClosed(list) || !isClosed(create)) return false
    }
    return true
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/** A server may hide from others that there is such a table. */
function isClosed(response: ApiResponse | undefined): boolean {
  return response !== undefined && (isAboutPermission(response.status) || response.status === 404)
}
