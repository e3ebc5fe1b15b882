import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRecordingQueue, type QueueLimits } from './recording-queue.ts'

function queueOf(limits: QueueLimits, ready: Promise<unknown> = Promise.resolve()) {
  const done: number[] = []
  let dropped = 0
  const queue = createRecordingQueue<number>(
    (item) => done.push(item),
    () => {
      dropped += 1
    },
    ready,
    limits,
  )
  return { queue, done, dropped: () => dropped }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

it('does all work of a burst that fits, in order', async () => {
  const { queue, done, dropped } = queueOf({ items: 1_000, bytes: 1_000 })
  for (const item of numbers(1_000)) queue.add(item, 1)
  expect(done).toEqual([])
  await queue.settled()
  expect(done).toEqual(numbers(1_000))
  expect(dropped()).toBe(0)
})

it('drops the oldest of what does not fit, by number and by bytes, and counts it', async () => {
  const byNumber = queueOf({ items: 3, bytes: 1_000 })
  for (const item of numbers(10)) byNumber.queue.add(item, 1)
  await byNumber.queue.settled()
  expect([byNumber.done, byNumber.dropped()]).toEqual([[7, 8, 9], 7])

  const byBytes = queueOf({ items: 100, bytes: 30 })
  for (const item of numbers(5)) byBytes.queue.add(item, 10)
  byBytes.queue.add(5, 31)
  await byBytes.queue.settled()
  expect([byBytes.done, byBytes.dropped()]).toEqual([[2, 3, 4], 3])
})

it('settles what was added before, not what comes after', async () => {
  const { queue, done } = queueOf({ items: 10, bytes: 1_000 })
  await queue.settled()
  queue.add(1, 1)
  const settled = queue.settled()
  const more = setInterval(() => queue.add(0, 1), 0)
  await settled
  clearInterval(more)
  expect(done[0]).toBe(1)
})

it('records in slices, so that other work is not delayed', async () => {
  const done: number[] = []
  const slow = (item: number) => {
    const end = performance.now() + 2
    while (performance.now() < end) done[item] = item
  }
  const queue = createRecordingQueue(slow, () => {}, Promise.resolve(), { items: 100, bytes: 1_000 })
  for (const item of numbers(20)) queue.add(item, 1)
  await setImmediate()
  await setImmediate()
  await setImmediate()
  expect(done.length).toBeLessThan(10)
})

it('waits until it may begin', async () => {
  let open = () => {}
  const { queue, done } = queueOf({ items: 5, bytes: 100 }, new Promise<void>((resolve) => (open = resolve)))
  for (const item of numbers(7)) queue.add(item, 1)
  await setImmediate()
  expect(done).toEqual([])
  open()
  await queue.settled()
  expect(done).toEqual([2, 3, 4, 5, 6])
})
