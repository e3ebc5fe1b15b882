/**
 * A cache of bounded size that keeps the entries used last, for values that can be computed again.
 *
 * @module
 */

export interface RecentMapLimits {
  entries: number
  /** Characters of all keys together. A key that is longer than this alone is not cached. */
  characters: number
}

export class RecentMap<Value> {
  /** In the order of their last use, the oldest first. */
  readonly #entries = new Map<string, Value>()
  readonly #limits: RecentMapLimits
  #characters = 0

  constructor(limits: RecentMapLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    const { entries, characters } = this.#limits
    this.#delete(key)
    if (key.length > characters) return
    this.#entries.set(key, value)
    this.#characters += key.length
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= entries && this.#characters <= characters) return
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    if (this.#entries.delete(key)) this.#characters -= key.length
  }
}
