/** Of two orders the one is not done to its end when the other is lost: nothing that it finds would count. */

import { expect, it } from 'vitest'
import { runBuilt } from '../../test/support/built-script.ts'

it('one order that meets nobody stops the other', async () => {
  const { out, err } = await runBuilt(`
    const { runWithVitest } = await built('harness/engine/vitest-engine.js')
    const { startEmbedded } = await built('harness/target/embedded.js')
    const { target, close } = await startEmbedded({ seed: 3 })
    const order = { target, selection: {}, session: { seed: 3 }, bail: false, lane: 'first' }
    const lost = { ...order, target: { ...target, baseUrl: 'http://127.0.0.1:9' }, lane: 'second' }
    let findings = 0
    const events = { smoke() {}, finding: () => void (findings += 1) }
    const ended = await runWithVitest([lost, order], events).then(() => 'done', ({ fact }) => fact)
    console.log(JSON.stringify({ ended, findings }))
    await close()`)
  expect(err).toBe('')
  const { ended, findings } = JSON.parse(out)
  expect(ended).toMatch(/cannot be reached/)
  // Of more than four hundred.
  expect(findings).toBeLessThan(200)
})
