import { expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import { Evidence } from './evidence-limits.ts'

const exchange = (number: number, length: number): Exchange => ({
  number,
  actor: 'guest',
  request: { method: 'GET', url: '/', headers: {}, body: '', bytes: 0 },
  response: { status: 200, headers: { a: 'x'.repeat(length - 2) }, body: '', bytes: 0 },
  ms: 1,
})
const three = (length: number) => [1, 2, 3].map((number) => exchange(number, length))
const numbers = (exchanges: readonly Exchange[]) => exchanges.map(({ number }) => number)

it('evidence is complete if it fits', () => {
  const evidence = new Evidence({ finding: 300, run: 1_000 })
  expect(numbers(evidence.take(three(100)))).toEqual([1, 2, 3])
  expect(evidence.take([])).toEqual([])
})

it('the evidence of a finding loses its first exchanges, never the deciding one', () => {
  const evidence = new Evidence({ finding: 250, run: 10_000 })
  expect(numbers(evidence.take(three(100)))).toEqual([2, 3])
  expect(numbers(evidence.take(three(1_000)))).toEqual([3])
})

it('the evidence of a run is limited: beyond the limit, findings keep only the deciding exchange', () => {
  const evidence = new Evidence({ finding: 1_000, run: 500 })
  expect(numbers(evidence.take(three(100)))).toEqual([1, 2, 3])
  expect(numbers(evidence.take(three(100)))).toEqual([2, 3])
  expect(numbers(evidence.take(three(100)))).toEqual([3])
})
