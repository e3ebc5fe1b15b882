/**
 * The report for machines: `spec/report.schema.json`.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/findings.ts'

/** Findings stand in the order of their ids, so that two reports can be compared line by line. */
export function jsonReport(report: RunReport): string {
  const findings = [...report.findings].sort((a, b) => (a.requirement < b.requirement ? -1 : 1))
  return `${JSON.stringify({ ...report, findings }, null, 2)}\n`
}
