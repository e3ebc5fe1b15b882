/**
 * Snapshots by id, for those who cannot hold one in their hand.
 *
 * @module
 */

import type { Reference, ReferenceSnapshot } from '../reference/reference.ts'
import { AskedWrongly } from './answer.ts'
import type { Serving } from './serving.ts'

export interface Snapshots {
  take(): { id: string }
  /** @param id @default the last one taken. @throws AskedWrongly */
  restore(id?: unknown): { id: string }
}

const kept = 1000

export function keepSnapshots(serving: Serving): Snapshots {
  const taken = new Map<string, { reference: Reference; snapshot: ReferenceSnapshot }>()
  let next = 1
  return {
    take() {
      const id = String(next)
      next += 1
      taken.set(id, { reference: serving.reference, snapshot: serving.reference.snapshot() })
      const [oldest = ''] = taken.keys()
      if (taken.size > kept) taken.delete(oldest)
      return { id }
    },
    restore(asked = [...taken.keys()].at(-1)) {
      const id = String(asked)
      const found = taken.get(id)
      if (found === undefined)
        throw new AskedWrongly('There is no such snapshot: POST snapshot takes one.', 404)
      if (found.reference !== serving.reference)
        throw new AskedWrongly(`Snapshot ${id} was taken before the data file changed: take another.`, 409)
      serving.reference.restore(found.snapshot)
      return { id }
    },
  }
}
