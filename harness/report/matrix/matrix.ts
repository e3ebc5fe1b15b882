/**
 * Several reports next to each other: requirements down, servers or versions across. Pure.
 *
 * @module
 */

import { documentSections, sectionNumber, sectionTitle } from '../../../spec/document-sections.ts'
import type { Basis, Level } from '../../../spec/vocabulary.ts'
import type { Finding, Status } from '../../vocabulary/finding.ts'
import type { RunReport } from '../../vocabulary/report.ts'
import { type StatusCount, statusCounts } from '../tally.ts'

export interface MatrixColumn {
  /** As given, or the name of the target. */
  name: string
  /** The verdict, a sentence for each basis. */
  verdict: readonly string[]
  outcome: RunReport['verdict']['outcome']
  counts: readonly StatusCount[]
}

/** What one server does about one requirement. */
export interface MatrixCell {
  /** Absent: the report does not contain the finding. */
  status?: Status
  /** Of an `observed` finding: whether it is as in the standard profile. */
  held?: boolean
  /** Empty for a pass. */
  message: string
}

export interface MatrixRow {
  requirement: string
  statement: string
  level: Level
  basis: Basis
  /** Number of the section. */
  section: string
  /** One for each column. */
  cells: readonly MatrixCell[]
  /** Not all servers do the same. */
  differs: boolean
}

export interface Matrix {
  columns: readonly MatrixColumn[]
  /** Those that have rows, in the order of the document. */
  sections: readonly { number: string; title: string }[]
  /** By section, then by id. */
  rows: readonly MatrixRow[]
}

/** @param reports in the order of the columns, with the names to show */
export function matrixOf(reports: readonly { name: string; report: RunReport }[]): Matrix {
  const findings = reports.map(
    ({ report }) => new Map(report.findings.map((finding) => [finding.requirement, finding])),
  )
  const ids = [...new Set(findings.flatMap((each) => [...each.keys()]))].sort()
  const order = [...documentSections.keys()]
  const rank = ({ section }: MatrixRow) => (order.includes(section) ? order.indexOf(section) : order.length)
  const rows = ids
    .flatMap((id) =>
      rowOf(
        id,
        findings.map((each) => each.get(id)),
      ),
    )
    .sort((one, other) => rank(one) - rank(other))
  const numbers = [...new Set(rows.map(({ section }) => section))]
  return {
    columns: reports.map(({ name, report: { verdict, findings: all } }) => ({
      name,
      verdict: verdict.lines,
      outcome: verdict.outcome,
      counts: statusCounts(all),
    })),
    sections: numbers.map((number) => ({ number, title: sectionTitle(number) })),
    rows,
  }
}

function rowOf(requirement: string, found: readonly (Finding | undefined)[]): MatrixRow[] {
  // The newest wording, should they differ: the last column is usually the newest report.
  const finding = found.findLast((each) => each !== undefined)
  if (finding === undefined) return []
  const { statement, level, basis } = finding
  const cells = found.map(cellOf)
  const differs = new Set(cells.map(({ status, held }) => `${status} ${held}`)).size > 1
  return [{ requirement, statement, level, basis, section: sectionNumber(finding), cells, differs }]
}

function cellOf(finding: Finding | undefined): MatrixCell {
  if (finding === undefined) return { message: '' }
  const { status, held, message } = finding
  return { status, held, message }
}
