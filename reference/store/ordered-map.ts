/**
 * The package that the store is built on, with the part of its interface that is used.
 *
 * @module
 */

import sortedBTree from 'sorted-btree'

/**
 * The map that the store consists of. It is ordered by key, and `clone()` takes constant time, because clones share
 * their nodes until one of them writes.
 */
export interface OrderedMap<K, V> {
  readonly size: number
  get(key: K): V | undefined
  has(key: K): boolean
  set(key: K, value: V): unknown
  delete(key: K): boolean
  /** Pairs from `lowest` on, in key order. */
  entries(lowest?: K): IterableIterator<[K, V]>
  /** Pairs from `highest` back, in reverse order. */
  entriesReversed(highest?: K): IterableIterator<[K, V]>
  values(): IterableIterator<V>
  minKey(): K | undefined
  maxKey(): K | undefined
  /** Calls `onFound` for the pairs from `low` to `high`, in key order, until it returns something. */
  forRange(
    low: K,
    high: K,
    includeHigh: boolean,
    onFound: (key: K, value: V, at: number) => { break: true } | undefined,
  ): unknown
  clone(): OrderedMap<K, V>
}

// The package is CommonJS: Node provides its `module.exports` as the default import.
const BTree = (
  'default' in sortedBTree ? sortedBTree.default : sortedBTree
) as typeof import('sorted-btree').default

function ascending<K extends string | number>(a: K, b: K): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** @param compare the order of the keys; by default the order of `<`, which the engine compares several times faster */
export function orderedMap<K extends string | number, V>(): OrderedMap<K, V>
export function orderedMap<K, V>(compare: (a: K, b: K) => number): OrderedMap<K, V>
export function orderedMap<K, V>(
  compare: (a: K, b: K) => number = ascending as (a: K, b: K) => number,
): OrderedMap<K, V> {
  return new BTree<K, V>(undefined, compare)
}
