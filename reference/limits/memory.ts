/**
 * Short-lived state outside the tables, which expires automatically: counts of attempts, and that an email was just sent.
 * Stored like the tables, so that snapshots include it and forks do not share it.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { type OrderedMap, orderedMap } from '../store/ordered-map.ts'

/** One entry. Times are milliseconds since the epoch. */
interface Entry {
  readonly since: number
  readonly until: number
  readonly count: number
  readonly about?: string
}

/** All entries at one moment. */
export interface MemoryState {
  readonly entries: OrderedMap<string, Entry>
}

export interface Memory {
  /**
   * Counts one event under a key, in a window that begins with the first event.
   *
   * @param window milliseconds
   * @returns false when there are more than `most` in the window
   */
  admit(key: string, most: number, window: number): boolean
  /** Stores a key with a string. It does not expire unless `until` is given. */
  note(key: string, until?: number, about?: string): void
  /** The string that was stored with a key that has not expired. */
  about(key: string): string | undefined
  /** When a key that has not expired was stored or first counted. */
  since(key: string): number | undefined
  forget(key: string): void
  save(): MemoryState
  resume(state: MemoryState): void
}

/** Empty memory. */
export function emptyMemory(): MemoryState {
  return { entries: orderedMap() }
}

/**
 * Most entries. Entries that have expired by the reference's clock are removed before there are twice as many as were
 * left after the last removal. If that is not enough, those that expire next are removed as well: that many clients or
 * addresses within one window are an attack, and a server that runs out of memory limits no one.
 */
const mostEntries = 20_000

/** With fewer entries than these no removal runs. */
const fewEntries = 1_000

/** Most entries after a removal, so that removals are rare. */
const leftEntries = 15_000

/** Longer keys are stored as a hash: a client can make a path as long as it likes. */
const longestKey = 300

/** An empty memory, or one that starts from a saved state. */
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

/** Removes expired entries and, if that is not enough, those that expire next. */
function tidied(entries: OrderedMap<string, Entry>, time: number): OrderedMap<string, Entry> {
  const lasting = [...entries.entries()]
    .filter(([, { until }]) => until > time)
    .sort(([, a], [, b]) => b.until - a.until)
    .slice(0, leftEntries)
  const left = orderedMap<string, Entry>()
  for (const [key, entry] of lasting) left.set(key, entry)
  return left
}
