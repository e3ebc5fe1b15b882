/**
 * What a comparison says, and in which order. The formats print it as they print a report. Pure.
 *
 * @module
 */

import { visible, visibleIn } from '../../../exchange/visible.ts'
import { heldText } from '../../judging/held-text.ts'
import type { Finding } from '../../vocabulary/finding.ts'
import type { RunReport } from '../../vocabulary/report.ts'
import { type Fact, findingEntry, findingRow, type ReportEntry } from '../entry.ts'
import type { ReportLimits } from '../limits.ts'
import type { Section } from '../sections.ts'
import type { FindingChange, ReportComparison, ReportDifference } from './comparison.ts'

export interface ComparisonOutline {
  /** The two targets. */
  title: string
  /** `worse`, `better`, `different` or `same`. */
  outcome: 'worse' | 'better' | 'different' | 'same'
  /** The result in one sentence, then the verdicts of both. */
  lines: readonly string[]
  notes: readonly string[]
  /** Those that have entries. */
  sections: readonly Section[]
}

const titles: Readonly<Record<FindingChange, string>> = {
  broke: 'Broke',
  lost: 'No longer judged',
  fixed: 'Fixed',
  changed: 'Changed',
  new: 'New',
  gone: 'Gone',
}

/** What needs attention first. */
const order = Object.keys(titles) as FindingChange[]

/** @param limits how much the medium shows */
export function comparisonOutline(comparison: ReportComparison, limits: ReportLimits): ComparisonOutline {
  const { differences, same, worse, notes, before, after } = comparison
  const count = (change: FindingChange) => differences.filter((each) => each.change === change).length
  const counts = order.flatMap((change) =>
    count(change) === 0 ? [] : [`${count(change)} ${titles[change].toLowerCase()}`],
  )
  const [one, other] = [nameOf(before), nameOf(after)]
  return {
    title: `${one} → ${other}`,
    outcome: worse
      ? 'worse'
      : differences.length === 0
        ? 'same'
        : count('fixed') > 0
          ? 'better'
          : 'different',
    lines: [
      `${worse ? 'got worse' : 'nothing got worse'}: ${[...counts, `${same} the same`].join(', ')}`,
      `before: ${verdictText(before)}`,
      `after: ${verdictText(after)}`,
    ],
    notes: notes.map(visible),
    sections: order.flatMap((change) => sectionOf(change, differences, limits)),
  }
}

function sectionOf(
  change: FindingChange,
  differences: readonly ReportDifference[],
  limits: ReportLimits,
): Section[] {
  const all = differences.filter((each) => each.change === change)
  if (all.length === 0) return []
  const shown = all.slice(0, limits.entries)
  return [
    {
      title: titles[change],
      about: 'findings',
      shown: 'always',
      urgent: true,
      form: change === 'broke' ? 'whole' : 'rows',
      entries: shown.map((each) => entryOf(each, limits)),
      more: all.length - shown.length,
    },
  ]
}

function entryOf({ change, before, after }: ReportDifference, limits: ReportLimits): ReportEntry {
  const earlier: Fact[] = before === undefined ? [] : [{ label: 'before', text: outcomeText(before, limits) }]
  const finding = after ?? before
  if (finding === undefined) throw new Error('a difference has at least one finding')
  if (change === 'broke') {
    const entry = findingEntry(visibleIn(finding), limits)
    return { ...entry, facts: [...earlier, ...entry.facts] }
  }
  const said = change === 'gone' ? `was ${outcomeText(finding, limits)}` : finding.message || finding.status
  const row = findingRow(visibleIn(finding), visible(said), limits, change === 'gone' ? [] : earlier)
  return { ...row, statement: finding.statement }
}

function outcomeText({ status, held, message }: Finding, { message: longest }: ReportLimits): string {
  const how = status === 'observed' ? ` (${heldText(held)})` : ''
  const text = visible(message).replace(/\s+/g, ' ')
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  return shown === '' ? `${status}${how}` : `${status}${how}: ${shown}`
}

function nameOf({ target, startedAt }: RunReport): string {
  const name = target.name === undefined ? target.baseUrl : `${target.name} (${target.baseUrl})`
  return visible(`${name}, ${startedAt.slice(0, 10)}`)
}

function verdictText({ verdict }: RunReport): string {
  return visible(verdict.lines.join('; '))
}
