/**
 * Sign-ins to tables whose accounts sign in by username alone. Checks know accounts by their addresses: the run has given each
 * account a username, and sends that instead of the address. docs/decisions/034.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import { authRoles } from '../../spec/tables.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { TableRef } from '../vocabulary/target.ts'
import { emailField, type Naming } from './learn-usernames.ts'
import { makePaths } from './paths.ts'
import type { Send } from './send-as.ts'
import { sentIdentity, withIdentity } from './sent-identity.ts'

/**
 * Sends sign-ins by an address that the run knows with the username instead. An address that an account had before signs no
 * one in there, as in a table that signs in by addresses: it is sent as it is, like one that is not known.
 */
export function withUsernames(session: Naming, send: Send): Send {
  return async (operation, request, shown) => {
    if (operation !== 'authWithPassword') return send(operation, request, shown)
    const { params } = matchOperation(request.method, request.path, makePaths(session.binding).prefix) ?? {}
    const address = sentIdentity(request)
    const table = address === undefined ? undefined : tableOf(session, params?.table ?? '', address)
    if (table === undefined || address === undefined) return send(operation, request, shown)
    let rejection: ApiResponse | undefined
    for (const username of session.usernames.of(table.name, address)) {
      const body = withIdentity(request.body, address, username)
      const again = { ...request, headers: { ...request.headers }, body }
      const response = await send(operation, again, withIdentity(shown, address, username))
      const { token, record } = isObject(response.body) ? response.body : {}
      if (token === undefined) {
        rejection = response
        continue
      }
      const { id, [emailField(table)]: email } = isObject(record) ? record : {}
      session.usernames.hold(table.name, id, username)
      session.usernames.hold(table.name, token, username)
      if (!session.usernames.hasMoved(table.name, username, address, email)) return response
    }
    return rejection ?? send(operation, request, shown)
  }
}

/**
 * The table in which the account with an address has a username. A check may try the account in another table: it must not
 * sign in there, by what signs it in here.
 */
function tableOf(session: Naming, segment: string, address: string): TableRef | undefined {
  const { ownership, target, usernames } = session
  const own = ownership.mapped(segment)
  if (own !== undefined && own.identity === undefined && authRoles().has(own.role)) return undefined
  const isKnown = ({ name }: TableRef) => usernames.of(name, address).length > 0
  return [...(own === undefined ? [] : [own]), ...Object.values(target.tables)].find(isKnown)
}
