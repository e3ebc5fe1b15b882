import { countOf } from '../../spec/count-of.ts'
import { groupedBy } from '../support/grouped-by.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { isCounted, namesText, plainEntry, type ReportEntry } from './entry.ts'
import type { ReportLimits } from './limits.ts'

/** One row for each reason, or for each line of configuration that would enable them. */
export function rowsByReason(
  status: Status,
  findings: readonly Finding[],
  { names }: ReportLimits,
): ReportEntry[] {
  const counted = findings.filter((finding) => isCounted(finding, status))
  const byHint = groupedBy(counted, ({ hint, message }) => hint ?? message)
  const most = [...byHint].sort(([, one], [, other]) => other.length - one.length)
  return most.map(([hint, found]) => {
    const ids = found.map(({ requirement }) => requirement)
    return {
      ...plainEntry('', `${countOf(ids.length, 'check')}: ${hint}`),
      facts: [{ label: '', text: namesText(ids, names) }],
    }
  })
}

/**
 * What is untestable, by the line that would enable it. Requirements of a profile that the target does not claim never
 * count, so their lines would only hide those that matter: one row counts them, unless only they were selected.
 */
export function untestableRows({ findings, target }: RunReport, limits: ReportLimits): ReportEntry[] {
  const isOfDocument = ({ basis }: Finding) => basis !== 'profile'
  if (target.profile !== undefined || !findings.some(isOfDocument))
    return rowsByReason('untestable', findings, limits)
  const rows = rowsByReason('untestable', findings.filter(isOfDocument), limits)
  const others = findings.filter((each) => !isOfDocument(each) && isCounted(each, 'untestable')).length
  if (others === 0) return rows
  return [
    ...rows,
    plainEntry(
      '',
      `${countOf(others, 'check')} of the standard profile, which the target does not claim, so they do not count`,
    ),
  ]
}
