/** Lists of known failures. */

import { describe, expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { conformance as command } from '../support/run-here.ts'
import { MINUTE, targetRuns } from '../support/target-runs.ts'

const { conformance, file, run, started } = targetRuns(command)

describe('known failures', () => {
  const list = (...rows: string[]) => `known:\n${rows.map((row) => `  - { ${row} }\n`).join('')}`
  const only = ['--only', 'list.total-pages,list.full-pages,record.id']

  // Five runs. `npm test` has harness/judging/baseline.test.ts.
  it.runIf(inFull)(
    'are listed and not counted; a fixed, an expired or an unknown one fails the run',
    async () => {
      const { target } = await started({ defect: 'rounds totalPages down' })
      const path = file('defect.json', target)
      const plain = await run(['--target', path, ...only])
      const failed = plain.report.findings.filter(({ status }) => status === 'fail')
      expect([plain.code, failed.map(({ requirement }) => requirement)]).toEqual([
        1,
        expect.arrayContaining(['list.total-pages']),
      ])

      const rows = failed.map(({ requirement }) => `requirement: ${requirement}, reason: it rounds down`)
      const known = await run(['--target', path, ...only, '--baseline', file('known.yaml', list(...rows))])
      expect([known.code, known.report.baseline?.known]).toEqual([0, failed.length])
      expect(known.out).toMatch(/known failures\n.*list\.total-pages {2}it rounds down/s)

      const passes = await run([
        '--target',
        path,
        ...only,
        '--baseline',
        file('passes.yaml', list(...rows, 'requirement: record.id, reason: none')),
      ])
      expect(passes.out).toMatch(/record\.id is listed as known, but passes/)
      expect(passes.code).toBe(1)

      const old = await run([
        '--target',
        path,
        ...only,
        '--baseline',
        file('old.yaml', list(...rows.map((row) => `${row}, expires: 2020-01-01`))),
      ])
      expect(old.out).toMatch(/until 2020-01-01/)
      expect(old.code).toBe(1)

      const typo = await conformance([
        '--target',
        path,
        '--baseline',
        file('typo.yaml', list('requirement: list.totl-pages, reason: x')),
      ])
      expect(typo.out).toMatch(/did you mean "list\.total-pages"/)
      expect(typo.code).toBe(2)
    },
    2 * MINUTE,
  )
})
