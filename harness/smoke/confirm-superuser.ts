import { isAboutPermission, isSuccess } from '../../spec/status-range.ts'
import { ConfigurationError } from '../errors.ts'
import type { TrySend } from '../explore/usable-response.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { Wire } from '../vocabulary/wire.ts'

/** The table in which the servers of one family keep their superusers. */
const superusers = '_superusers'

/**
 * Obtains the token, and sends a request that only superusers may send on servers with such a table. An error response
 * proves that the token is not accepted only if a guest gets the same one, and a missing table gets another.
 *
 * @returns a note for the report, if it is not known whether the token is accepted
 * @throws ConfigurationError when the token is not accepted
 */
export async function confirmSuperuser(session: Wire, trySend: TrySend): Promise<string[]> {
  const statusOf = async (actor: string, name: string) =>
    (await trySend(() => session.api(actor).list({ role: '', name })))?.status ?? 0
  const status = await statusOf('superuser', superusers)
  if (isSuccess(status)) return []
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
  return ['the superuser credential could not be verified']
}
