/**
 * Which requests were under way together with writes: what a list counts and what it shows may then be of two moments.
 * That both are of one is asked by checks of their own.
 *
 * @module
 */

export class Overlap {
  #writing = 0
  /** Writes so far. */
  #begun = 0

  /** @throws what `work` throws */
  async during<Result>(
    method: string,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; amidWrites: boolean }> {
    const writes = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 0 : 1
    const wasWriting = this.#writing > 0
    this.#writing += writes
    this.#begun += writes
    const before = this.#begun
    try {
      const result = await work()
      return { result, amidWrites: wasWriting || this.#begun > before }
    } finally {
      this.#writing -= writes
    }
  }
}
