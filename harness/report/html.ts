/**
 * The report as one HTML file that needs nothing else: works from a mail attachment or a CI artifact, without a network,
 * light and dark, on paper, and without scripts too. Whatever a server sent is text in it.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { visibleIn } from '../../exchange/visible.ts'
import { loadGaps } from '../../spec/gaps.ts'
import { answersOf, type GapAnswer, worthALook } from '../judging/observed.ts'
import type { Finding, Leftover, RunError, RunReport, Status } from '../vocabulary/findings.ts'
import { aftermath } from './aftermath.ts'
import { areasOf } from './areas.ts'
import { escapeHtml } from './escape-html.ts'
import { byOrigin } from './evidence.ts'
import { coverageHtml } from './html-coverage.ts'
import { block, findingHtml } from './html-finding.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

/** What asks for a reader's eyes first. */
const order: readonly Status[] = [
  'fail',
  'warn',
  'blocked',
  'untestable',
  'observed',
  'not-applicable',
  'pass',
]

export function htmlReport(given: RunReport): string {
  const report = visibleIn(given)
  const { suite, target, verdict, findings } = report
  const title = `${suite.name}: ${target.name ?? target.baseUrl} is ${verdict.outcome}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash(pageStyle)}'; script-src '${hash(pageScript)}'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header class="${verdict.outcome}">
<h1>${escapeHtml(target.name ?? target.baseUrl)} <span class="outcome">${verdict.outcome}</span></h1>
<ul class="verdict">${verdict.lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
<dl>${facts(report)}</dl>
</header>
<main>
${errorsHtml(report)}
${worthALookHtml(report)}${unlocksHtml(report)}
${filters(report)}
${urgentFirst(areasOf(findings))
  .map(([area, found]) => areaHtml(area, found))
  .join('\n')}
<p id="nothing" hidden>No finding matches.</p>
${target.profile === undefined ? gapsHtml(answersOf(findings, loadGaps().values())) : ''}
${coverageHtml(report.coverage)}
</main>
<script>${pageScript}</script>
</body>
</html>
`
}

function facts(report: RunReport): string {
  const { suite, target, seed, startedAt, durationMs, requests } = report
  const rows: [string, string][] = [
    ['address', target.baseUrl],
    ['profile', target.profile ?? 'none claimed'],
    ['seed', String(seed)],
    ['started', startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['duration', `${(durationMs / 1000).toFixed(1)} s, ${requests} requests`],
    ['suite', `${suite.name} ${suite.version}`],
    ...aftermath(report).map((line): [string, string] => ['note', line]),
  ]
  return rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')
}

function errorsHtml({ errors, leftovers, foreign = [] }: RunReport): string {
  const { lost, ours } = byOrigin(errors)
  const row = ({ place, message, curl = [], again }: RunError) =>
    `<li><code>${escapeHtml(place)}</code> ${escapeHtml(message)}${curl.length > 0 ? block('requests', curl.join('\n')) : ''}${again === undefined ? '' : block('replay', again)}</li>`
  const record = ({ table, id, reason }: Leftover) =>
    `<li><code>${escapeHtml(`${table}/${id}`)}</code> ${escapeHtml(reason)}</li>`
  return (
    listSection('The target stopped responding', lost.map(row)) +
    listSection('Errors in the suite, not in the server', ours.map(row)) +
    listSection('Left behind on the target', leftovers.map(record)) +
    listSection('Left alone, because they are not proven to be this run’s', foreign.map(record))
  )
}

function worthALookHtml({ findings }: RunReport): string {
  const rows = worthALook(findings).map(
    ({ requirement, message, statement, security }) =>
      `<li><code>${escapeHtml(requirement)}</code> ${escapeHtml(message)}. The profile: ${escapeHtml(statement)} <strong>${escapeHtml(security)}</strong></li>`,
  )
  return listSection('Worth a look: relevant to security, but the document does not say', rows)
}

function unlocksHtml({ smoke }: RunReport): string {
  const rows = smoke.unlocks.map(
    ({ line, checks }) => `<li>${checks} checks: <code>${escapeHtml(line)}</code></li>`,
  )
  return listSection('One more line would enable', rows)
}

function listSection(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `<section><h2>${title}</h2><ul>${rows.join('')}</ul></section>\n`
}

function filters({ findings }: RunReport): string {
  const present = order.filter((status) => findings.some((finding) => finding.status === status))
  const buttons = present.map((status) => {
    const count = findings.filter((finding) => finding.status === status).length
    return `<button type="button" data-status="${status}" aria-pressed="true" class="${status}">${count} ${status}</button>`
  })
  return `<form id="filters" role="search" hidden>
<div role="group" aria-label="Statuses to show">${buttons.join('\n')}</div>
<label>Find <input type="search" id="find" placeholder="id, section or words"></label>
</form>`
}

function urgentFirst(areas: Map<string, Finding[]>): [string, Finding[]][] {
  const urgency = (findings: readonly Finding[]) => Math.min(...findings.map(rank))
  return [...areas].sort(([, one], [, other]) => urgency(one) - urgency(other))
}

function rank({ status }: Finding): number {
  return order.indexOf(status)
}

function areaHtml(area: string, findings: readonly Finding[]): string {
  const sorted = [...findings].sort((one, other) => rank(one) - rank(other))
  return `<section class="area" aria-labelledby="area-${escapeHtml(area)}">
<h2 id="area-${escapeHtml(area)}">${escapeHtml(area)}</h2>
${sorted.map(findingHtml).join('\n')}
</section>`
}

function gapsHtml(answers: readonly GapAnswer[]): string {
  const rows = answers.map(
    ({ gap, question, same, other, unknown }) =>
      `<tr><th scope="row">${escapeHtml(gap)}</th><td>${escapeHtml(question)}</td><td>${same.length} of ${same.length + other.length}</td><td>${unknown.length}</td></tr>`,
  )
  return `<section><h2>What this server does where the document does not say</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">topic</th><th scope="col">question</th><th scope="col">as in the standard profile</th><th scope="col">not observed</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div></section>`
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
