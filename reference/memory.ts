/**
 * What the server remembers beside its tables and forgets by itself: how often somebody tried, that a mail has just
 * been sent. Kept like the tables are, so that a snapshot holds it and a fork shares nothing with its origin.
 *
 * @module
 */

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

/** Above this many entries those that are over are thrown away, before another one comes. */
const tidyAbove = 10_000

/** An empty memory, or one that begins with a saved state. */
export function createMemory(now: () => number, state?: MemoryState): Memory {
  let entries: OrderedMap<string, Entry> = state?.entries.clone() ?? orderedMap()
  let tidyAt = tidyAbove

  const present = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && entry.until > now() ? entry : undefined
  }
  const put = (key: string, entry: Entry) => {
    entries.set(key, entry)
    if (entries.size <= tidyAt) return
    const time = now()
    for (const [old, { until }] of [...entries.entries()]) if (until <= time) entries.delete(old)
    tidyAt = Math.max(tidyAbove, 2 * entries.size)
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
      put(key, { since: now(), until, count: 1, ...(about !== undefined && { about }) }),
    about: (key) => present(key)?.about,
    since: (key) => present(key)?.since,
    forget: (key) => void entries.delete(key),
    save: () => ({ entries: entries.clone() }),
    resume(saved) {
      entries = saved.entries.clone()
    },
  }
}
