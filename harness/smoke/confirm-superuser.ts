/**
 * Whether the credential of the superuser is accepted. The document does not say which requests only superusers may send,
 * so a server is asked in several ways.
 *
 * @module
 */

import { isAboutPermission, isSuccess } from '../../spec/status-range.ts'
import { ConfigurationError } from '../errors.ts'
import { requestSenderOf } from '../explore/send-request.ts'
import type { TrySend } from '../explore/usable-response.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'

/** The table in which the servers of one family keep their superusers. */
const superusers = '_superusers'

/** What the list of superusers returned to the superuser, if that is not a success. */
export interface Unconfirmed {
  /** 0 for a response that cannot be used. */
  status: number
}

/**
 * Obtains the token, and sends a request that only superusers may send on servers with such a table. An error response
 * proves that the token is not accepted only if a guest gets the same one, and a missing table gets another.
 *
 * @returns undefined if the token is accepted
 * @throws ConfigurationError when the token is not accepted
 */
export async function confirmSuperuser(session: Wire, trySend: TrySend): Promise<Unconfirmed | undefined> {
  const statusOf = async (actor: string, name: string) =>
    (await trySend(() => session.api(actor).list({ role: '', name })))?.status ?? 0
  const status = await statusOf('superuser', superusers)
  if (isSuccess(status)) return undefined
  // A token that a sign-in has just returned is accepted.
  const isGiven = session.target.credentials.superuser?.token !== undefined
  if (isGiven && isAboutPermission(status)) {
    const asGuest = await statusOf('guest', superusers)
    const nowhere = [await statusOf('superuser', NO_TABLE), await statusOf('superuser', `_${NO_TABLE}`)]
    if (asGuest === status && !nowhere.includes(status))
      throw new ConfigurationError(
        `the token of the superuser was rejected (status ${status})`,
        `credentials.superuser, or CONFORMANCE_SUPERUSER_TOKEN, at ${session.target.baseUrl}`,
        'use a token that has not expired, or the identity and password of a superuser',
      )
  }
  return { status }
}

/**
 * What to say of a superuser whom the list of superusers has not confirmed, once the tables are known: nothing, if one of
 * them shows a superuser more than a guest.
 *
 * @param tables those that the run uses
 */
export async function superuserNotes(
  session: Wire & Pick<TargetFacts, 'closed'>,
  { status }: Unconfirmed,
  tables: readonly TableRef[],
  trySend: TrySend,
): Promise<string[]> {
  const { closed, target } = session
  // The exploration has sent the requests of guests as the superuser, and they were accepted.
  if (target.explored !== undefined && tables.some(({ as: actor }) => actor === 'superuser')) return []
  const names = new Set([...closed.values(), ...tables].map(({ name }) => name))
  for (const name of names) if (await trySend(() => showsMore(session, name))) return []
  const returned = status === 0 ? 'has no usable response' : `returns ${status}`
  return [
    `no response shows that the superuser may do more than a guest: the list of ${superusers} ${returned}, and each list of the target’s tables is open to guests or rejects both. If requests of the superuser are rejected, correct credentials.superuser, or CONFORMANCE_SUPERUSER_TOKEN`,
  ]
}

/** Whether a superuser may list a table, and a guest may not. Not by the client of a guest: another caller may replace it. */
async function showsMore(session: Wire, name: string): Promise<boolean> {
  const list = makePaths(session.target.binding).records(name)
  const sendRequest = requestSenderOf(session)
  const asGuest = await sendRequest(list)
  if (isSuccess(asGuest.status)) return false
  const token = await session.actors.token('superuser')
  return isSuccess((await sendRequest(list, { token })).status)
}
