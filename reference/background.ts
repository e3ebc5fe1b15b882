/**
 * Work that goes on after the answer is out, such as handing over a mail. It can be waited for.
 *
 * @module
 */

import { timers } from './timers.ts'

export interface Background {
  /** Starts work that must never reject an answer. @param key under which `settled` finds it */
  start(work: () => Promise<void>, key?: string): void
  /** When the work under a key is done; at once when there is none. */
  settled(key: string): Promise<void>
  /** Work that has not begun yet never will; what goes wrong with the rest is told to nobody. */
  forget(): void
  /** When nothing is under way any more. */
  idle(): Promise<void>
}

/** @param log told of what goes wrong: nobody else is there to hear it. */
export function createBackground(log: (error: unknown) => void): Background {
  const all = new Set<Promise<void>>()
  const keyed = new Map<string, Promise<void>>()
  let forgotten = 0
  return {
    start(work, key) {
      const before = forgotten
      const wanted = () => forgotten === before
      // The answer goes first: how long it takes must not tell whether there was work.
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
    async idle() {
      while (all.size > 0) await Promise.all(all)
    },
  }
}
