import { expect, it } from 'vitest'
import type { Exchange } from '../../../exchange/exchange.ts'
import { twinOf } from './twin-of.ts'

const message = { headers: {}, body: '', bytes: 0 }

function exchange(number: number, url: string, operation: Exchange['operation'] = 'viewRecord'): Exchange {
  const request = { ...message, method: 'GET', url: `http://127.0.0.1/${url}` }
  return { number, operation, actor: 'guest', request, response: { ...message, status: 200 }, ms: 1 }
}

it('is the same request at the same place, whatever ids a run makes up', () => {
  const failed = [
    exchange(5, 'notes/aaaa1111bbbb222'),
    exchange(6, 'notes'),
    exchange(7, 'notes/cccc3333dddd444'),
  ]
  const passed = [
    exchange(1, 'notes/eeee5555ffff666'),
    exchange(2, 'notes'),
    exchange(3, 'notes/gggg7777hhhh888'),
  ]
  expect(twinOf(failed[0], failed, passed, [])).toBe(passed[0])
  expect(twinOf(failed[2], failed, passed, [])).toBe(passed[2])
})

it('is otherwise the last of the same address, of the operation, or of all', () => {
  const passed = [exchange(1, 'notes?page=2'), exchange(2, 'other'), exchange(3, 'batch', 'batch')]
  const deciding = exchange(9, 'notes?page=3')
  expect(twinOf(deciding, [deciding], passed, [])).toBe(passed[0])
  expect(twinOf(exchange(9, 'elsewhere'), [], passed, [])).toBe(passed[1])
  expect(twinOf(undefined, [], passed, ['viewRecord'])).toBe(passed[1])
  expect(twinOf(undefined, [], passed, ['listRecords'])).toBe(passed[2])
  expect(twinOf(deciding, [deciding], [], [])).toBeUndefined()
})
