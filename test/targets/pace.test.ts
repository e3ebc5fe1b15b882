/** Slow servers: pace and budgets. */

import { describe, expect, it } from 'vitest'
import { conformance as command } from '../support/run-here.ts'
import { MINUTE, targetRuns } from '../support/target-runs.ts'

const { file, run, started } = targetRuns(command)

describe('pace and budgets', () => {
  it(
    'requests are spread, and a budget ends the run with what was learned',
    async () => {
      const { server, target } = await started()
      const path = file('slow.json', target)
      const begin = Date.now()
      const { code, report, out } = await run([
        '--target',
        path,
        '--only',
        'record,list',
        '--rate',
        '50',
        '--max-requests',
        '150',
      ])
      expect(Date.now() - begin).toBeGreaterThan(1_000)
      expect(out).toMatch(/the limit of 150 requests \(--max-requests\) was reached/)
      expect([code, report.verdict.outcome]).toEqual([3, 'incomplete'])
      expect(report.findings.length).toBeGreaterThan(0)
      expect(server.count()).toBe(0)
    },
    MINUTE,
  )

  it(
    'so does the time budget',
    async () => {
      const { server, target } = await started({ delay: () => 40 })
      const path = file('late.json', target)
      const { code, out } = await run(['--target', path, '--only', 'stated,implied', '--max-time', '8'])
      expect(out).toMatch(/the limit of 8 seconds \(--max-time\) was reached/)
      expect(code).toBe(3)
      expect(server.count()).toBe(0)
    },
    MINUTE,
  )
})
