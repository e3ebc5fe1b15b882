/**
 * The matrix as one HTML page that needs nothing else, with filters by section and by difference.
 *
 * @module
 */

import { visibleIn } from '../../../exchange/visible.ts'
import { heldText } from '../../judging/held-text.ts'
import type { Status } from '../../vocabulary/finding.ts'
import { escapeHtml } from '../finding-html.ts'
import { htmlPage } from '../html-page.ts'
import { barHtml } from '../tallies-html.ts'
import { countsText } from '../tally.ts'
import type { Matrix, MatrixCell, MatrixColumn, MatrixRow } from './matrix.ts'
import { matrixScript, matrixStyle } from './matrix-style.ts'

/** Short, so that many columns fit; the legend says what each means. */
const marks: Readonly<Record<Status, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  observed: '·',
  'not-applicable': '–',
  blocked: '◌',
  untestable: '?',
}

const longestMessage = 300

/** @param title heading of the page */
export function matrixHtml(given: Matrix, title: string): string {
  const { columns, sections, rows } = visibleIn(given)
  const differing = rows.filter(({ differs }) => differs).length
  return htmlPage({
    title,
    script: matrixScript,
    style: matrixStyle,
    body: `<header>
<h1>${escapeHtml(title)}</h1>
<p>${rows.length} requirements, ${columns.length} servers; ${differing} requirements on which they differ.</p>
${summaryHtml(columns)}
<ul class="legend">${legend()}</ul>
</header>
<main>
<form id="filters" role="search" hidden>
<label>Section <select id="section"><option value="">all</option>${sections.map(({ number, title: name }) => `<option value="${escapeHtml(number)}">${escapeHtml(name)}</option>`).join('')}</select></label>
<label><input type="checkbox" id="differing"> only differences</label>
<label><input type="checkbox" id="document"> only the document, not the profile</label>
<label>Find <input type="search" id="find" placeholder="id or words"></label>
<span id="count" role="status"></span>
</form>
<table class="matrix">
<thead><tr><th scope="col">requirement</th>${columns.map(({ name }) => `<th scope="col">${escapeHtml(name)}</th>`).join('')}</tr></thead>
${sections.map((section) => sectionRows(section, rows, columns)).join('\n')}
</table>
</main>`,
  })
}

function summaryHtml(columns: readonly MatrixColumn[]): string {
  const rows = columns.map(
    ({ name, outcome, verdict, counts }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${outcome}</td><td class="picture">${barHtml(counts)}<small>${countsText(counts)}</small>${verdict.map((line) => `<div>${escapeHtml(line)}</div>`).join('')}</td></tr>`,
  )
  return `<div class="scroll" tabindex="0"><table class="tallies"><thead><tr><th scope="col">server</th><th scope="col">outcome</th><th scope="col">findings and verdict</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}

function legend(): string {
  return Object.entries(marks)
    .map(([status, mark]) => `<li><span class="status ${status}">${mark}</span> ${status}</li>`)
    .join('')
}

function sectionRows(
  { number, title }: Matrix['sections'][number],
  rows: readonly MatrixRow[],
  columns: readonly MatrixColumn[],
): string {
  const own = rows.filter(({ section }) => section === number)
  return `<tbody data-section="${escapeHtml(number)}"><tr class="heading"><th scope="rowgroup" colspan="${columns.length + 1}">${escapeHtml(title)}</th></tr>
${own.map((row) => rowHtml(row, columns)).join('\n')}
</tbody>`
}

function rowHtml(row: MatrixRow, columns: readonly MatrixColumn[]): string {
  const { requirement, statement, level, basis, differs, cells } = row
  const seen = observations(cells, columns)
  const details = seen === '' ? '' : `<ul>${seen}</ul>`
  return `<tr id="${escapeHtml(requirement)}"${differs ? ' data-differs' : ''}${basis === 'profile' ? ' data-profile' : ''}><th scope="row"><details><summary><code>${escapeHtml(requirement)}</code></summary><p>${escapeHtml(statement)} <small>${level}, ${basis}</small></p>${details}</details></th>${cells.map(cellHtml).join('')}</tr>`
}

function cellHtml({ status, held }: MatrixCell): string {
  if (status === undefined) return '<td>'
  const label = status === 'observed' ? `observed, ${heldText(held)}` : status
  return `<td class="${status}"><abbr title="${label}">${status === 'observed' && !held ? '≠' : marks[status]}</abbr>`
}

/** The observation, once for all columns that share it. */
function observations(cells: readonly MatrixCell[], columns: readonly MatrixColumn[]): string {
  const byText = new Map<string, string[]>()
  for (const [at, { status, message }] of cells.entries()) {
    if (message === '') continue
    const short = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message
    const text = `${status}: ${short}`
    byText.set(text, [...(byText.get(text) ?? []), columns[at]?.name ?? ''])
  }
  return [...byText]
    .map(([text, names]) => `<li><b>${escapeHtml(names.join(', '))}</b> ${escapeHtml(text)}</li>`)
    .join('')
}
