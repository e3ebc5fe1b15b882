/**
 * The clock and the random source of one reference. With a seed all random values (ids, codes, token keys) repeat from
 * run to run; without one they come from the system's generator.
 *
 * @module
 */

import { randomBytes } from 'node:crypto'
import { foundValue } from '../../spec/kind-name.ts'
import type { Environment } from '../vocabulary.ts'
import { timeSpan, timeSpanForms } from './time-span.ts'
import { systemNow } from './timers.ts'

const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A clock that tests control. Times are milliseconds since the epoch. */
export interface Clock {
  /** The present time. */
  now(): number
  /** Sets the time, from which the clock runs on (or stays, if frozen). */
  set(moment: number | string | Date): void
  /**
   * Advances the clock; negative values turn it back.
   *
   * @param span milliseconds, or a string such as `90s`, `15m`, `2h` or `1d`
   * @throws RangeError for anything else
   */
  advance(span: number | string): void
  /** Stops the clock until `unfreeze`, at `moment` if given. */
  freeze(moment?: number | string | Date): void
  /** Runs on from where it was frozen. */
  unfreeze(): void
  /** An independent clock that shows the same time. */
  fork(): Clock
}

/** Timestamps of records have four digits for the year. */
const earliest = Date.parse('0000-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** A time as it was given, for messages. */
function shownTime(given: unknown): string {
  if (given instanceof Date && Number.isFinite(given.getTime())) return given.toISOString()
  return typeof given === 'string' ? given : foundValue(given)
}

/** @throws RangeError for anything that is not a time, or for a time outside of the years 0 to 9999 */
function toMilliseconds(moment: number | string | Date): number {
  const isDate = typeof moment === 'string' || moment instanceof Date
  const time = isDate ? new Date(moment).getTime() : typeof moment === 'number' ? moment : Number.NaN
  if (time >= earliest && time <= latest) return time
  throw new RangeError(
    `The clock cannot be set to ${shownTime(moment)}: expected milliseconds or a date, in the years 0 to 9999.`,
  )
}

/** A clock that runs with `source`, moved by an offset. */
export function createClock(source: () => number = systemNow, offset = 0, frozenAt?: number): Clock {
  const now = () => frozenAt ?? source() + offset
  const set = (moment: number | string | Date) => {
    const time = toMilliseconds(moment)
    if (frozenAt === undefined) offset = time - source()
    else frozenAt = time
  }
  const clock: Clock = {
    now,
    set,
    advance(span) {
      const milliseconds = timeSpan(span)
      if (milliseconds === undefined)
        throw new RangeError(`The clock cannot advance by ${shownTime(span)}: expected ${timeSpanForms}.`)
      set(now() + milliseconds)
    },
    freeze(moment) {
      frozenAt = moment === undefined ? now() : toMilliseconds(moment)
    },
    unfreeze() {
      if (frozenAt === undefined) return
      offset = frozenAt - source()
      frozenAt = undefined
    },
    fork: () => createClock(source, offset, frozenAt),
  }
  marks.set(clock, () => {
    const marked = { now: now(), offset, frozenAt }
    return () => {
      frozenAt = marked.frozenAt
      offset = marked.offset === 0 ? 0 : marked.now - source()
    }
  })
  return clock
}

const marks = new WeakMap<Clock, () => () => void>()

/**
 * @returns a function that sets the clock back to its present time, from which it runs on. A frozen one stays frozen
 * then, and one that shows the time of its source does so again. Undefined for a clock that was not made here.
 */
export function markClock(clock: Clock): (() => void) | undefined {
  return marks.get(clock)?.()
}

/** A source of 32 random bits at a time. */
interface RandomSource {
  next(): number
  /** The position in the sequence; undefined if it cannot be repeated. */
  save(): number | undefined
  resume(state: number | undefined): void
}

/** The same sequence for the same seed (SplitMix32). */
function seededSource(seed: number): RandomSource {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let word = state ^ (state >>> 16)
    word = Math.imul(word, 0x21f0aaad)
    word ^= word >>> 15
    word = Math.imul(word, 0x735a2d97)
    return (word ^ (word >>> 15)) >>> 0
  }
  const resume = (saved: number | undefined) => {
    state = saved ?? state
  }
  return { next, save: () => state, resume }
}

/** Random bits from the system, fetched in blocks: a call per character would cost more than creating the record. */
function systemSource(): RandomSource {
  let block = Buffer.alloc(0)
  let position = 0
  const next = () => {
    if (position >= block.length) {
      block = randomBytes(4096)
      position = 0
    }
    position += 4
    return block.readUInt32LE(position - 4)
  }
  return { next, save: () => undefined, resume: () => {} }
}

export interface EnvironmentOptions {
  clock: Clock
  /** Makes ids, codes and token keys repeat. */
  seed?: number
  /** log2 of the scrypt cost of every hash. @default the field's cost */
  passwordCost?: number
  /** Creates the ids of new records, instead of random ones. */
  ids?: IdMaker
}

/**
 * `counting`: `000000000000001`, `000000000000002` and so on, whatever the table. A function receives the number of
 * records created before and the table; its ids must be unique and valid for the table.
 */
export type IdMaker = 'counting' | ((before: number, table: string) => string)

const counting = (before: number) => String(before + 1).padStart(15, '0')

/** The positions of the clock and the random source. Undefined if a sequence cannot be repeated. */
export interface RandomState {
  readonly source: number | undefined
  readonly ids: number
}

/** An environment whose random source can be set back to an earlier position, so that a restored state repeats. */
export interface ReferenceEnvironment extends Environment {
  save(): RandomState
  resume(state: RandomState): void
}

/** The clock and the random source that all modules of the reference share. */
export function createEnvironment(options: EnvironmentOptions): ReferenceEnvironment {
  const source = options.seed === undefined ? systemSource() : seededSource(options.seed)
  const random = (alphabet: string, length: number) => {
    // Numbers at or above the limit are drawn again: otherwise the first characters of the alphabet would be more
    // likely.
    const limit = Math.floor(0x1_0000_0000 / alphabet.length) * alphabet.length
    let text = ''
    while (text.length < length) {
      const next = source.next()
      if (next < limit) text += alphabet[next % alphabet.length]
    }
    return text
  }
  const makeId = options.ids === 'counting' ? counting : options.ids
  let ids = 0
  return {
    now: () => options.clock.now(),
    random,
    newId: () => random(idAlphabet, 15),
    nextId: makeId && ((table) => makeId(ids++, table)),
    passwordCost: options.passwordCost,
    save: () => ({ source: source.save(), ids }),
    resume(state) {
      source.resume(state.source)
      ids = state.ids
    },
  }
}
