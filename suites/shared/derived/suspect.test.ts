import { expect, it } from 'vitest'
import type { DerivedCase } from './case.ts'
import { type SentCase, suspect } from './suspect.ts'

function attempt(what: string, status: number): SentCase {
  return { derived: { title: what } as DerivedCase, what, status, isAccepted: status < 300 }
}

it('a single request is named without others', () => {
  expect(suspect([attempt('one', 400)]).what).toBe('one, which returned 400,')
})

it('an effect is rather that of a request that was accepted', () => {
  const { derived, what } = suspect([attempt('one', 400), attempt('two', 204), attempt('three', 400)])
  expect(what).toBe('two, which returned 204, or another of these 3 requests,')
  expect(derived.title).toBe('two')
})

it('if all were rejected, it may be that of each of them', () => {
  const { what } = suspect([attempt('one', 400), attempt('two', 422)])
  expect(what).toBe('two, which returned 422, or another of these 2 requests,')
})
