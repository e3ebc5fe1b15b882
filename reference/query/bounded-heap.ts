/**
 * Keeps a limited number of the smallest items that are offered. The largest of them is at the top of a heap, and is
 * replaced when a smaller item is offered.
 */
export class BoundedHeap<T> {
  readonly #wanted: number
  readonly compare: (a: T, b: T) => number
  /** A heap with the largest item first, once it is full; before that, the items in the order of arrival. */
  readonly #held: T[] = []

  constructor(wanted: number, compare: (a: T, b: T) => number) {
    this.#wanted = wanted
    this.compare = compare
  }

  get size(): number {
    return this.#held.length
  }

  /** @returns the item that is not kept: the offered one, or the one that it replaces */
  offer(item: T): T | undefined {
    const held = this.#held
    if (held.length < this.#wanted) {
      held.push(item)
      // The heap is built only when it is full, since often it never is.
      if (held.length === this.#wanted) for (let at = held.length >> 1; at >= 0; at -= 1) this.#sink(at)
      return undefined
    }
    const [greatest] = held
    if (greatest === undefined || this.compare(item, greatest) >= 0) return item
    held[0] = item
    this.#sink(0)
    return greatest
  }

  /** All kept items, in no particular order. */
  get items(): readonly T[] {
    return this.#held
  }

  #sink(from: number): void {
    const held = this.#held
    const item = held[from] as T
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= held.length) break
      if (child + 1 < held.length && this.compare(held[child + 1] as T, held[child] as T) > 0) child += 1
      if (this.compare(held[child] as T, item) <= 0) break
      held[at] = held[child] as T
      at = child
    }
    held[at] = item
  }
}
