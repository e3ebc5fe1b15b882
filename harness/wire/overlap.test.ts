import { expect, it } from 'vitest'
import { Overlap } from './overlap.ts'

/** Work that ends when it is told to. */
function work() {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { run: () => promise, end: () => end() }
}

it.each<
  [string, (read: () => Promise<unknown>, write: () => Promise<unknown>) => Promise<unknown>[], boolean]
>([
  ['alone', (read) => [read()], false],
  ['after a write has begun', (read, write) => [write(), read()].reverse(), true],
  ['before a write begins', (read, write) => [read(), write()], true],
  ['together with another read', (read) => [read(), read()], false],
])('a read %s', async (_, start, expected) => {
  const overlap = new Overlap()
  const [reading, writing] = [work(), work()]
  const [read] = start(
    () => overlap.during('GET', reading.run),
    () => overlap.during('POST', writing.run),
  )
  reading.end()
  expect(await read).toMatchObject({ amidWrites: expected })
  writing.end()
})

it('forgets a write that has ended, or failed', async () => {
  const overlap = new Overlap()
  await overlap.during('PATCH', async () => {})
  await overlap
    .during('DELETE', async () => {
      throw new Error('no response')
    })
    .catch(() => {})
  expect(await overlap.during('GET', async () => 'list')).toEqual({ result: 'list', amidWrites: false })
})
