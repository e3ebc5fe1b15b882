/** Three probes with pauses before a target counts as lost. */

import { expect, it } from 'vitest'
import { NetworkError } from '../errors.ts'
import { createProbe, probePauses } from './probe.ts'

/** A target that returns these responses, then none. */
function probed(...responses: ('response' | 'cut' | 'oversized')[]) {
  const paused: number[] = []
  let sent = 0
  const alive = createProbe(
    async () => {
      const response = responses[sent++] ?? 'cut'
      if (response !== 'response') throw new NetworkError(response, 'GET /', new Error(response))
    },
    async (ms) => void paused.push(ms),
  )
  return { alive, paused, sent: () => sent }
}

it('tolerates one broken connection, and two', async () => {
  const { alive, paused, sent } = probed('cut', 'cut', 'response')
  expect(await alive()).toBe(true)
  expect([sent(), paused]).toEqual([3, probePauses.slice(1)])
})

it('accepts any response immediately', async () => {
  const { alive, paused, sent } = probed('oversized')
  expect([await alive(), sent(), paused]).toEqual([true, 1, []])
})

it('gives up after the third probe, and then sends one at a time until the target responds', async () => {
  const { alive, paused, sent } = probed('cut', 'cut', 'cut', 'cut', 'response', 'cut', 'response')
  expect([await alive(), sent()]).toEqual([false, 3])
  expect([await alive(), sent()]).toEqual([false, 4])
  expect([await alive(), sent()]).toEqual([true, 5])
  expect([await alive(), sent()]).toEqual([true, 7])
  expect(paused).toEqual([...probePauses.slice(1), probePauses[1]])
})

it('concurrent callers share a probe', async () => {
  const { alive, sent } = probed()
  expect(await Promise.all([alive(), alive(), alive()])).toEqual([false, false, false])
  expect(sent()).toBe(3)
})
