/**
 * Files and entries that `conformance validate` cannot read: it names the first of each file, and counts the others. A
 * file of another kind has one in every line, however long it is.
 *
 * @module
 */

import type { ConfigurationError } from '../harness/errors.ts'
import type { TrafficEnd } from '../harness/report/traffic-report.ts'

/** Entries of each file that are named. */
const mostNamed = 5

/** A file or an entry that cannot be read. */
export interface Unread {
  place: string
  what: string
  /** Of a file. */
  error?: ConfigurationError
}

export interface UnreadCollection {
  add(unread: Unread): void
  /** How many there are. */
  readonly count: number
  /** Those that are named. */
  named(): Unread[]
  /** Those that are named, and for each file how many more there are. */
  reported(): NonNullable<TrafficEnd['unread']>
}

export function collectUnread(): UnreadCollection {
  const places = new Map<string, { named: Unread[]; more: number }>()
  let count = 0
  return {
    get count() {
      return count
    },
    add(unread) {
      count += 1
      const those = places.get(unread.place) ?? { named: [], more: 0 }
      places.set(unread.place, those)
      if (those.named.length < mostNamed || unread.error !== undefined) those.named.push(unread)
      else those.more += 1
    },
    named: () => [...places.values()].flatMap(({ named }) => named),
    reported: () =>
      [...places].flatMap(([place, { named, more }]) => [
        ...named.map(({ what }) => ({ place, what })),
        ...(more === 0 ? [] : [{ place, what: `${more} more could not be read`, entries: more }]),
      ]),
  }
}
