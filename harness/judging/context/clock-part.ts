/**
 * The time of a check: moves the target's clock, or waits.
 *
 * @module
 */

import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { journalsOf } from '../../cleanup/journal.ts'
import { callHookForCheck } from '../../target/call-hook.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { RunSettings, SessionClock } from '../../vocabulary/session.ts'
import type { Wire } from '../../vocabulary/wire.ts'

/** Superusers sign in again after the clock was moved ahead by this many seconds. Their sessions last a day. */
const superuserLasts = 6 * 3_600

/** Sessions of a concurrent run would expire, so short times are waited for in real time. */
const longestWait = 30

function sharesClock({ target, options }: Wire & RunSettings): boolean {
  const { journal } = options
  return (
    journal !== undefined &&
    journalsOf(target.baseUrl, dirname(journal)).some(({ file, alive }) => alive && file !== journal)
  )
}

export function clockPart(
  session: Wire & SessionClock & RunSettings,
  signal: AbortSignal,
): CheckContext['clock'] {
  const { target } = session
  return {
    offered: target.hooks?.clock !== undefined,
    get moved() {
      return session.moved
    },
    async now() {
      if (target.hooks?.clock === undefined) return undefined
      const reported = (await callHookForCheck(target, 'clock', { advance: 0 })) as
        | { now?: unknown }
        | null
        | undefined
      const now = new Date(reported?.now as string | number).getTime()
      return reported?.now === null || Number.isNaN(now) ? undefined : now
    },
    async pass(seconds) {
      session.proofs.timePassed()
      if (target.hooks?.clock === undefined || (seconds <= longestWait && sharesClock(session))) {
        await sleep(seconds * 1_000, undefined, { signal })
        return
      }
      await callHookForCheck(target, 'clock', { advance: seconds })
      session.moved += seconds
      session.passed += seconds
      if (session.passed < superuserLasts) return
      session.passed = 0
      session.actors.forget()
    },
  }
}
