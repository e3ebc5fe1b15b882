/**
 * Which requests overlapped with writes: the counts of a list and its items may then be from different moments.
 * Separate checks test that they are consistent.
 *
 * @module
 */

export class Overlap {
  #writing = 0
  /** Number of writes so far. */
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
