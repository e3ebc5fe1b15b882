import { expect, it } from 'vitest'
import { StoppedError } from '../errors.ts'
import { RequestCount } from './request-count.ts'

it('adds requests by kind, up to the limit', () => {
  const count = new RequestCount(2)
  count.add('reads')
  count.add('signIns')
  expect(() => count.add('reads')).toThrow(
    new StoppedError('the limit of 2 requests (--max-requests) was reached'),
  )
  expect([count.requests, count.sent]).toEqual([2, { reads: 1, signIns: 1, writes: 0 }])
})
