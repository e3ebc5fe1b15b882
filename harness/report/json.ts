/**
 * The report for machines: `spec/report.schema.json`.
 *
 * @module
 */

import { visibleJson } from '../../exchange/visible.ts'
import type { RunReport } from '../vocabulary/findings.ts'

/** Findings stand in the order of their ids, so that two reports can be compared line by line. No string in it hides anything. */
export function jsonReport(report: RunReport): string {
  const findings = [...report.findings].sort((a, b) => (a.requirement < b.requirement ? -1 : 1))
  return `${visibleJson({ ...report, findings }, 2)}\n`
}
