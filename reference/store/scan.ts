/**
 * Makes reading whole tables cheap, which every filter without an index does.
 *
 * @module
 */

import type { OrderedMap } from './ordered-map.ts'

/** Values that are read from the map at once: a page takes few, a filter takes all. */
const [fewest, most] = [32, 1024]

/**
 * The values of a map that does not change meanwhile, in key order. The map's own iterator makes two objects for each
 * value, which takes longer than most conditions of a filter. So this reads the values in pieces, and returns the same
 * object for each.
 */
export class Scan<K, V> implements IterableIterator<V> {
  readonly #map: OrderedMap<K, V>
  readonly #last: K | undefined
  /** The first key that is not read yet. */
  #next: K | undefined
  #piece: V[] = []
  #at = 0
  #size = fewest
  readonly #result: { done: boolean; value: V | undefined } = { done: false, value: undefined }

  /** @param skip values to leave out at the beginning; not read if fewer are left than left out */
  constructor(map: OrderedMap<K, V>, skip = 0) {
    this.#map = map
    this.#last = map.maxKey()
    this.#next = skip === 0 ? map.minKey() : keyAt(map, skip)
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<V> {
    const result = this.#result
    if (this.#at === this.#piece.length) this.#read()
    if (this.#at < this.#piece.length) {
      result.value = this.#piece[this.#at]
      this.#at += 1
    } else {
      result.done = true
      result.value = undefined
    }
    return result as IteratorResult<V>
  }

  #read(): void {
    const [first, last, size] = [this.#next, this.#last, this.#size]
    const piece: V[] = []
    this.#piece = piece
    this.#at = 0
    this.#next = undefined
    this.#size = Math.min(2 * size, most)
    if (first === undefined || last === undefined) return
    this.#map.forRange(first, last, true, (key, value) => {
      if (piece.length < size) {
        piece.push(value)
        return undefined
      }
      this.#next = key
      return { break: true }
    })
  }
}

/** The key at a position, counted from the nearer end. Undefined outside the map. */
export function keyAt<K, V>(map: OrderedMap<K, V>, position: number): K | undefined {
  const fromEnd = map.size - 1 - position
  if (position < 0 || fromEnd < 0) return undefined
  const [first, last] = [map.minKey(), map.maxKey()]
  if (first === undefined || last === undefined) return undefined
  if (position <= fromEnd) {
    let found: K | undefined
    map.forRange(first, last, true, (key, _, at) => {
      if (at < position) return undefined
      found = key
      return { break: true }
    })
    return found
  }
  let left = fromEnd
  for (const [key] of map.entriesReversed()) if (left-- === 0) return key
  return undefined
}
