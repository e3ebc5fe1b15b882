/** Tables that are there already, and runs that only read. */

import { describe, expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { conformance as command } from '../support/run-here.ts'
import { MINUTE, targetRuns } from '../support/target-runs.ts'

const { file, journals, run, started } = targetRuns(command)

describe('tables that are there already', () => {
  it(
    'one plain table with one text field, and an auth table, run what fits and leave nothing',
    async () => {
      const { server, target: whole } = await started()
      const { tables, binding, capabilities, operations } = whole
      const target = {
        baseUrl: server.baseUrl,
        binding,
        capabilities,
        operations,
        tables: { plain: tables.plain, members: tables.members },
      }
      const { report } = await run([
        '--target',
        file('two.json', target),
        '--only',
        'stated,implied',
        '--runs',
        inFull ? '1' : '0.1',
      ])
      const passed = report.findings.filter(({ status }) => status === 'pass').map((each) => each.requirement)
      expect(passed).toEqual(
        expect.arrayContaining([
          'list.total-pages',
          'create.persists',
          'update.applies',
          'delete.removes',
          'auth.password-sign-in',
          'auth.password-wrong',
          'refresh.extends',
        ]),
      )
      expect(passed.length).toBeGreaterThan(50)
      expect(report.findings.filter(({ status }) => status === 'fail')).toEqual([])
      expect(report.smoke.unlocks.length).toBeGreaterThan(3)
      expect(server.count()).toBe(0)
      expect(journals()).toEqual([])
    },
    MINUTE,
  )

  it(
    'are only read if that is requested: GET and sign-in, as the counts of the run and the log of the server show',
    async () => {
      const { server, target } = await started()
      const path = file('read.json', target)
      const { report, out } = await run(['--target', path, '--read-only'])
      expect(report.sent).toMatchObject({ writes: 0 })
      expect(report.sent?.reads).toBeGreaterThan(5)
      expect(out).toMatch(/nothing was written/)
      expect(server.log.filter((line) => !/^(GET|HEAD) |auth-with-password$/.test(line))).toEqual([])
      expect(report.findings.filter(({ status }) => status === 'fail')).toEqual([])
      expect(report.findings.filter(({ status }) => status === 'pass').length).toBeGreaterThan(2)
    },
    MINUTE,
  )
})
