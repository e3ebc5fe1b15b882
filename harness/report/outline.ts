/**
 * What a report says, and in which order. The formats print it, and decide nothing but the form. Pure.
 *
 * @module
 */

import { visibleIn } from '../../exchange/visible.ts'
import { countOf } from '../../spec/count-of.ts'
import { knownFailures } from '../judging/basis-counts.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { areasOf, entryText, findingEntry, isCounted, type ReportEntry } from './entry.ts'
import { type FirstToFix, firstToFix } from './first-to-fix.ts'
import { followersOf } from './followers.ts'
import type { ReportLimits } from './limits.ts'
import { notesOf } from './notes.ts'
import { sameCauses } from './same-cause.ts'
import { type Section, sectionsOf } from './sections.ts'
import {
  type StatusCount,
  statusCounts,
  type Tally,
  tallyOperations,
  tallySections,
  urgency,
} from './tally.ts'
import { wholeFindings } from './whole-findings.ts'

/** All findings of one area: `list` has `list.shape`, `list.page`, ... */
export interface Area {
  name: string
  entries: readonly ReportEntry[]
}

/** Why a run fails, in addition to the findings that do. */
export interface Reason {
  /** Level of a warning in a strict run, `baseline` or `verdict`. */
  type: string
  name: string
  message: string
  /** Everything that is said about it. */
  text: string
}

export interface Outline {
  /** The report, with invisible characters made visible. */
  report: RunReport
  /** Name of the target, or its address. */
  target: string
  /** Name and version of the suite. */
  suite: string
  /** `12220 requests in 74.2 s, seed 7`, or `12 exchanges in 0.1 s`. */
  cost: string
  /** The outcome in words: `conformant except 2 known failures`. */
  outcome: string
  /** What the verdict is about, behind its word: ` (3 of 822 requirements selected)`. Empty: all. */
  selected: string
  /** The run as a whole. */
  facts: readonly { label: string; text: string }[]
  /** Sentences about the run that belong to no finding. */
  notes: readonly string[]
  /** How often each status occurs, those that do. */
  counts: readonly StatusCount[]
  /** The same for each section of the document, and for each operation that has findings. */
  tallies: { sections: readonly Tally[]; operations: readonly Tally[] }
  /** Absent: nothing failed, or only operations do not exist, and nothing depends on them. */
  first?: FirstToFix
  /** Those that have entries. */
  sections: readonly Section[]
  /** Every finding once. */
  areas: readonly Area[]
  reasons: readonly Reason[]
}

/** @param limits how much the medium shows */
export function outline(given: RunReport, limits: ReportLimits): Outline {
  const report = visibleIn(limits.exchanges ? given : withoutExchanges(given))
  const { suite, target, seed, requests, durationMs, findings, startedAt, traffic, selection } = report
  const notes = notesOf(report)
  const follows = followersOf(findings)
  const causes = sameCauses(findings)
  const entries = findings.map((finding) => ({
    ...findingEntry(finding, limits, causes.get(finding.requirement)?.text),
    follows: follows.get(finding.requirement) ?? [],
    explains: [...causes].flatMap(([id, cause]) => (cause.requirement === finding.requirement ? [id] : [])),
  }))
  const sections = sectionsOf(report, entries, limits)
  const duration = `${(durationMs / 1000).toFixed(1)} s`
  const share = selection && `${selection.requirements} of ${selection.of} requirements`
  const suiteName = `${suite.name} ${suite.version}`
  return {
    report,
    target: target.name ?? target.baseUrl,
    suite: suiteName,
    cost:
      traffic === undefined
        ? `${requests} requests in ${duration}, seed ${seed}`
        : `${countOf(traffic.exchanges, 'exchange')} in ${duration}`,
    outcome: outcomeText(report),
    selected: share === undefined ? '' : ` (${share} selected)`,
    facts: [
      { label: traffic === undefined ? 'address' : 'traffic', text: target.baseUrl },
      { label: 'profile', text: target.profile ?? 'none claimed' },
      ...(share === undefined ? [] : [{ label: 'selection', text: share }]),
      ...(traffic === undefined ? [{ label: 'seed', text: String(seed) }] : []),
      { label: 'started', text: startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC') },
      {
        label: 'duration',
        text: `${duration}, ${requests} ${traffic === undefined ? 'requests' : 'exchanges'}`,
      },
      { label: 'suite', text: suiteName },
      ...notes.map((text) => ({ label: 'note', text })),
    ],
    notes,
    counts: statusCounts(findings),
    tallies: { sections: tallySections(findings), operations: tallyOperations(findings) },
    first: firstToFix(wholeFindings(entries)),
    sections,
    areas: urgentFirst(entries),
    reasons: reasonsOf(report, entries),
  }
}

/** What is known does not count, but a server that fails is not conformant. */
function outcomeText({ verdict: { outcome }, findings, strict = false }: RunReport): string {
  const known = outcome === 'conformant' ? knownFailures(findings, strict) : 0
  return known === 0 ? outcome : `${outcome} except ${countOf(known, 'known failure')}`
}

/** Of each finding only the deciding one: the others would be made visible for nothing. */
function withoutExchanges(report: RunReport): RunReport {
  const { findings } = report
  return {
    ...report,
    findings: findings.map((each) => ({ ...each, exchanges: each.exchanges.slice(-1) })),
  }
}

/** The areas and their findings, each by the most urgent. */
function urgentFirst(entries: readonly ReportEntry[]): Area[] {
  const rank = ({ status = 'pass' }: ReportEntry) => urgency.indexOf(status)
  const areas = [...areasOf(entries)].map(([name, all]) => ({
    name,
    entries: [...all].sort((one, other) => rank(one) - rank(other)),
  }))
  const first = ({ entries: [entry] }: Area) => (entry === undefined ? urgency.length : rank(entry))
  return areas.sort((one, other) => first(one) - first(other))
}

/** Where the verdict has another reason than the failures: an incomplete run, a warning in a strict one, the baseline. */
function reasonsOf(
  { verdict, strict, baseline, traffic }: RunReport,
  entries: readonly ReportEntry[],
): Reason[] {
  const { outcome, lines } = verdict
  if (outcome === 'incomplete')
    return [{ type: 'verdict', name: 'incomplete', message: lines.at(-1) ?? '', text: lines.join('\n') }]
  if (outcome !== 'non-conformant') return []
  const warned = strict === true ? entries.filter(({ finding }) => isCounted(finding, 'warn')) : []
  return [
    ...warned.map((entry) => ({
      type: entry.finding?.level ?? 'warning',
      name: entry.name,
      message: `warning in a strict run: ${entry.message}`,
      text: entryText(entry),
    })),
    ...(traffic?.problems ?? []).map((problem) => ({
      type: 'verdict',
      name: 'traffic',
      message: problem,
      text: lines.join('\n'),
    })),
    ...(baseline?.problems ?? []).map((problem) => ({
      type: 'baseline',
      name: problem,
      message: problem,
      text: `${problem}\nin ${baseline?.file}`,
    })),
  ]
}
