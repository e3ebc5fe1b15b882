/**
 * Snapshots by id, for clients outside the process.
 *
 * @module
 */

import type { Reference, ReferenceSnapshot } from '../reference/reference.ts'
import { InvalidControlRequest } from './respond.ts'

export interface Snapshots {
  take(): { id: string }
  /** @param id @default the last one taken. @throws InvalidControlRequest */
  restore(id?: string): { id: string }
}

/**
 * Most snapshots that are kept; the least recently used one is dropped first. Each may keep all deleted records in
 * memory.
 */
const kept = 100

/** @param present the current reference, which changes with a reload */
export function keepSnapshots(present: () => Reference): Snapshots {
  const taken = new Map<string, ReferenceSnapshot>()
  let of = present()
  let next = 1
  let last = ''
  /** Ids below this one belong to data that was replaced. */
  let replaced = 1

  /** Snapshots of replaced data cannot be restored, and would keep all of it in memory. */
  const forgetReplaced = () => {
    if (of === present()) return
    of = present()
    taken.clear()
    replaced = next
  }
  const keep = (id: string, snapshot: ReferenceSnapshot) => {
    taken.delete(id)
    taken.set(id, snapshot)
    const [oldest = ''] = taken.keys()
    if (taken.size > kept) taken.delete(oldest)
  }
  return {
    take() {
      forgetReplaced()
      last = String(next)
      next += 1
      keep(last, present().snapshot())
      return { id: last }
    },
    restore(id = last) {
      forgetReplaced()
      const found = taken.get(id)
      if (found !== undefined) {
        keep(id, found)
        present().restore(found)
        return { id }
      }
      const known = /^[1-9]\d*$/.test(id) && Number(id) < next
      if (!known)
        throw new InvalidControlRequest('The snapshot does not exist. Use POST snapshot to take one.', 404)
      if (Number(id) < replaced)
        throw new InvalidControlRequest(
          `Snapshot ${id} was taken before other data was loaded. Take another one.`,
          409,
        )
      throw new InvalidControlRequest(
        `Snapshot ${id} was dropped: only the ${kept} that were used last are kept. Take another one.`,
        404,
      )
    },
  }
}
