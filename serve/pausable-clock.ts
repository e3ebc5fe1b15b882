/**
 * The server's clock, which the console and the control endpoints control.
 *
 * @module
 */

import type { ClockChange, ControlClock } from '../exchange/control-clock.ts'
import { type Clock, createClock } from '../reference/environment/environment.ts'
import { timeSpan, timeSpanForms } from '../reference/environment/time-span.ts'
import { InvalidControlRequest } from './respond.ts'

/** Values as they were sent. */
type ClockCommand = { [Key in keyof ClockChange]?: unknown }

export interface PausableClock {
  clock: Clock
  facts(): ControlClock
  /** Returns to the initial time and runs on from there. */
  reset(): void
  /** Applies all of the given keys in this order, or none. @throws InvalidControlRequest for an invalid value */
  command(given: ClockCommand): ControlClock
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
    command(given) {
      // A copy of the clock finds what is wrong before the clock itself has changed.
      change(clock.fork(), given)
      change(clock, given)
      if (given.freeze !== undefined) frozen = true
      if (given.unfreeze !== undefined) frozen = false
      return facts()
    },
  }
}

/** @throws InvalidControlRequest */
function change(clock: Clock, { set, advance, freeze, unfreeze }: ClockCommand): void {
  if (freeze !== undefined && unfreeze !== undefined)
    throw new InvalidControlRequest('"freeze" and "unfreeze" exclude each other: send one of them.')
  if (advance !== undefined && freeze !== undefined && freeze !== true)
    throw new InvalidControlRequest('"freeze" with a time overrides "advance": send one of them.')
  if (unfreeze !== undefined && unfreeze !== true)
    throw new InvalidControlRequest('"unfreeze" must be true. To stop the clock, use "freeze".')
  if (set !== undefined) move(() => clock.set(set === 'system' ? Date.now() : moment(set, 'set')))
  if (advance !== undefined) move(() => clock.advance(spanOf(advance)))
  if (freeze !== undefined) move(() => clock.freeze(freeze === true ? undefined : moment(freeze, 'freeze')))
  if (unfreeze === true) clock.unfreeze()
}

/** @throws InvalidControlRequest for a time that the clock cannot show */
function move(to: () => void): void {
  try {
    to()
  } catch (error) {
    throw error instanceof RangeError ? new InvalidControlRequest(error.message) : error
  }
}

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/

/** Only the form that the message names, in UTC unless it has an offset: Date.parse takes much more for a date. */
function dateIn(text: string): number {
  const [, day, time = '00:00', offset = 'Z'] = form.exec(text) ?? []
  const exists = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  return exists ? Date.parse(`${day}T${time}${offset}`) : Number.NaN
}

/** A time as ISO string or in milliseconds since 1970. @throws InvalidControlRequest */
function moment(value: unknown, key: string): number {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? dateIn(value) : Number.NaN
  if (!Number.isNaN(time)) return time
  const others = key === 'freeze' ? ', or true for now' : ', or "system"'
  throw new InvalidControlRequest(
    `"${key}" must be a date such as 2030-01-31T12:00:00Z, or milliseconds since 1970${others}.`,
  )
}

/** @throws InvalidControlRequest */
function spanOf(value: unknown): number {
  const span = timeSpan(value)
  if (span !== undefined) return span
  throw new InvalidControlRequest(`"advance" must be ${timeSpanForms}.`)
}
