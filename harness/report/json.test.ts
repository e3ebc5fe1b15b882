import { expect, it } from 'vitest'
import { nasty, sampleReport } from '../../test/support/sample-report.ts'
import { coverageOf } from '../../validate/coverage/coverage-report.ts'
import { jsonReport } from './json.ts'

it('contains all of a report, with one line for each row of the coverage', () => {
  const report = sampleReport()
  const text = jsonReport(report)
  const { findings, ...rest } = JSON.parse(text)
  expect(rest).toEqual(JSON.parse(JSON.stringify({ ...report, findings: undefined })))
  expect(findings).toHaveLength(report.findings.length)
  expect(text).toMatch(/\n {8}\{"status":200,"actor":"guest",.*\}\n {6}\]\n {4}\},/)
})

it('contains a report without coverage, whatever a server sent', () => {
  const empty = coverageOf({}, 1)
  const trap = `${nasty}\n    "seen": {}$&`
  const report = { ...sampleReport(), coverage: empty, leftovers: [{ table: trap, id: '', reason: trap }] }
  const { coverage, leftovers } = JSON.parse(jsonReport(report))
  expect(coverage).toEqual(empty)
  expect(leftovers).toEqual(report.leftovers)
})
