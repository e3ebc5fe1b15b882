/** What is only about requests at the same time cannot be judged where the tester has them sent one after the other. */

import { expect, it } from 'vitest'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import { startEmbedded } from '../harness/target/embedded.ts'
import { loadRequirements } from '../spec/requirements.ts'

it.each([
  ['--concurrency 1', { concurrency: 1 }, 'remove --concurrency 1'],
  ['a --rate that leaves time for each', { rate: 190 }, 'remove --rate, or use at least 200'],
])('checks of concurrent requests do not pass with %s', async (_, options, hint) => {
  const requirements = loadRequirements()
  const checks = planChecks(await loadSuites(), requirements, { only: ['*at-once', 'batch.isolation'] })
  const { target, close } = await startEmbedded({ seed: 7 })
  try {
    const { findings } = await runInProcess(checks, target, { requirements }, { seed: 7, ...options })
    expect(findings.map(({ status, hint }) => [status, hint])).toEqual(checks.map(() => ['untestable', hint]))
    expect(checks.length).toBeGreaterThan(5)
  } finally {
    await close()
  }
})
