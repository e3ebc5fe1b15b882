import { expect, it } from 'vitest'
import { checksAtOnce } from './concurrent-checks.ts'

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms)

it.each<[string, number[], number | undefined, number]>([
  ['a quick server', times(30, 3), undefined, 1],
  ['a quick server on a busy machine', [...times(10, 5), ...times(20, 400)], undefined, 1],
  ['a slow server', times(30, 150), undefined, 16],
  ['a slow server that may get few requests at once', times(30, 150), 4, 4],
  ['a server that has not responded', [], undefined, 1],
])('at %s', (_, responses, most, expected) => {
  expect(checksAtOnce(responses, most)).toBe(expected)
})
