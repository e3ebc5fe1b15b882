/**
 * A queue of bounded length for work that runs between requests. Items that do not fit are dropped and counted, the
 * oldest first: the log shows the newest requests, so it would drop the oldest first anyway.
 *
 * @module
 */

import { elapsed, timers } from '../reference/environment/timers.ts'

export interface QueueLimits {
  /** Most items that wait. */
  items: number
  /** Most bytes of the waiting items. An item that is larger than this alone is dropped. */
  bytes: number
}

/** The limits of `conformance serve`, which docs/serve.md states. */
const recordingLimits: QueueLimits = { items: 1_000, bytes: 32 * 1024 * 1024 }

export interface RecordingQueue<Item> {
  /** @param bytes approximate size of the item in memory */
  add(item: Item, bytes: number): void
  /** Resolves when everything added so far is done or dropped. */
  settled(): Promise<void>
}

/** Milliseconds of one slice of work; then requests can run. */
const sliceMs = 1

/** The same while a caller waits for the queue. */
const awaitedSliceMs = 10

interface Waiting<Item> {
  item: Item
  bytes: number
}

/**
 * @param work called for one item, synchronous; must not throw
 * @param onDrop called for each item that does not fit
 * @param ready no work runs before it resolves, and items wait until then
 */
export function createRecordingQueue<Item>(
  work: (item: Item) => void,
  onDrop: () => void,
  ready: Promise<unknown>,
  limits: QueueLimits = recordingLimits,
): RecordingQueue<Item> {
  // A ring buffer: removing the first item of a long list each time would cost more than the memory.
  const ring = new Array<Waiting<Item> | undefined>(limits.items)
  let [first, length, bytes] = [0, 0, 0]
  let added = 0
  let awaited: { upTo: number; resolve: () => void }[] = []
  let scheduled = false
  let open = false

  void ready.then(() => {
    open = true
    schedule()
  })

  function take(): Item | undefined {
    const oldest = ring[first]
    if (oldest === undefined) return undefined
    ring[first] = undefined
    first = (first + 1) % limits.items
    length -= 1
    bytes -= oldest.bytes
    return oldest.item
  }

  function schedule(): void {
    if (scheduled || !open || length === 0) return
    scheduled = true
    timers.setImmediate(slice)
  }

  function slice(): void {
    scheduled = false
    const end = elapsed() + (awaited.length > 0 ? awaitedSliceMs : sliceMs)
    do {
      const item = take()
      if (item !== undefined) work(item)
    } while (length > 0 && elapsed() < end)
    tellAwaited()
    schedule()
  }

  function tellAwaited(): void {
    const done = added - length
    const over = awaited.filter(({ upTo }) => upTo <= done)
    if (over.length === 0) return
    awaited = awaited.filter(({ upTo }) => upTo > done)
    for (const { resolve } of over) resolve()
  }

  return {
    add(item, size) {
      added += 1
      if (size > limits.bytes) return onDrop()
      while (length === limits.items || bytes + size > limits.bytes) {
        take()
        onDrop()
      }
      ring[(first + length) % limits.items] = { item, bytes: size }
      length += 1
      bytes += size
      schedule()
    },
    settled() {
      if (length === 0) return Promise.resolve()
      return new Promise((resolve) => awaited.push({ upTo: added, resolve }))
    },
  }
}
