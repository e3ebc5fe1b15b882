/**
 * The report as one HTML file that needs nothing else: works from an email attachment or a CI artifact, without a
 * network, light and dark, on paper, and without scripts too. Whatever a server sent is text in it.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import type { RunReport } from '../vocabulary/findings.ts'
import type { ReportEntry } from './entry.ts'
import { coverageHtml } from './html-coverage.ts'
import { escapeHtml, factHtml, findingHtml, requestsHtml } from './html-finding.ts'
import { fileLimits } from './limits.ts'
import { type Area, type Outline, outline } from './outline.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import type { Section } from './sections.ts'

export function htmlReport(given: RunReport): string {
  const { report, target, facts, counts, sections, areas } = outline(given, fileLimits)
  const { outcome, lines } = report.verdict
  // Findings are shown by their areas.
  const others = sections.filter(({ about }) => about !== 'findings')
  const isTable = ({ columns }: Section) => columns !== undefined
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash(pageStyle)}'; script-src '${hash(pageScript)}'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(`${report.suite.name}: ${target} is ${outcome}`)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header class="${outcome}">
<h1>${escapeHtml(target)} <span class="outcome">${outcome}</span></h1>
<ul class="verdict">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
<dl>${facts.map(({ label, text }) => `<div><dt>${label}</dt><dd>${escapeHtml(text)}</dd></div>`).join('')}</dl>
</header>
<main>
${others
  .filter((section) => !isTable(section))
  .map(listHtml)
  .join('\n')}
${filters(counts)}
${areas.map(areaHtml).join('\n')}
<p id="nothing" hidden>No finding matches.</p>
${others.filter(isTable).map(tableHtml).join('\n')}
${coverageHtml(report.coverage)}
</main>
<script>${pageScript}</script>
</body>
</html>
`
}

function listHtml({ title, entries, next }: Section): string {
  const advice = next === undefined ? '' : `<p>Next: ${escapeHtml(next)}</p>`
  return `<section><h2>${escapeHtml(title)}</h2><ul>${entries.map(rowHtml).join('')}</ul>${advice}</section>`
}

function rowHtml({ name, message, facts, curl, replay }: ReportEntry): string {
  return `<li><code>${escapeHtml(name)}</code> ${escapeHtml(message)}${facts.map(factHtml).join('')}${requestsHtml(curl, replay)}</li>`
}

function tableHtml({ title, columns = ['', '', ''], entries }: Section): string {
  const rows = entries.map(
    ({ name, statement = '', message, facts }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(statement)}</td><td>${escapeHtml(message)}${foldedFacts(facts)}</td></tr>`,
  )
  return `<section><h2>${escapeHtml(title)}</h2>
<div class="scroll"><table>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join('')}</tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div></section>`
}

function foldedFacts(facts: ReportEntry['facts']): string {
  if (facts.length === 0) return ''
  const rows = facts.map(
    ({ label, text }) => `<li><code>${escapeHtml(label)}</code> ${escapeHtml(text)}</li>`,
  )
  return `<details><summary>${facts.length} different</summary><ul>${rows.join('')}</ul></details>`
}

function filters(counts: Outline['counts']): string {
  const buttons = counts.map(
    ({ status, count }) =>
      `<button type="button" data-status="${status}" aria-pressed="true" class="${status}">${count} ${status}</button>`,
  )
  return `<form id="filters" role="search" hidden>
<div role="group" aria-label="Statuses to show">${buttons.join('\n')}</div>
<label>Find <input type="search" id="find" placeholder="id, section or words"></label>
</form>`
}

function areaHtml({ name, entries }: Area): string {
  return `<section class="area" aria-labelledby="area-${escapeHtml(name)}">
<h2 id="area-${escapeHtml(name)}">${escapeHtml(name)}</h2>
${entries.map(findingHtml).join('\n')}
</section>`
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
