import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runProperty } from './judging/property.ts'
import { SetUp } from './judging/set-up.ts'
import type { Session } from './session.ts'
import { ConnectionLog } from './wire/connection-log.ts'

it('ends no sooner than the example that was under way when its time was over', async () => {
  const cleaned: number[] = []
  const session = {
    options: { seed: 1 },
    connections: new ConnectionLog(),
    recorder: { open: () => ({ exchanges: [], close() {} }) },
    ledger: { mark: () => 0, cleanTo: async (mark: number) => void cleaned.push(mark) },
  } as unknown as Session
  let examples = 0
  let under = 0
  await runProperty(
    {
      session,
      check: 'a.check',
      index: 0,
      replay: undefined,
      signal: new AbortController().signal,
      setUp: new SetUp({ exchanges: [], requests: 0, sent: 0, close() {} }),
    },
    [fc.nat()],
    async (_value) => {
      examples += 1
      under += 1
      // Nothing but the second may depend on the clock: the first is done long before the time is over.
      if (examples > 1) await new Promise((resolve) => setTimeout(resolve, 1_300))
      under -= 1
    },
    { timeLimit: 1_000 },
  )
  expect(under).toBe(0)
  expect([examples, cleaned.length]).toEqual([2, 2])
})
