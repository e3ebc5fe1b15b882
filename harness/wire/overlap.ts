/**
 * Which requests of a run overlap with its writes. The counts of a list and its items may then be from different moments;
 * separate checks test that they are consistent. And between two pages of a list, records would move.
 *
 * @module
 */

import { isSafeMethod } from './is-safe-method.ts'

/** What the sessions of one run have under way. */
class Writers {
  /** Writes under way, by the session that sent them. */
  readonly writing = new Map<Overlap, number>()
  /** Sessions that read without being disturbed. */
  readonly reading = new Map<Overlap, number>()
  /** Number of writes so far. */
  begun = 0
  #changed: { promise: Promise<void>; resolve(): void } | undefined

  count(held: Map<Overlap, number>, by: Overlap, more: 1 | -1): void {
    const count = (held.get(by) ?? 0) + more
    if (count === 0) held.delete(by)
    else held.set(by, count)
    this.#changed?.resolve()
    this.#changed = undefined
  }

  /** Whether another session is in `held`. */
  hasOthers(held: ReadonlyMap<Overlap, number>, than: Overlap): boolean {
    return held.size > (held.has(than) ? 1 : 0)
  }

  /** Resolves when a count has changed. Test again then: another session may have been faster. */
  change(): Promise<void> {
    this.#changed ??= changeOf()
    return this.#changed.promise
  }
}

function changeOf(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

export class Overlap {
  readonly #writers: Writers

  /** @param of another session of the same run. @default none */
  constructor(of?: Overlap) {
    this.#writers = of === undefined ? new Writers() : of.#writers
  }

  /** @throws what `work` throws */
  async during<Result>(
    method: string,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; amidWrites: boolean }> {
    const writers = this.#writers
    const { writing, reading } = writers
    const isWrite = !isSafeMethod(method)
    // Between the last test and the count, nothing else runs: otherwise a read could begin there.
    while (isWrite && writers.hasOthers(reading, this)) await writers.change()
    const wasWriting = writing.size > 0
    if (isWrite) {
      writers.count(writing, this, 1)
      writers.begun += 1
    }
    const before = writers.begun
    try {
      const result = await work()
      return { result, amidWrites: wasWriting || writers.begun > before }
    } finally {
      if (isWrite) writers.count(writing, this, -1)
    }
  }

  /**
   * Runs work that only reads while no other session of the run writes.
   *
   * @throws what `work` throws
   */
  async undisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
    const writers = this.#writers
    writers.count(writers.reading, this, 1)
    try {
      while (writers.hasOthers(writers.writing, this)) await writers.change()
      return await work()
    } finally {
      writers.count(writers.reading, this, -1)
    }
  }
}
