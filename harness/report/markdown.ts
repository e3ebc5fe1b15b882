/**
 * The report as Markdown: for the summary of a CI job, or a comment on a change. What failed comes first, folded; the
 * length is bounded, since such places take no more than a mebibyte.
 *
 * @module
 */

import type { Finding, RunReport, Status } from '../vocabulary/findings.ts'
import { evidence, placeOf } from './evidence.ts'

const mostShown = 50
const longestEvidence = 6_000

const signs: Record<RunReport['verdict']['outcome'], string> = {
  conformant: '✅',
  'non-conformant': '❌',
  incomplete: '⚠️',
  error: '⚠️',
}

const order: readonly Status[] = [
  'pass',
  'fail',
  'warn',
  'observed',
  'not-applicable',
  'blocked',
  'untestable',
]

export function markdownReport(report: RunReport): string {
  const { suite, target, verdict, findings, errors, leftovers, requests, durationMs, seed } = report
  const counted = order.filter((status) => findings.some((finding) => finding.status === status))
  const of = (status: Status) =>
    findings.filter((finding) => finding.status === status && finding.known === undefined)
  const lines = [
    `## ${signs[verdict.outcome]} ${inline(suite.name)}: ${verdict.outcome}`,
    '',
    ...verdict.lines.map((line) => `- ${inline(line)}`),
    '',
    `| ${counted.join(' | ')} |`,
    `| ${counted.map(() => '---:').join(' | ')} |`,
    `| ${counted.map((status) => findings.filter((finding) => finding.status === status).length).join(' | ')} |`,
    '',
    `${inline(target.name ?? target.baseUrl)}, ${requests} requests in ${(durationMs / 1000).toFixed(1)} s, seed ${seed}, ${inline(suite.name)} ${suite.version}`,
    ...section('Failed', of('fail').map(folded)),
    ...section('Warned', of('warn').map(folded)),
    ...section(
      'Errors of the run (not of the server)',
      errors.map(({ place, message }) => `- ${code(place)} ${inline(message)}`),
    ),
    ...section('Could not be judged', [...of('blocked'), ...of('untestable')].map(reason)),
    ...section('Known failures', findings.filter(({ known }) => known !== undefined).map(knownLine)),
    ...section(
      'Left behind on the target',
      leftovers.map(({ table, id, reason: why }) => `- ${code(`${table}/${id}`)} ${inline(why)}`),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, rows: readonly string[]): string[] {
  if (rows.length === 0) return []
  const more = rows.length > mostShown ? [`- and ${rows.length - mostShown} more`] : []
  return ['', `### ${title}`, '', ...rows.slice(0, mostShown), ...more]
}

function folded(finding: Finding): string {
  const { requirement, level, message } = finding
  const text = evidence(finding)
  const shown = text.length > longestEvidence ? `${text.slice(0, longestEvidence)}…` : text
  const summary = `<summary><code>${html(requirement)}</code> ${level}, ${html(placeOf(finding))}: ${html(oneLine(message))}</summary>`
  return ['<details>', summary, '', fenced(shown), '', '</details>', ''].join('\n')
}

function reason({ requirement, status, message, hint }: Finding): string {
  return `- ${code(requirement)} ${status}: ${inline(hint ?? message)}`
}

function knownLine({ requirement, status, known }: Finding): string {
  const issue = known?.issue === undefined ? '' : ` (${inline(known.issue)})`
  return `- ${code(requirement)} ${status}: ${inline(known?.reason ?? '')}${issue}`
}

/** A fence longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', 'ˋ')}\``
}

/** Text of a server or a file, with nothing left that Markdown or HTML would take for its own. */
function inline(text: string): string {
  return html(oneLine(text)).replace(/[\\`*_[\]|~#]/g, '\\$&')
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > 300 ? `${flat.slice(0, 300)}…` : flat
}
