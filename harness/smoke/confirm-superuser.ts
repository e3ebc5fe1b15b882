/**
 * Whether the credential of the superuser is accepted. The document does not say which requests only superusers may send,
 * so a server is asked in several ways.
 *
 * @module
 */

import { saysRejected } from '../../exchange/says-rejected.ts'
import { isAboutPermission, isSuccess } from '../../spec/status-range.ts'
import { ConfigurationError } from '../errors.ts'
import { requestSenderOf } from '../explore/send-request.ts'
import type { TrySend } from '../explore/usable-response.ts'
import { superuserPlaces } from '../session/actors.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
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
 * proves that the token is not accepted only if a guest gets the same status, and a missing table gets another one.
 *
 * @returns undefined if the token is accepted
 * @throws ConfigurationError when the token is not accepted
 */
export async function confirmSuperuser(
  session: Wire & CleanUp,
  trySend: TrySend,
): Promise<Unconfirmed | undefined> {
  const listed = (actor: string, name: string) => trySend(() => session.api(actor).list({ role: '', name }))
  const statusOf = async (actor: string, name: string) => (await listed(actor, name))?.status ?? 0
  const { ok = false, status = 0 } = (await listed('superuser', superusers)) ?? {}
  if (ok) return undefined
  // A token that a sign-in has just returned is accepted.
  const isGiven = session.target.credentials.superuser?.token !== undefined
  if (isGiven && isAboutPermission(status)) {
    const asGuest = await statusOf('guest', superusers)
    const nowhere = [await statusOf('superuser', NO_TABLE), await statusOf('superuser', `_${NO_TABLE}`)]
    if (asGuest === status && !nowhere.includes(status)) throw rejectedToken(session, `status ${status}`)
  }
  if (isGiven) await expectNotWorse(session, trySend)
  return { status }
}

function rejectedToken({ target }: Wire, how: string): ConfigurationError {
  return new ConfigurationError(
    `the token of the superuser was rejected (${how})`,
    `${superuserPlaces}, at ${target.baseUrl}`,
    'use a token that has not expired, or the identity and password of a superuser',
  )
}

/**
 * With a token that no request accepts, a run would create records and could delete none of them.
 *
 * @throws ConfigurationError when the token is rejected by each list that needs none
 */
async function expectNotWorse(session: Wire & CleanUp, trySend: TrySend): Promise<void> {
  let how = ''
  for (const name of new Set(Object.values(session.target.tables).map((table) => table.name))) {
    const asGuest = await trySend(() => listOf(session, name))
    if (!isSuccess(asGuest?.status ?? 0)) continue
    const token = await session.actors.token('superuser')
    const { status = 0 } = (await trySend(() => listOf(session, name, token))) ?? {}
    if (!isAboutPermission(status)) return
    how ||= `a list of ${name} returns ${status} with it, and ${asGuest?.status} without it`
  }
  if (how !== '') throw rejectedToken(session, how)
}

/**
 * What to say of a superuser whom the list of superusers has not confirmed, once the tables are known: nothing, if one of
 * them shows a superuser more than a guest.
 *
 * @param tables those that the run uses
 */
export async function superuserNotes(
  session: Wire & CleanUp & Pick<TargetFacts, 'closed'>,
  { status }: Unconfirmed,
  tables: readonly TableRef[],
  trySend: TrySend,
): Promise<string[]> {
  const { closed, target } = session
  // The exploration has sent the requests of guests as the superuser, and they were accepted.
  if (target.explored !== undefined && tables.some(({ as: actor }) => actor === 'superuser')) return []
  const all = [...closed.values(), ...tables, ...(target.explored?.closed ?? [])]
  // Without a table there is nothing to compare, and an exploration has said that there is none.
  if (target.explored !== undefined && all.length === 0) return []
  if (await isConfirmedBy(session, all, trySend)) return []
  const returned = status === 0 ? 'has no usable response' : `returns ${status}`
  return [
    `no response shows that the superuser may do more than a guest: the list of ${superusers} ${returned}, and each list of the target’s tables is open to guests or rejects both. If requests of the superuser are rejected, correct ${superuserPlaces}`,
  ]
}

/** Whether one of these tables shows a superuser more than a guest. */
export async function isConfirmedBy(
  session: Wire & CleanUp,
  tables: readonly { name: string }[],
  trySend: TrySend,
): Promise<boolean> {
  for (const name of new Set(tables.map((table) => table.name)))
    if (await trySend(() => showsMore(session, name))) return true
  return false
}

/** Whether a superuser may list a table, and a guest may not. */
async function showsMore(session: Wire & CleanUp, name: string): Promise<boolean> {
  if (await lists(session, name)) return false
  return lists(session, name, await session.actors.token('superuser'))
}

async function lists(session: Wire & CleanUp, name: string, token?: string): Promise<boolean> {
  const { status, body } = await listOf(session, name, token)
  return isSuccess(status) && !saysRejected('listRecords', undefined, body)
}

/** Without the client of a guest: another caller may send its requests. */
function listOf(session: Wire & CleanUp, name: string, token?: string) {
  return requestSenderOf(session)(makePaths(session.target.binding).records(name), {
    token,
    operation: 'listRecords',
  })
}
