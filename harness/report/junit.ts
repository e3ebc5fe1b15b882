/**
 * The report for CI servers, in JUnit's format: a suite for each area, a case for each requirement that was judged. The
 * others are skips, one for each reason; a failure contains everything needed to reproduce it. Run-level failures are
 * in a separate suite, so that a failed run is never green. Leftovers on the target and broken connections are in
 * another one: they fail nothing, but are never hidden.
 *
 * @module
 */

import { heldText } from '../judging/held-text.ts'
import { groupedBy } from '../support/grouped-by.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { entryText, isCounted, type ReportEntry } from './entry.ts'
import { fileLimits } from './limits.ts'
import { type Area, type Outline, outline } from './outline.ts'
import { lowerFirst, type Section } from './sections.ts'
import { xmlAttributes, xmlText } from './xml.ts'

interface Suite {
  name: string
  tests: number
  failures: number
  errors: number
  skipped: number
  time?: string
  cases: readonly string[]
}

/** A suite without failures, except the counted ones. */
function suiteOf(name: string, cases: readonly string[], counts: Partial<Suite> = {}): Suite {
  return { name, tests: cases.length, failures: 0, errors: 0, skipped: 0, ...counts, cases }
}

export function junitReport(given: RunReport): string {
  // Exchanges are not shown here.
  const parts = outline(given, { ...fileLimits, exchanges: false })
  const { report, suite, target, areas, sections } = parts
  const suites = [
    ...areas.flatMap(areaSuite),
    ...skippedSuite(areas),
    ...remarksSuite(parts),
    ...sections.filter(({ about }) => about === 'errors').map(errorSuite),
    ...verdictSuite(parts),
  ]
  const sum = (count: 'tests' | 'failures' | 'errors' | 'skipped') =>
    suites.reduce((total, each) => total + each[count], 0)
  const totals = {
    name: report.traffic === undefined ? `${suite}, ${target}, seed ${report.seed}` : `${suite}, ${target}`,
    tests: sum('tests'),
    failures: sum('failures'),
    errors: sum('errors'),
    skipped: sum('skipped'),
    time: seconds(report.durationMs),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(totals)}>`,
    ...suites.flatMap(({ cases, ...facts }) => [
      `  <testsuite${xmlAttributes({ ...facts, timestamp: report.startedAt })}>`,
      ...cases,
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function areaSuite({ name, entries }: Area): Suite[] {
  const judged = entries.filter((entry) => !isGrouped(entry))
  if (judged.length === 0) return []
  return [
    suiteOf(
      name,
      judged.map((entry) => findingCase(entry, name)),
      {
        failures: judged.filter(isFailure).length,
        skipped: judged.filter(isSkipped).length,
        time: seconds(judged.reduce((sum, { finding }) => sum + (finding?.ms ?? 0), 0)),
      },
    ),
  ]
}

/** A case for each reason, with the ids and what was seen: hundreds of skipped cases would hide the others. */
function skippedSuite(areas: readonly Area[]): Suite[] {
  const skipped = areas.flatMap(({ entries }) => entries.filter(isGrouped))
  const byReason = groupedBy(skipped, reasonOf)
  if (byReason.size === 0) return []
  const suite = 'not judged'
  const cases = [...byReason].map(([reason, entries]) => {
    const name = `${entries.length} ${reason}`
    const list = entries.map((entry) => (entry.status === 'observed' ? observedText(entry) : entry.name))
    return testCase(
      name,
      suite,
      `<skipped${xmlAttributes({ message: name })}/>\n      <system-out>${xmlText(list.join('\n'))}</system-out>`,
    )
  })
  return [suiteOf(suite, cases, { skipped: cases.length })]
}

/** Each observed finding has a message of its own; the others share reasons. */
function reasonOf({ status, message, finding }: ReportEntry): string {
  if (status === 'observed') return `observed: ${heldText(finding?.held)}, which the target does not claim`
  return `${status}: ${status === 'untestable' ? (finding?.hint ?? message) : message}`
}

function observedText({ name, message }: ReportEntry): string {
  return message === '' ? name : `${name}: ${message}`
}

function findingCase(entry: ReportEntry, area: string): string {
  const { finding, name } = entry
  const { level, basis, source, status, statement, ms = 0 } = finding ?? {}
  const reported = (label: string) => entry.facts.find((fact) => fact.label === label)?.text
  const properties = {
    requirement: name,
    level,
    basis,
    source,
    status,
    statement,
    retried: reported('retried'),
    examples: reported('examples'),
  }
  return [
    `    <testcase${xmlAttributes({ name, classname: area, time: seconds(ms) })}>`,
    '      <properties>',
    ...Object.entries(properties).flatMap(([property, value]) =>
      value === undefined ? [] : [`        <property${xmlAttributes({ name: property, value })}/>`],
    ),
    '      </properties>',
    ...outcome(entry),
    '    </testcase>',
  ].join('\n')
}

function outcome(entry: ReportEntry): string[] {
  const { finding, status, message } = entry
  if (finding === undefined || status === 'pass') return []
  if (isFailure(entry))
    return [
      `      <failure${xmlAttributes({ message, type: finding.level })}>${xmlText(entryText(entry))}</failure>`,
    ]
  if (isWarning(entry)) return [`      <system-out>${xmlText(`warning: ${entryText(entry)}`)}</system-out>`]
  const reason = `known: ${finding.known?.reason} (${message})`
  return [`      <skipped${xmlAttributes({ message: `${status}: ${reason}` })}/>`]
}

function errorSuite({ title, entries }: Section): Suite {
  const name = lowerFirst(title)
  const cases = entries.map((entry) => {
    const attributes = xmlAttributes({ message: entry.message, type: name })
    return testCase(entry.name, name, `<error${attributes}>${xmlText(entryText(entry))}</error>`)
  })
  return suiteOf(name, cases, { errors: entries.length })
}

/** Observations and leftovers of the run in addition to its findings. */
function remarksSuite({ notes, sections }: Outline): Suite[] {
  const remarks = [
    ...notes.map((text) => ({ name: 'note', text })),
    ...sections
      .filter(({ about }) => about === 'remarks')
      .map(({ title, entries }) => ({
        name: lowerFirst(title),
        text: entries.map(({ name, message }) => `${name}: ${message}`).join('\n'),
      })),
  ]
  if (remarks.length === 0) return []
  const suite = 'after the run'
  const cases = remarks.map(({ name, text }) =>
    testCase(name, suite, `<system-out>${xmlText(text)}</system-out>`),
  )
  return [suiteOf(suite, cases)]
}

function verdictSuite({ reasons }: Outline): Suite[] {
  if (reasons.length === 0) return []
  const suite = 'verdict'
  const cases = reasons.map(({ name, type, message, text }) =>
    testCase(name, suite, `<failure${xmlAttributes({ message, type })}>${xmlText(text)}</failure>`),
  )
  return [suiteOf(suite, cases, { failures: cases.length })]
}

function testCase(name: string, classname: string, content: string): string {
  return `    <testcase${xmlAttributes({ name, classname })}>\n      ${content}\n    </testcase>`
}

function isFailure({ finding }: ReportEntry): boolean {
  return isCounted(finding, 'fail')
}

function isWarning({ finding }: ReportEntry): boolean {
  return isCounted(finding, 'warn')
}

/** What the baseline lists: one case each, since each is a failure that someone accepted. */
function isSkipped({ finding, status }: ReportEntry): boolean {
  return status !== 'pass' && finding?.known !== undefined
}

function isGrouped(entry: ReportEntry): boolean {
  return entry.status !== 'pass' && !isFailure(entry) && !isWarning(entry) && !isSkipped(entry)
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
