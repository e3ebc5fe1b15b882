/**
 * What is told of a target that answered before and does not any more: the requests that may have ended it, so that its
 * author can send them again. Whether they did is nothing that can be seen from here.
 *
 * @module
 */

import { curlLines } from '../../exchange/curl.ts'
import { defined } from '../defined.ts'
import { NetworkError, type TargetLostError } from '../errors.ts'
import type { RunError } from '../vocabulary/findings.ts'
import type { Session } from '../vocabulary/session.ts'

/**
 * To be asked once nothing is under way any more: requests that were sent side by side get no answer one after the other.
 *
 * @param error what is told where no request is known
 * @param again the command that repeats it, where a check was under way
 */
export function lostTarget(
  session: Pick<Session, 'losses' | 'redactor'>,
  place: string,
  error: TargetLostError,
  again?: string,
): RunError {
  // One that was refused a connection never reached the target: what ended it came before.
  const reached = session.losses.filter(({ cause }) => !isUnreachable(cause))
  const [first = error] = reached.length > 0 ? reached : session.losses
  const before = reached.length > 0 ? undefined : first.before
  const message =
    before === undefined ? first.message : `${first.message}; the previous request is also shown`
  const shown = reached.length > 0 ? reached : [first]
  const exchanges = [before, ...shown.map(({ exchange }) => exchange)].filter((each) => each !== undefined)
  const curl = [...new Set(curlLines(exchanges))]
  return defined({
    place,
    message: session.redactor.message(message),
    lost: true,
    curl: curl.length === 0 ? undefined : curl,
    again,
  })
}

function isUnreachable(cause: unknown): boolean {
  return cause instanceof NetworkError && cause.fault === 'unreachable'
}
