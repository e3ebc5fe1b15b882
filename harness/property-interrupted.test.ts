import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runProperty } from './judging/property.ts'
import type { Session } from './session.ts'

it('ends no sooner than the example that was under way when its time was over', async () => {
  const cleaned: number[] = []
  const session = {
    options: { seed: 1 },
    recorder: { open: () => ({ exchanges: [], close() {} }) },
    ledger: { mark: () => 0, cleanTo: async (mark: number) => void cleaned.push(mark) },
  } as unknown as Session
  let under = 0
  await runProperty(
    { session, check: 'a.check', index: 0, replay: undefined, signal: new AbortController().signal },
    [fc.nat()],
    async (_value) => {
      under += 1
      await new Promise((resolve) => setTimeout(resolve, 60))
      under -= 1
    },
    { timeLimit: 100 },
  )
  expect(under).toBe(0)
  expect(cleaned.length).toBeGreaterThan(1)
})
