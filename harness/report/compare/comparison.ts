/**
 * Two reports compared: which requirements broke, were fixed, or changed from one to the other. Pure.
 *
 * @module
 */

import { withoutNotes } from '../../judging/without-notes.ts'
import type { Finding, Status } from '../../vocabulary/finding.ts'
import type { RunReport } from '../../vocabulary/report.ts'

/**
 * `broke`: fails or warns now, and did not before · `lost`: passed before, and was not judged now · `fixed`: passes now,
 * and failed or warned before · `changed`: another outcome, or the same with another observation · `new`: only in the
 * second report · `gone`: only in the first.
 */
export type FindingChange = 'broke' | 'lost' | 'fixed' | 'changed' | 'new' | 'gone'

/** One requirement whose outcome differs. */
export interface ReportDifference {
  requirement: string
  change: FindingChange
  /** Absent for a new one. */
  before?: Finding
  /** Absent for a finding that only the first report has. */
  after?: Finding
}

export interface ReportComparison {
  before: RunReport
  after: RunReport
  /** In the order of the ids. */
  differences: readonly ReportDifference[]
  /** Requirements with the same outcome in both. */
  same: number
  /** Something broke or was lost, or the second run ended in an error and the first did not. */
  worse: boolean
  /** Why the two are not fully comparable: different versions of the suite, or different profiles. */
  notes: readonly string[]
}

/**
 * Compares two reports by the ids of their requirements. What a baseline lists is compared like everything else.
 *
 * @param before the report of the older version, or of the server to compare with
 * @param after the report of the newer version, or of the other server
 */
export function compareReports(before: RunReport, after: RunReport): ReportComparison {
  const [old, now] = [byId(before), byId(after)]
  const ids = [...new Set([...old.keys(), ...now.keys()])].sort()
  const differences = ids.flatMap((requirement): ReportDifference[] => {
    const [one, other] = [old.get(requirement), now.get(requirement)]
    const change = changeOf(one, other)
    if (change === undefined) return []
    return [{ requirement, change, ...(one && { before: one }), ...(other && { after: other }) }]
  })
  const ended = after.verdict.outcome === 'error' && before.verdict.outcome !== 'error'
  return {
    before,
    after,
    differences,
    same: ids.length - differences.length,
    worse: ended || differences.some(({ change }) => change === 'broke' || change === 'lost'),
    notes: notesOf(before, after),
  }
}

function byId({ findings }: RunReport): Map<string, Finding> {
  return new Map(findings.map((finding) => [finding.requirement, finding]))
}

const bad: ReadonlySet<Status> = new Set(['fail', 'warn'])
const unjudged: ReadonlySet<Status> = new Set(['blocked', 'untestable', 'not-applicable'])

function changeOf(before: Finding | undefined, after: Finding | undefined): FindingChange | undefined {
  if (before === undefined) return 'new'
  if (after === undefined) return 'gone'
  if (before.status === after.status)
    return observationOf(before) === observationOf(after) ? undefined : 'changed'
  if (before.status === 'warn' && after.status === 'fail') return 'broke'
  if (bad.has(after.status) && !bad.has(before.status)) return 'broke'
  if (before.status === 'pass' && unjudged.has(after.status)) return 'lost'
  if (bad.has(before.status) && after.status === 'pass') return 'fixed'
  return 'changed'
}

/**
 * The observation, without parts that differ from run to run: numbers, ids, addresses, the example of a property, and
 * which check sent the request. A finding that says nothing about the server has none.
 */
function observationOf({ status, held, message }: Finding): string {
  if (status === 'pass' || unjudged.has(status)) return status
  const stable = withoutNotes(message)
    .replace(/\bhttps?:\/\/\S+/g, 'URL')
    .replace(/\b(?=\w*\d)\w{6,}\b/g, 'ID')
    .replace(/\d+/g, 'N')
  return `${held} ${stable}`
}

function notesOf(before: RunReport, after: RunReport): string[] {
  const differing = (what: string, one: string, other: string) =>
    one === other ? [] : [`the ${what} differ: ${one} before, ${other} after`]
  const profile = ({ target }: RunReport) => target.profile ?? 'none claimed'
  return [
    ...differing('versions of the suite', before.suite.version, after.suite.version),
    ...differing('claimed profiles', profile(before), profile(after)),
    ...differing('outcomes of the runs', before.verdict.outcome, after.verdict.outcome),
  ]
}
