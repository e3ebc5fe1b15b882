/**
 * Work that continues after the response was sent, such as sending an email. Callers can wait for it.
 *
 * @module
 */

import { timers } from './timers.ts'

export interface Background {
  /** Starts work that must never fail a response. @param key under which `settled` finds it */
  start(work: () => Promise<void>, key?: string): void
  /** Resolves when the work under a key is done, or immediately if there is none. */
  settled(key: string): Promise<void>
  /** Work that has not started yet never starts. Errors of running work are ignored. */
  forget(): void
  /** Resolves when the work that is pending now is done. Undefined if there is none. */
  pending(): Promise<unknown> | undefined
  /** Resolves when no work is pending. */
  idle(): Promise<void>
}

/** @param log receives errors of the work, which no caller sees */
export function createBackground(log: (error: unknown) => void): Background {
  const all = new Set<Promise<void>>()
  const keyed = new Map<string, Promise<void>>()
  let forgotten = 0
  return {
    start(work, key) {
      const before = forgotten
      const wanted = () => forgotten === before
      // The response is sent first: its timing must not reveal whether there was work.
      const run = new Promise<void>((resolve) => timers.setImmediate(resolve))
        .then(() => (wanted() ? work() : undefined))
        .catch((error) => (wanted() ? log(error) : undefined))
        .finally(() => {
          all.delete(run)
          if (key !== undefined && keyed.get(key) === run) keyed.delete(key)
        })
      all.add(run)
      if (key !== undefined) keyed.set(key, run)
    },
    settled: async (key) => keyed.get(key),
    forget() {
      forgotten += 1
    },
    pending: () => (all.size === 0 ? undefined : Promise.all(all)),
    async idle() {
      while (all.size > 0) await Promise.all(all)
    },
  }
}
