/**
 * The server's clock, which the console and the control endpoints control.
 *
 * @module
 */

import { type Clock, createClock } from '../reference/environment.ts'
import { timeSpan, timeSpanForms } from '../reference/time-span.ts'
import { InvalidControlRequest } from './respond.ts'

export interface ClockFacts {
  /** ISO 8601. */
  now: string
  frozen: boolean
  /** Milliseconds ahead of the machine's clock. */
  ahead: number
}

export interface PausableClock {
  clock: Clock
  facts(): ClockFacts
  /** Returns to the initial time and runs on from there. */
  reset(): void
  /** Applies the given keys in this order. @throws InvalidControlRequest for an invalid time or duration */
  command(given: { set?: unknown; advance?: unknown; freeze?: unknown; unfreeze?: unknown }): ClockFacts
}

export function pausableClock(start?: string): PausableClock {
  const clock = createClock()
  if (start !== undefined) clock.set(start)
  let frozen = false
  const facts = () => {
    const now = clock.now()
    return { now: new Date(now).toISOString(), frozen, ahead: now - Date.now() }
  }
  return {
    clock,
    facts,
    reset() {
      clock.unfreeze()
      frozen = false
      clock.set(start ?? Date.now())
    },
    command({ set, advance, freeze, unfreeze }) {
      if (set !== undefined) clock.set(set === 'system' ? Date.now() : moment(set, 'set'))
      if (advance !== undefined) clock.advance(spanOf(advance))
      if (freeze !== undefined && freeze !== false) {
        clock.freeze(freeze === true ? undefined : moment(freeze, 'freeze'))
        frozen = true
      }
      if (unfreeze === true) {
        clock.unfreeze()
        frozen = false
      }
      return facts()
    },
  }
}

/** A time as ISO string or in milliseconds since 1970. @throws InvalidControlRequest */
function moment(value: unknown, key: string): number {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  // A time that a Date cannot represent would fail much later, in another request.
  if (!Number.isNaN(new Date(time).getTime())) return time
  throw new InvalidControlRequest(
    `"${key}" must be a date such as 2030-01-31T12:00:00Z, or milliseconds since 1970.`,
  )
}

/** @throws InvalidControlRequest */
function spanOf(value: unknown): number {
  const span = timeSpan(value)
  if (span !== undefined) return span
  throw new InvalidControlRequest(`"advance" must be ${timeSpanForms}.`)
}
