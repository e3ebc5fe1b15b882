/**
 * The report for machines: `spec/report.schema.json`.
 *
 * @module
 */

import { visibleJson } from '../../exchange/visible.ts'
import type { CoverageReport } from '../../validate/coverage/coverage-report.ts'
import type { RunReport } from '../vocabulary/report.ts'

/**
 * Findings are sorted by id, so that two reports can be compared line by line. No string contains invisible characters.
 */
export function jsonReport(report: RunReport): string {
  const findings = [...report.findings].sort((a, b) => (a.requirement < b.requirement ? -1 : 1))
  const { coverage } = report
  const text = visibleJson({ ...report, findings, coverage: { ...coverage, seen: {} } }, 2)
  return `${withRows(text, coverage, 4)}\n`
}

/** The coverage alone, in the same form. */
export function coverageJson(coverage: CoverageReport): string {
  return `${withRows(visibleJson({ ...coverage, seen: {} }, 2), coverage, 2)}\n`
}

/**
 * Inserts the rows into JSON without rows: one line per row, since there are hundreds. The key is on its own line, so
 * it is found reliably: line breaks in strings are escaped.
 *
 * @param depth spaces before the key
 */
function withRows(text: string, { seen }: CoverageReport, depth: number): string {
  const start = `\n${' '.repeat(depth)}`
  const operations = Object.entries(seen).map(([operation, rows]) => {
    const lines = rows.map((row) => `${start}    ${visibleJson(row)}`)
    return `${start}  ${visibleJson(operation)}: [${lines.join(',')}${start}  ]`
  })
  const all = operations.length === 0 ? '{}' : `{${operations.join(',')}${start}}`
  return text.replace(`${start}"seen": {}`, () => `${start}"seen": ${all}`)
}
