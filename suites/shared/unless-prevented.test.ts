import { expect, it } from 'vitest'
import {
  BlockedError,
  BrokenConnectionError,
  ExpectationError,
  RateLimitedError,
  UntestableError,
} from '../../harness/judging/expect.ts'
import { unlessPrevented, unlessUntestable } from './unless-prevented.ts'

const reset = new BrokenConnectionError('the connection was reset', 'nothing', {
  fault: 'cut',
  words: 'the connection was reset',
  request: 'POST http://127.0.0.1/',
  kind: 'POST createRecord',
  position: 1,
  sent: true,
  confirmed: false,
})

const failing = (error: Error) => unlessPrevented(() => Promise.reject(error))

it.each([
  new BlockedError('no account'),
  new UntestableError('no hook'),
  new ExpectationError('no', 'yes', 'no'),
  reset.confirm('in each of 3 runs'),
])('unlessPrevented leaves the finding to another check: $name', async (error) => {
  expect(await failing(error)).toBeUndefined()
})

it.each([reset, new RateLimitedError(), new TypeError('ours')])('passes on: $name', async (error) => {
  await expect(failing(error)).rejects.toBe(error)
  await expect(unlessUntestable(() => Promise.reject(error))).rejects.toBe(error)
})

it('unlessUntestable passes on what the target does wrong', async () => {
  const wrong = new ExpectationError('no', 'yes', 'no')
  await expect(unlessUntestable(() => Promise.reject(wrong))).rejects.toBe(wrong)
  expect(await unlessUntestable(() => Promise.reject(new UntestableError('no hook')))).toBeUndefined()
})

it('returns what was made', async () => {
  expect(await unlessPrevented(async () => 'made')).toBe('made')
})
