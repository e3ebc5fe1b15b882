/**
 * The sessions of an account that the run created. Without a superuser, only the account itself may see and delete it.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Api } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { isHeaderValue } from '../wire/header-value.ts'
import type { RecordPlace } from './remove-as.ts'

/** Its last session and, if that does not suffice, a new one. Of a record that is not an account both are a guest. */
export function accountSessions(session: Wire & CleanUp, { table, id }: RecordPlace): (() => Promise<Api>)[] {
  const guest = () => session.cleaner('guest')
  const withToken = (token: unknown) =>
    typeof token === 'string' && isHeaderValue(token) ? guest().withToken(token, 'user') : guest()
  return [
    async () => withToken(session.accounts.tokens.get(id)),
    async () => {
      for (const secrets of session.accounts.signInsOf(id)) {
        const { ok, body } = await guest().authWithPassword({ role: '', name: table }, { ...secrets })
        if (ok && isObject(body) && typeof body.token === 'string') return withToken(body.token)
      }
      return guest()
    },
  ]
}
