import { describe, expect, it } from 'vitest'
import { Overlap } from './overlap.ts'

/** Work that ends on request. */
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

describe('two sessions of a run', () => {
  const begun = async (promise: Promise<unknown>) => {
    let ended = false
    promise.then(() => {
      ended = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    return !ended
  }

  it('know the writes of each other', async () => {
    const one = new Overlap()
    const other = new Overlap(one)
    const writing = work()
    const write = one.during('POST', writing.run)
    expect(await other.during('GET', async () => 'list')).toMatchObject({ amidWrites: true })
    writing.end()
    await write
  })

  it('hold their writes back while the other one reads undisturbed, and only then', async () => {
    const one = new Overlap()
    const other = new Overlap(one)
    const [reading, writing] = [work(), work()]
    const earlier = other.during('POST', writing.run)
    let reads = false
    const read = one.undisturbed(async () => {
      reads = true
      await reading.run()
    })
    expect(await begun(read)).toBe(true)
    expect(reads).toBe(false)
    writing.end()
    await earlier
    expect(await begun(read)).toBe(true)
    expect(reads).toBe(true)
    // Its own writes go on.
    await one.during('POST', async () => {})
    const later = other.during('DELETE', async () => 'deleted')
    expect(await begun(later)).toBe(true)
    reading.end()
    await read
    expect(await later).toMatchObject({ result: 'deleted' })
  })

  it('never write while the other one reads undisturbed, however fast reads follow each other', async () => {
    const one = new Overlap()
    const other = new Overlap(one)
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    let [reading, writing, together] = [0, 0, 0]
    const read = async () => {
      reading += 1
      together += writing
      await turn()
      together += writing
      reading -= 1
    }
    const write = async () => {
      writing += 1
      together += reading
      await turn()
      writing -= 1
    }
    const reads = async () => {
      for (let at = 0; at < 100; at++) await one.undisturbed(read)
    }
    const writes = async () => {
      for (let at = 0; at < 20; at++) await other.during('POST', write)
    }
    await Promise.all([reads(), writes()])
    expect(together).toBe(0)
  })
})
