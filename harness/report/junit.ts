/**
 * The report for CI servers, in the JUnit form: a suite for each area, a case for each requirement. A status other than
 * pass, fail and warn is a skip with its reason; a failure carries what is needed to see it again. What fails the run and
 * is no failure of a case stands in a suite of its own, so that a run that fails is never green. What the run left on the
 * target, and broken connections, stand in one as well: they fail nothing, and are never hidden.
 *
 * @module
 */

import { visibleIn } from '../../exchange/visible.ts'
import { defined } from '../defined.ts'
import type { Finding, Leftover, RunError, RunReport } from '../vocabulary/findings.ts'
import { aftermath } from './aftermath.ts'
import { areasOf } from './areas.ts'
import { byOrigin, errorEvidence, evidence, examplesText } from './evidence.ts'
import { xmlAttributes, xmlText } from './xml.ts'

export function junitReport(given: RunReport): string {
  const report = visibleIn(given)
  const { findings, errors, suite, seed, target, startedAt, durationMs } = report
  const suites = [...areasOf(findings)].map(([area, found]) => areaSuite(area, found, startedAt))
  const remarks = afterTheRun(report)
  if (remarks.length > 0) suites.push(remarksSuite(remarks, startedAt))
  const { lost, ours } = byOrigin(errors)
  if (lost.length > 0)
    suites.push(errorSuite(lost, 'the target stopped responding', 'the target stopped responding', startedAt))
  if (ours.length > 0) suites.push(errorSuite(ours, 'errors in the suite', 'error in the suite', startedAt))
  const reasons = furtherReasons(report)
  if (reasons.length > 0) suites.push(verdictSuite(reasons, startedAt))
  const totals = {
    name: `${suite.name} ${suite.version}, ${target.name ?? target.baseUrl}, seed ${seed}`,
    tests: findings.length + errors.length + reasons.length + remarks.length,
    failures: findings.filter(isFailure).length + reasons.length,
    errors: errors.length,
    skipped: findings.filter(isSkipped).length,
    time: seconds(durationMs),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(totals)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function areaSuite(area: string, findings: readonly Finding[], timestamp: string): string {
  const facts = {
    name: area,
    tests: findings.length,
    failures: findings.filter(isFailure).length,
    errors: 0,
    skipped: findings.filter(isSkipped).length,
    time: seconds(findings.reduce((sum, { ms }) => sum + ms, 0)),
    timestamp,
  }
  return [`  <testsuite${xmlAttributes(facts)}>`, ...findings.map(testCase), '  </testsuite>'].join('\n')
}

function testCase(finding: Finding): string {
  const { requirement, statement, level, basis, source, ms } = finding
  const area = requirement.split('.')[0]
  const { status, retried, examples } = finding
  const ran = examples === undefined ? undefined : examplesText(examples)
  const told = defined({ retried, examples: ran })
  const properties = { requirement, level, basis, source, status, statement, ...told }
  return [
    `    <testcase${xmlAttributes({ name: requirement, classname: area, time: seconds(ms) })}>`,
    '      <properties>',
    ...Object.entries(properties).map(
      ([name, value]) => `        <property${xmlAttributes({ name, value })}/>`,
    ),
    '      </properties>',
    ...outcome(finding),
    '    </testcase>',
  ].join('\n')
}

function outcome(finding: Finding): string[] {
  const { status, message, hint, known } = finding
  if (status === 'pass') return []
  if (isFailure(finding))
    return [
      `      <failure${xmlAttributes({ message, type: finding.level })}>${xmlText(evidence(finding))}</failure>`,
    ]
  if (isWarning(finding))
    return [`      <system-out>${xmlText(`warning: ${evidence(finding)}`)}</system-out>`]
  const reason = known === undefined ? message : `known: ${known.reason} (${message})`
  return [`      <skipped${xmlAttributes({ message: `${status}: ${reason}${hint ? `; ${hint}` : ''}` })}/>`]
}

function errorSuite(errors: readonly RunError[], name: string, type: string, timestamp: string): string {
  const facts = {
    name,
    tests: errors.length,
    failures: 0,
    errors: errors.length,
    skipped: 0,
  }
  return [
    `  <testsuite${xmlAttributes({ ...facts, timestamp })}>`,
    ...errors.map(
      (error) =>
        `    <testcase${xmlAttributes({ name: error.place, classname: name })}>
      <error${xmlAttributes({ message: error.message, type })}>${xmlText(errorEvidence(error))}</error>
    </testcase>`,
    ),
    '  </testsuite>',
  ].join('\n')
}

interface Reason {
  name: string
  type: string
  message: string
  text: string
}

/** Why the run is not conformant, besides the failures of the cases. */
function furtherReasons({ verdict, strict, findings, baseline }: RunReport): Reason[] {
  if (verdict.outcome === 'incomplete') {
    const { lines } = verdict
    return [{ name: 'incomplete', type: 'verdict', message: lines.at(-1) ?? '', text: lines.join('\n') }]
  }
  if (verdict.outcome !== 'non-conformant') return []
  const warned = strict === true ? findings.filter(isWarning) : []
  return [
    ...warned.map((finding) => ({
      name: finding.requirement,
      type: finding.level,
      message: `warning in a strict run: ${finding.message}`,
      text: evidence(finding),
    })),
    ...(baseline?.problems ?? []).map((problem) => ({
      name: problem,
      type: 'baseline',
      message: problem,
      text: `${problem}\nin ${baseline?.file}`,
    })),
  ]
}

function verdictSuite(reasons: readonly Reason[], timestamp: string): string {
  const facts = { name: 'verdict', tests: reasons.length, failures: reasons.length, errors: 0, skipped: 0 }
  return [
    `  <testsuite${xmlAttributes({ ...facts, timestamp })}>`,
    ...reasons.map(
      ({ name, type, message, text }) =>
        `    <testcase${xmlAttributes({ name, classname: 'verdict' })}>
      <failure${xmlAttributes({ message, type })}>${xmlText(text)}</failure>
    </testcase>`,
    ),
    '  </testsuite>',
  ].join('\n')
}

interface Remark {
  name: string
  text: string
}

/** What the run left on the target, what it left alone, and connections that broke. */
function afterTheRun(report: RunReport): Remark[] {
  const { leftovers, foreign = [] } = report
  const lines = (records: readonly Leftover[]) =>
    records.map(({ table, id, reason }) => `${table}/${id}: ${reason}`).join('\n')
  return [
    ...aftermath(report).map((text) => ({ name: 'note', text })),
    { name: 'left behind on the target', text: lines(leftovers) },
    { name: 'left alone, because they are not proven to be this run’s', text: lines(foreign) },
  ].filter(({ text }) => text !== '')
}

function remarksSuite(remarks: readonly Remark[], timestamp: string): string {
  const name = 'after the run'
  const facts = { name, tests: remarks.length, failures: 0, errors: 0, skipped: 0 }
  return [
    `  <testsuite${xmlAttributes({ ...facts, timestamp })}>`,
    ...remarks.map(
      (remark) =>
        `    <testcase${xmlAttributes({ name: remark.name, classname: name })}>
      <system-out>${xmlText(remark.text)}</system-out>
    </testcase>`,
    ),
    '  </testsuite>',
  ].join('\n')
}

function isFailure({ status, known }: Finding): boolean {
  return status === 'fail' && known === undefined
}

function isWarning({ status, known }: Finding): boolean {
  return status === 'warn' && known === undefined
}

function isSkipped(finding: Finding): boolean {
  return finding.status !== 'pass' && !isFailure(finding) && !isWarning(finding)
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
