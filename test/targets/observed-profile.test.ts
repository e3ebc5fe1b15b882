/** A profile that was observed, and is claimed from then on. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { conformance as command } from '../support/run-here.ts'
import { MINUTE, targetRuns } from '../support/target-runs.ts'

const { file, folder, run, started } = targetRuns(command)

// Two runs of most checks. `npm test` has harness/judging/observed.test.ts.
it.runIf(inFull)(
  'an observation becomes a profile that can be claimed, and what leaves it later fails',
  async () => {
    const { target } = await started()
    const path = file('claims.json', target)
    const profile = join(folder, 'mine.profile.yaml')
    const only = ['--only', 'profile', '--skip', 'derived,filter,sort,robust', '--runs', '0.1']
    const seen = await run(['--target', path, ...only, '--write-profile', profile])
    expect(seen.out).toMatch(/worth a look: relevant to security/)
    expect(readFileSync(profile, 'utf8')).toMatch(/follows:\n {2}- \w+\./)
    const claimed = await run(['--target', path, ...only, '--profile', profile])
    expect(claimed.report.verdict.profile).toMatchObject({ claimed: true, failed: 0 })
    expect(claimed.report.verdict.profile.passed).toBeGreaterThan(3)
  },
  2 * MINUTE,
)
