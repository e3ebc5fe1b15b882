/**
 * What the server remembers beside its tables and forgets by itself: how often somebody tried, that a mail has just
 * been sent. Kept like the tables are, so that a snapshot holds it and a fork shares nothing with its origin.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { type OrderedMap, orderedMap } from './store/ordered-map.ts'

/** Something remembered. Times are milliseconds since the epoch. */
interface Entry {
  readonly since: number
  readonly until: number
  readonly count: number
  readonly about?: string
}

/** Everything remembered at one moment. */
export interface MemoryState {
  readonly entries: OrderedMap<string, Entry>
}

export interface Memory {
  /**
   * Counts one more under a key, in a window that begins with the first one.
   *
   * @param window milliseconds
   * @returns false when there are more than `most` in the window
   */
  admit(key: string, most: number, window: number): boolean
  /** Remembers a key, and a text with it; for ever, unless `until` is given. */
  note(key: string, until?: number, about?: string): void
  /** The text that was noted with a key that is still remembered. */
  about(key: string): string | undefined
  /** When a key that is still remembered was noted or first counted. */
  since(key: string): number | undefined
  forget(key: string): void
  save(): MemoryState
  resume(state: MemoryState): void
}

/** Nothing remembered. */
export function emptyMemory(): MemoryState {
  return { entries: orderedMap() }
}

/**
 * Most entries. Those that are over by the reference's clock are thrown away before there are twice as many as were left
 * the last time, and where that is not enough, those that would be over first: as many clients or addresses as this
 * within one window have to come from somewhere, and a server that runs out of memory limits no one any more.
 */
const mostEntries = 20_000

/** Fewer than these are not looked through. */
const fewEntries = 1_000

/** As many are left at most, so that it is done rarely. */
const leftEntries = 15_000

/** Longer keys are kept as a hash: a path may be as long as a client likes. */
const longestKey = 300

/** An empty memory, or one that begins with a saved state. */
export function createMemory(now: () => number, state?: MemoryState): Memory {
  let entries: OrderedMap<string, Entry> = state?.entries.clone() ?? orderedMap()
  let tidyAt = fewEntries

  const present = (key: string): Entry | undefined => {
    const entry = entries.get(shortened(key))
    return entry !== undefined && entry.until > now() ? entry : undefined
  }
  const put = (key: string, entry: Entry) => {
    entries.set(shortened(key), entry)
    if (entries.size <= tidyAt) return
    entries = tidied(entries, now())
    tidyAt = Math.min(mostEntries, Math.max(fewEntries, 2 * entries.size))
  }
  return {
    admit(key, most, window) {
      const before = present(key)
      const since = before?.since ?? now()
      const count = (before?.count ?? 0) + 1
      put(key, { since, until: since + window, count })
      return count <= most
    },
    note: (key, until = Number.POSITIVE_INFINITY, about) =>
      put(key, { since: now(), until, count: 1, about }),
    about: (key) => present(key)?.about,
    since: (key) => present(key)?.since,
    forget: (key) => void entries.delete(shortened(key)),
    save: () => ({ entries: entries.clone() }),
    resume(saved) {
      entries = saved.entries.clone()
    },
  }
}

function shortened(key: string): string {
  return key.length <= longestKey ? key : createHash('sha256').update(key).digest('base64')
}

/** Without what is over and, where that is not enough, without what would be over first. */
function tidied(entries: OrderedMap<string, Entry>, time: number): OrderedMap<string, Entry> {
  const lasting = [...entries.entries()]
    .filter(([, { until }]) => until > time)
    .sort(([, a], [, b]) => b.until - a.until)
    .slice(0, leftEntries)
  const left = orderedMap<string, Entry>()
  for (const [key, entry] of lasting) left.set(key, entry)
  return left
}
