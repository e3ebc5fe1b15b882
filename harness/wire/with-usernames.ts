/**
 * Sign-ins to tables whose accounts sign in by username alone. Checks know accounts by their addresses: the run has given each
 * account a username, and sends that instead of the address. docs/decisions/034.
 *
 * @module
 */

import { isObject, jsonObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import { authRoles } from '../../spec/tables.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { TableRef } from '../vocabulary/target.ts'
import { emailField, type Naming } from './learn-usernames.ts'
import { makePaths } from './paths.ts'
import type { Send } from './send-as.ts'

/**
 * Sends sign-ins by an address that the run knows with the username instead. An address that an account had before signs no
 * one in there, as in a table that signs in by addresses: it is sent as it is, like one that is not known.
 */
export function withUsernames(session: Naming, send: Send): Send {
  return async (operation, request, shown) => {
    if (operation !== 'authWithPassword') return send(operation, request, shown)
    const { params } = matchOperation(request.method, request.path, makePaths(session.binding).prefix) ?? {}
    const { identity: address } = jsonObject(request.body) ?? {}
    const table = typeof address === 'string' ? tableOf(session, params?.table ?? '', address) : undefined
    if (table === undefined || typeof address !== 'string') return send(operation, request, shown)
    let rejection: ApiResponse | undefined
    for (const username of session.usernames.of(table.name, address)) {
      const named = (text: string) => withIdentity(text, address, username)
      const body = named(String(request.body))
      const again = { ...request, headers: { ...request.headers }, body }
      const response = await send(operation, again, named(shown))
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

/** The text of a body with another identity. It may be an unusual one, with a key twice: nothing else changes. */
function withIdentity(text: string, before: string, now: string): string {
  const value = JSON.stringify(before)
  return text.replaceAll(/("identity"\s*:\s*)("(?:[^"\\]|\\.)*")/g, (whole, key: string, given: string) =>
    given === value ? key + JSON.stringify(now) : whole,
  )
}
