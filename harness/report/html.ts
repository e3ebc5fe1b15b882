/**
 * The report as one HTML file that needs nothing else: works from an email attachment or a CI artifact, without a
 * network, light and dark, on paper, and without scripts too. Anything that a server sent is shown as text.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/report.ts'
import { coverageHtml } from './coverage-html.ts'
import { everythingHtml } from './everything-html.ts'
import { escapeHtml, idLink } from './finding-html.ts'
import type { FirstToFix } from './first-to-fix.ts'
import { htmlPage } from './html-page.ts'
import { fileLimits } from './limits.ts'
import { type Outline, outline } from './outline.ts'
import { pageScript } from './page-script.ts'
import { anchorOf, sectionHtml } from './section-html.ts'
import type { Section } from './sections.ts'
import { barHtml, legendHtml } from './tallies-html.ts'

export function htmlReport(given: RunReport): string {
  const parts = outline(given, fileLimits)
  const { report, target, sections, tallies } = parts
  // Verbose sections only list findings, and all findings have a row at the end.
  const shown = sections.filter(
    ({ shown: when, about }) => when !== 'terminal' && (when !== 'verbose' || about !== 'findings'),
  )
  const above = new Set(
    shown.flatMap(({ about, form, entries }) =>
      about === 'findings' && form === 'whole' ? entries.map(({ name }) => name) : [],
    ),
  )
  const html = (wanted: boolean) =>
    shown
      .filter(({ urgent }) => urgent === wanted)
      .map(sectionHtml)
      .join('\n')
  return htmlPage({
    title: `${report.suite.name}: ${target} is ${parts.outcome}`,
    script: pageScript,
    body: `${headerHtml(parts)}
<main>
${contentsHtml(shown)}
${html(true)}
${coverageHtml(report.coverage, tallies)}
${html(false)}
${everythingHtml(parts, above)}
</main>`,
  })
}

/** The verdict, its share of all requirements, and the facts of the run. */
function headerHtml({ report, target, outcome: said, selected, facts, counts, first }: Outline): string {
  const { outcome, lines } = report.verdict
  const picture = counts.length === 0 ? '' : `${barHtml(counts)}${legendHtml(counts)}`
  return `<header class="${outcome}">
<h1>${escapeHtml(target)} <span class="outcome">${said}</span>${selected}</h1>
${firstHtml(first)}<ul class="verdict">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
${picture}
<dl>${facts.map(({ label, text }) => `<div><dt>${label}</dt><dd>${escapeHtml(text)}</dd></div>`).join('')}</dl>
</header>`
}

/** What to fix first, with a link to it. */
function firstHtml(first: FirstToFix | undefined): string {
  if (first === undefined) return ''
  const { name, text } = first
  const [before = '', after = ''] = text.split(name)
  return `<p class="first">${escapeHtml(before)}${idLink(name)}${escapeHtml(after)}</p>\n`
}

function contentsHtml(sections: readonly Section[]): string {
  const links = [
    ...linksTo(sections.filter(({ urgent }) => urgent)),
    { anchor: 'coverage', text: 'Coverage' },
    ...linksTo(sections.filter(({ urgent }) => !urgent)),
    { anchor: 'everything', text: 'Everything' },
  ]
  const items = links.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`)
  return `<nav aria-label="Contents"><ul>${items.join('')}</ul></nav>`
}

function linksTo(sections: readonly Section[]): { anchor: string; text: string }[] {
  return sections.map(({ title, entries, count, more }) => ({
    anchor: anchorOf(title),
    text: `${title.replace(/[:(,].*/, '').trim()}${count === undefined ? countText(entries, more) : ` (${count})`}`,
  }))
}

/** The number of entries; nothing if a row is about several. */
function countText(entries: Section['entries'], more: number): string {
  return entries.some(({ name }) => name === '') ? '' : ` (${entries.length + more})`
}
