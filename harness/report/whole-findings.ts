import type { Status } from '../vocabulary/finding.ts'
import { isAbsentOperation } from './absent-operations.ts'
import { areasOf, isCounted, type ReportEntry } from './entry.ts'
import { isDerived } from './same-cause.ts'

/** Findings that are shown with all of their evidence. */
export type WholeFindings = Readonly<Record<'failed' | 'absent' | 'warned', readonly ReportEntry[]>>

/**
 * Those that failed, those that say of an operation that it does not exist, and warnings: what blocks or explains most
 * first, and what has the same cause as another one last. A check that is about one thing says more than one with derived requests.
 */
export function wholeFindings(entries: readonly ReportEntry[]): WholeFindings {
  const byArea = (status: Status) =>
    [...areasOf(entries.filter(({ finding }) => isCounted(finding, status))).values()]
      .flat()
      .sort(
        (one, other) =>
          Number(one.hasSameCause ?? false) - Number(other.hasSameCause ?? false) ||
          weight(other) - weight(one) ||
          Number(isDerived(one.name)) - Number(isDerived(other.name)),
      )
  const failed = byArea('fail')
  return {
    failed: failed.filter((entry) => !isAbsentOperation(entry)),
    absent: failed.filter(isAbsentOperation),
    warned: byArea('warn'),
  }
}

/** How many findings are likely to change when this one is fixed. */
const weight = ({ follows, explains }: ReportEntry) => follows.length + explains.length
