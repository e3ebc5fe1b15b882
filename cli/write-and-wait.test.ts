import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { writeAndWait } from './write-and-wait.ts'

it('waits for a reader that is slow', async () => {
  let take = () => {}
  const slow = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      take = done
    },
  })
  let over = false
  const written = writeAndWait(slow, 'text').then(() => {
    over = true
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(over).toBe(false)
  take()
  await written
})

it('does not wait for a reader that has left', async () => {
  const broken = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => done(new Error('EPIPE')),
  })
  broken.on('error', () => {})
  await expect(writeAndWait(broken, 'text')).resolves.toBeUndefined()
  await expect(writeAndWait(broken, 'more')).resolves.toBeUndefined()
})
