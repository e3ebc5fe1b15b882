/**
 * The report on a target that responded before and no longer does: the requests that may have stopped it, so that its
 * author can replay them. Whether they did cannot be seen from here.
 *
 * @module
 */

import { NetworkError, type TargetLostError } from '../errors.ts'
import { defined } from '../support/defined.ts'
import type { RunError } from '../vocabulary/report.ts'
import type { Course, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { linesOf } from './make-finding.ts'

/**
 * Call it when no request is in flight any more: concurrent requests fail one after the other.
 *
 * @param error the error to report if no request is known
 * @param again the command that repeats it, if a check was running
 */
export function lostTarget(
  session: Pick<Wire & Course & RunSettings, 'losses' | 'options' | 'redactor'>,
  place: string,
  error: TargetLostError,
  again?: string,
): RunError {
  // A request whose connection was refused never reached the target: an earlier one stopped it.
  const reached = session.losses.filter(({ cause }) => !isUnreachable(cause))
  const [first = error] = reached.length > 0 ? reached : session.losses
  const before = reached.length > 0 ? undefined : first.before
  const message =
    before === undefined ? first.message : `${first.message}; the previous request is also shown`
  const shown = reached.length > 0 ? reached : [first]
  const exchanges = [before, ...shown.map(({ exchange }) => exchange)].filter((each) => each !== undefined)
  const curl = [...new Set(linesOf(exchanges, session.options))]
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
