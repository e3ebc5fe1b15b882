/**
 * A section of the outline as HTML: findings to open, a list, or a table.
 *
 * @module
 */

import type { ReportEntry } from './entry.ts'
import { escapeHtml, factHtml, findingHtml, idLink, requestsHtml } from './finding-html.ts'
import type { Section } from './sections.ts'

/** With no more failures than these, all of them are shown opened. */
const mostOpened = 3
/** Characters of a fact that is shown without a click. */
const longestFact = 160

export function sectionHtml(section: Section): string {
  const { title, next, more } = section
  const advice = next === undefined ? '' : `<p class="next">Next: ${escapeHtml(next)}</p>`
  const others = more === 0 ? '' : `<p>and ${more} more</p>`
  return `<section id="${anchorOf(title)}"><h2>${escapeHtml(title)}</h2>\n${entriesHtml(section)}${others}${advice}</section>`
}

/** The address of a section inside the page. */
export function anchorOf(title: string): string {
  return `section-${title
    .replace(/[^a-z]+/gi, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()}`
}

function entriesHtml({ about, form, columns, entries }: Section): string {
  if (columns !== undefined) return tableHtml(columns, entries)
  if (form === 'whole' && about === 'findings')
    return entries
      .map((entry, at) =>
        findingHtml(entry, entry.status === 'fail' && (at === 0 || entries.length <= mostOpened)),
      )
      .join('\n')
  return `<ul>${entries.map(rowHtml).join('\n')}</ul>`
}

function rowHtml({ name, status, message, facts, finding, curl, replay }: ReportEntry): string {
  const mark = status === undefined ? '' : `<span class="status ${status}">${status}</span> `
  const head = finding !== undefined ? idLink(name) : name === '' ? '' : `<code>${escapeHtml(name)}</code>`
  const what = `${mark}${head} ${escapeHtml(message)}`
  const [long, short] = [true, false].map((wanted) =>
    facts
      .filter(({ text }) => text.length > longestFact === wanted)
      .map(factHtml)
      .join(''),
  )
  const folded = `${long}${requestsHtml(curl, replay)}`
  if (folded === '') return `<li>${what}${short}</li>`
  return `<li><details><summary>${what}</summary>${folded}</details>${short}</li>`
}

function tableHtml(columns: readonly string[], entries: readonly ReportEntry[]): string {
  const rows = entries.map(
    ({ name, statement = '', message, facts }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(statement)}</td><td>${escapeHtml(message)}${differing(facts)}</td></tr>`,
  )
  return `<div class="scroll" tabindex="0"><table>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>`
}

/** What was seen is shown once, with the finding. */
function differing(facts: ReportEntry['facts']): string {
  if (facts.length === 0) return ''
  const links = facts.map(({ label }) => idLink(label)).join(', ')
  return `<details><summary>${facts.length} different</summary>${links}</details>`
}
