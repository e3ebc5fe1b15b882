import { countOf } from '../../spec/count-of.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import { isCounted, namesText, plainEntry, type ReportEntry } from './entry.ts'
import type { ReportLimits } from './limits.ts'

/** One row for each reason, or for each line of configuration that would enable them. */
export function rowsByReason(
  status: Status,
  findings: readonly Finding[],
  { names }: ReportLimits,
): ReportEntry[] {
  const byHint = new Map<string, string[]>()
  for (const finding of findings) {
    if (!isCounted(finding, status)) continue
    const hint = finding.hint ?? finding.message
    byHint.set(hint, [...(byHint.get(hint) ?? []), finding.requirement])
  }
  const most = [...byHint].sort(([, one], [, other]) => other.length - one.length)
  return most.map(([hint, ids]) => ({
    ...plainEntry('', `${countOf(ids.length, 'check')}: ${hint}`),
    facts: [{ label: '', text: namesText(ids, names) }],
  }))
}
