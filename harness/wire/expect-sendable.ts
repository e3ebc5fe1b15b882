/**
 * Which requests are never sent: what the tester does not allow, and what the target declares absent.
 *
 * @module
 */

import { isAboutEveryResponse } from '../../spec/is-about-every-response.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { UntestableError } from '../judging/expect.ts'
import { isAbsent } from '../target/is-absent.ts'
import type { Course, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { isSafeMethod } from './is-safe-method.ts'
import type { SentKind } from './request-count.ts'

/** Operations that a read-only run may send in addition to safe methods: those that sign in. */
const signIns: readonly OperationId[] = ['authWithPassword']

export function effectOf(operation: OperationId | undefined, method: string): SentKind {
  if (isSafeMethod(method)) return 'reads'
  return operation !== undefined && signIns.includes(operation) ? 'signIns' : 'writes'
}

/** Whether requests are those of checks: an exploration, which comes before them, and a clean-up judge nothing. */
export function isJudged({ check }: Pick<Course, 'check'>, cleaning: boolean): boolean {
  return check !== undefined && !cleaning
}

/**
 * @param cleaning the request is one of the clean-up, which no limit and no declaration keeps from deleting
 * @throws UntestableError if the run is read-only, or the check sends an operation that the target declares absent
 * @throws StoppedError if the run has sent as many requests as it may
 */
export function expectSendable(
  session: Wire & Course & RunSettings,
  operation: OperationId | undefined,
  effect: SentKind,
  cleaning: boolean,
): void {
  const { options, check, target, count } = session
  if (options.readOnly && effect === 'writes')
    throw new UntestableError('the run is read-only', 'remove --read-only')
  // Its response would be that of a path at which there is nothing, whatever the check is about.
  if (
    isJudged(session, cleaning) &&
    !(check !== undefined && isAboutEveryResponse(check)) &&
    operation !== undefined &&
    isAbsent(target, operation)
  )
    throw new UntestableError(
      `the check sends ${operation}, which the target file declares absent`,
      `if the server has it, remove "${operation}" from "operations", or its capability from "capabilities", in the target file`,
    )
  if (!cleaning) count.expectMore()
}
