/**
 * The report as Markdown: for the summary of a CI job, or a comment on a change. What failed comes first, folded; the
 * length is bounded, since such places take no more than a mebibyte.
 *
 * @module
 */

import { visibleIn } from '../../exchange/visible.ts'
import { worthALook } from '../judging/observed.ts'
import type { Finding, Leftover, RunReport, Status } from '../vocabulary/findings.ts'
import { aftermath } from './aftermath.ts'
import { byOrigin, errorEvidence, evidence, examplesText, placeOf } from './evidence.ts'

const mostShown = 50
const longestEvidence = 6_000
/** Of all rows together: below the mebibyte, with room for the headings and for what else a job writes there. */
const mostBytes = 900_000
/** Of backticks. The fence is longer still. */
const longestRun = 16

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

export function markdownReport(given: RunReport): string {
  const report = visibleIn(given)
  const {
    suite,
    target,
    verdict,
    findings,
    errors,
    leftovers,
    foreign = [],
    requests,
    durationMs,
    seed,
  } = report
  const of = (status: Status) =>
    findings.filter((finding) => finding.status === status && finding.known === undefined)
  const fitting = createFitting()
  const summary = fitting(verdict.lines.map((line) => `- ${inline(line)}`))
  // What takes a line each has its place before what is told at length.
  const { lost, ours } = byOrigin(errors)
  const brief = [
    ...section(
      'The target stopped responding',
      fitting(
        lost.map((error) =>
          details(`<code>${html(error.place)}</code>: ${html(oneLine(error.message))}`, errorEvidence(error)),
        ),
      ),
    ),
    ...section(
      'Errors in the suite (not in the server)',
      fitting(ours.map(({ place, message }) => `- ${code(place)} ${inline(message)}`)),
    ),
    ...section(
      'Worth a look: relevant to security, but the document does not say',
      fitting(
        worthALook(findings).map(
          ({ requirement, message, statement, security }) =>
            `- ${code(requirement)} ${inline(oneLine(message))}. The profile: ${inline(statement)} ${inline(security)}`,
        ),
      ),
    ),
    ...section('Could not be judged', fitting([...of('blocked'), ...of('untestable')].map(reason))),
    ...section(
      'Run again',
      fitting(findings.filter(({ retried }) => retried !== undefined).map(retriedLine)),
    ),
    ...section(
      'Properties cut short',
      fitting(
        findings.flatMap(({ requirement, status, examples }) =>
          examples === undefined ? [] : [`- ${code(requirement)} ${status}: ${examplesText(examples)}`],
        ),
      ),
    ),
    ...section('Known failures', fitting(findings.filter(({ known }) => known !== undefined).map(knownLine))),
    ...section('Left behind on the target', fitting(leftovers.map(recordLine))),
    ...section('Left alone, because they are not proven to be this run’s', fitting(foreign.map(recordLine))),
  ]
  const lines = [
    `## ${signs[verdict.outcome]} ${inline(suite.name)}: ${verdict.outcome}`,
    '',
    ...summary,
    '',
    ...counts(findings),
    `${inline(target.name ?? target.baseUrl)}, ${requests} requests in ${(durationMs / 1000).toFixed(1)} s, seed ${seed}, ${inline(suite.name)} ${suite.version}`,
    ...aftermath(report).flatMap((line) => ['', inline(line)]),
    ...section('Failed', fitting(of('fail').map(folded))),
    ...section('Warned', fitting(of('warn').map(folded))),
    ...brief,
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', `### ${title}`, '', ...rows]
}

/** Of the rows that it is given, those that there is still room for; then how many there are besides. */
function createFitting(): (rows: readonly string[]) => string[] {
  let left = mostBytes
  return (rows) => {
    const shown: string[] = []
    for (const row of rows.slice(0, mostShown)) {
      const bytes = Buffer.byteLength(row) + 1
      if (bytes > left) break
      left -= bytes
      shown.push(row)
    }
    const more = rows.length - shown.length
    return more === 0 ? shown : [...shown, `- and ${more} more`]
  }
}

/** How often each status occurs, as a table. */
function counts(findings: readonly Finding[]): string[] {
  const count = (status: Status) => findings.filter((finding) => finding.status === status).length
  const there = order.filter((status) => count(status) > 0)
  if (there.length === 0) return []
  return [
    `| ${there.join(' | ')} |`,
    `| ${there.map(() => '---:').join(' | ')} |`,
    `| ${there.map(count).join(' | ')} |`,
    '',
  ]
}

function folded(finding: Finding): string {
  const { requirement, level, message } = finding
  return details(
    `<code>${html(requirement)}</code> ${level}, ${html(placeOf(finding))}: ${html(oneLine(message))}`,
    evidence(finding),
  )
}

/** @param summary markup, in one line */
function details(summary: string, text: string): string {
  const shown = text.length > longestEvidence ? `${text.slice(0, longestEvidence)}…` : text
  return ['<details>', `<summary>${summary}</summary>`, '', fenced(shown), '', '</details>', ''].join('\n')
}

function reason({ requirement, status, message, hint }: Finding): string {
  return `- ${code(requirement)} ${status}: ${inline(hint ?? message)}`
}

function knownLine({ requirement, status, known }: Finding): string {
  const issue = known?.issue === undefined ? '' : ` (${inline(known.issue)})`
  return `- ${code(requirement)} ${status}: ${inline(known?.reason ?? '')}${issue}`
}

function retriedLine({ requirement, status, retried }: Finding): string {
  return `- ${code(requirement)} ${status}: ${inline(retried ?? '')}`
}

/** A fence longer than any run of backticks inside; runs are cut, as the fence would grow with them. */
function fenced(text: string): string {
  const inside = text.replace(/`+/g, (run) =>
    run.length > longestRun ? `${run.slice(0, longestRun)}…` : run,
  )
  const longest = Math.max(2, ...[...inside.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${inside}\n${fence}`
}

export function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', 'ˋ')}\``
}

/** Text of a server or a file, with nothing left that Markdown or HTML would take for its own. */
export function inline(text: string): string {
  return html(oneLine(text)).replace(/[\\`*_[\]|~#]/g, '\\$&')
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > 300 ? `${flat.slice(0, 300)}…` : flat
}

function recordLine({ table, id, reason }: Leftover): string {
  return `- ${code(`${table}/${id}`)} ${inline(reason)}`
}
