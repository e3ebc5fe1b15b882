/**
 * Makes reading whole tables cheap, which every filter without an index does.
 *
 * @module
 */

import type { OrderedMap } from './ordered-map.ts'

/** Values that are read from the map at once: a page takes few, a filter takes all. */
const [fewest, most] = [32, 1024]

/**
 * Values in pieces, as arrays: a loop over an array takes a fraction of the time of an iterator, and the iterator of a
 * map, which makes two objects for each value, takes longer than most conditions of a filter.
 */
export class Scan<V> implements Iterable<V> {
  readonly #pieces: () => Iterable<readonly V[]>

  constructor(pieces: () => Iterable<readonly V[]>) {
    this.#pieces = pieces
  }

  *[Symbol.iterator](): Iterator<V> {
    for (const piece of this.#pieces()) yield* piece
  }

  /** The pieces of a scan, or an array as it is. Of anything else each value is a piece. */
  static *piecesOf<V>(values: Iterable<V>): Iterable<readonly V[]> {
    if (values instanceof Scan) yield* (values as Scan<V>).#pieces()
    else if (Array.isArray(values)) yield values
    else for (const value of values) yield [value]
  }
}

/**
 * The values of a map that does not change meanwhile, in key order.
 *
 * @param skip values to leave out at the beginning; not read if fewer are left than left out
 */
export function* valuesInPieces<K, V>(map: OrderedMap<K, V>, skip = 0): Iterable<readonly V[]> {
  const last = map.maxKey()
  let next = skip === 0 ? map.minKey() : keyAt(map, skip)
  for (let size = fewest; next !== undefined && last !== undefined; size = Math.min(2 * size, most)) {
    const piece: V[] = []
    const first: K = next
    next = undefined
    map.forRange(first, last, true, (key, value) => {
      if (piece.length < size) {
        piece.push(value)
        return undefined
      }
      next = key
      return { break: true }
    })
    yield piece
  }
}

/** Passes on what it is given, and to `keep` all of it, if it is read to its end. */
export function* kept<T>(given: Iterable<T>, keep: (all: readonly T[]) => void): Iterable<T> {
  const all: T[] = []
  for (const each of given) {
    all.push(each)
    yield each
  }
  keep(all)
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
