/**
 * All findings of the HTML report, one row each, with filters. Rows of findings that are shown in full above link there.
 *
 * @module
 */

import type { ReportEntry } from './entry.ts'
import { escapeHtml, idLink } from './finding-html.ts'
import type { Area, Outline } from './outline.ts'

/** @param above ids of the findings that the page shows in whole */
export function everythingHtml({ counts, areas }: Outline, above: ReadonlySet<string>): string {
  const buttons = counts.map(
    ({ status, count }) =>
      `<button type="button" data-status="${status}" aria-pressed="true" class="${status}">${count} ${status}</button>`,
  )
  return `<section id="everything" aria-labelledby="everything-title">
<h2 id="everything-title">Everything</h2>
<form id="filters" role="search" hidden>
<label>Find <input type="search" id="find" placeholder="id, section or words"></label>
<div role="group" aria-label="Statuses to show">${buttons.join('\n')}</div>
</form>
<p id="nothing" role="status" hidden>No finding matches.</p>
${areas.map((area) => areaHtml(area, above)).join('\n')}
</section>`
}

function areaHtml({ name, entries }: Area, above: ReadonlySet<string>): string {
  return `<section class="area"><h3>${escapeHtml(name)}</h3><ul>
${entries.map((entry) => rowHtml(entry, above)).join('\n')}
</ul></section>`
}

function rowHtml(
  { name, status, statement = '', message, facts, finding }: ReportEntry,
  above: ReadonlySet<string>,
): string {
  const mark = `${status}${finding?.known === undefined ? '' : ', known'}`
  const place = `${finding?.level} ${finding?.source}`
  const shown = above.has(name)
  const [id, head] = shown
    ? ['', idLink(name)]
    : [` id="${escapeHtml(name)}"`, `<code>${escapeHtml(name)}</code>`]
  // Hundreds have the same reason: a section has a row for each.
  const isSaid = shown || message === '' || status === 'untestable' || status === 'not-applicable'
  const said = isSaid ? '' : `<p>${escapeHtml(message)}</p>`
  const more = isSaid ? '' : facts.map(({ label, text }) => `<p>${label}: ${escapeHtml(text)}</p>`).join('')
  return `<li${id} data-status="${status}"><span class="status ${status}">${mark}</span> ${head} ${escapeHtml(statement)} <small>${escapeHtml(place)}</small>${said}${more}`
}
