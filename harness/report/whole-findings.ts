import type { Status } from '../vocabulary/finding.ts'
import { isAbsentOperation } from './absent-operations.ts'
import { areasOf, isCounted, type ReportEntry } from './entry.ts'
import { isDerived } from './same-cause.ts'

/** Findings that are shown with all of their evidence. `differing`: failures that only the claimed profile sees. */
export type WholeFindings = Readonly<
  Record<'failed' | 'differing' | 'absent' | 'warned', readonly ReportEntry[]>
>

/**
 * Those that failed, those that say of an operation that it does not exist, and warnings. What has the same cause as
 * another one comes last, then what no documented request shows; otherwise, what blocks or explains most comes first. A
 * check that is about one thing says more than one with derived requests.
 */
export function wholeFindings(entries: readonly ReportEntry[]): WholeFindings {
  const byArea = (status: Status) =>
    [...areasOf(entries.filter(({ finding }) => isCounted(finding, status))).values()]
      .flat()
      .sort(
        (one, other) =>
          Number(isOfProfile(one)) - Number(isOfProfile(other)) ||
          Number(one.hasSameCause ?? false) - Number(other.hasSameCause ?? false) ||
          Number(isUndocumented(one)) - Number(isUndocumented(other)) ||
          weightOf(other) - weightOf(one) ||
          Number(isDerived(one.name)) - Number(isDerived(other.name)),
      )
  const all = byArea('fail')
  const failed = all.filter((entry) => !isAbsentOperation(entry))
  return {
    failed: failed.filter((entry) => !isOfProfile(entry)),
    differing: failed.filter(isOfProfile),
    absent: all.filter(isAbsentOperation),
    warned: byArea('warn'),
  }
}

/** How many findings are likely to change when this one is fixed. */
export function weightOf({ follows, explains }: ReportEntry): number {
  return follows.length + explains.length
}

const isOfProfile = ({ finding }: ReportEntry) => finding?.basis === 'profile'

/** Whether the deciding request is not part of the document. */
function isUndocumented({ finding }: ReportEntry): boolean {
  const last = finding?.exchanges.at(-1)
  return last !== undefined && last.operation === undefined
}
