/**
 * The report for machines: `spec/report.schema.json`.
 *
 * @module
 */

import { visibleJson } from '../../exchange/visible.ts'
import type { CoverageReport } from '../../validate/coverage/coverage-report.ts'
import type { RunReport } from '../vocabulary/findings.ts'

/** Findings stand in the order of their ids, so that two reports can be compared line by line. No string in it hides anything. */
export function jsonReport(report: RunReport): string {
  const findings = [...report.findings].sort((a, b) => (a.requirement < b.requirement ? -1 : 1))
  const { coverage } = report
  const text = visibleJson({ ...report, findings, coverage: { ...coverage, seen: {} } }, 2)
  // As a line of its own it can only be the key: in a string, the end of a line is escaped.
  return `${text.replace('\n    "seen": {}', () => `\n    "seen": ${rowsJson(coverage.seen)}`)}\n`
}

/** A line for each row, of which there are hundreds. */
function rowsJson(seen: CoverageReport['seen']): string {
  const operations = Object.entries(seen).map(([operation, rows]) => {
    const lines = rows.map((row) => `\n        ${visibleJson(row)}`)
    return `\n      ${JSON.stringify(operation)}: [${lines.join(',')}\n      ]`
  })
  return operations.length === 0 ? '{}' : `{${operations.join(',')}\n    }`
}
