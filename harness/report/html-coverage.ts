/**
 * The coverage in the HTML report: a section with a table of all operations, and one to open for each.
 *
 * @module
 */

import type { CoverageCount, CoverageReport } from '../../validate/coverage/coverage-report.ts'
import { actorsText, counted, isUnseen, sendersText } from './coverage-text.ts'
import { coverageView, type OperationView, type ParameterLine, type StatusLine } from './coverage-view.ts'
import { escapeHtml } from './html-finding.ts'

export function coverageHtml(coverage: CoverageReport): string {
  const views = coverageView(coverage)
  const shares = (['operations', 'statuses', 'parameters', 'actors', 'requirements'] as const)
    .map((what) => `<div><dt>${what}</dt><dd>${shareText(coverage[what])}</dd></div>`)
    .join('')
  return `<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage: what the checks sent and saw</h2>
<dl>${shares}</dl>
${table(['operation', 'requirements', 'statuses seen', 'described, but not seen'], views.map(summaryRow))}
${views.map(operationHtml).join('\n')}
</section>`
}

function shareText({ seen, total, percent }: CoverageCount): string {
  return `${seen} of ${total} (${percent} %)`
}

function summaryRow({
  operation,
  requirements,
  statuses,
  parameters,
  missingActors,
}: OperationView): string[] {
  const [seen, absent] = [false, true].map((wanted) =>
    statuses.filter((line) => isUnseen(line) === wanted).map(({ status }) => status),
  )
  const missing = [
    ...(absent ?? []),
    ...parameters.filter(isUnseen).map(({ name }) => name),
    ...missingActors,
  ]
  return [operation, String(requirements.length), (seen ?? []).join(' '), missing.join(', ')]
}

function operationHtml(view: OperationView): string {
  const { operation, method, path, requirements, statuses, parameters } = view
  return `<details><summary><code>${escapeHtml(operation)}</code> <small>${escapeHtml(`${method} ${path}, ${counted(requirements.length)}`)}</small></summary>
${table(['status', 'requirements', 'actors'], statuses.map(statusRow))}
${table(['parameter', 'requirements', 'statuses', 'actors'], parameters.map(parameterRow))}
</details>`
}

function statusRow(line: StatusLine): string[] {
  const why = line.reason === undefined ? '' : `: ${line.reason}`
  return [line.status, idsText(line.requirements), `${actorsText(line)}${why}`]
}

function parameterRow(line: ParameterLine): string[] {
  return [line.name, idsText(line.requirements), line.statuses.join(' '), sendersText(line)]
}

const mostIds = 5

/** Their number, and the first of them: the JSON report has all. */
function idsText(ids: readonly string[]): string {
  if (ids.length === 0) return '-'
  const shown = ids.slice(0, mostIds).join(', ')
  return ids.length > mostIds ? `${ids.length}: ${shown} …` : `${ids.length}: ${shown}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map(([first = '', ...rest]) => {
    const cells = rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')
    return `<tr><th scope="row">${escapeHtml(first)}</th>${cells}</tr>`
  })
  const titles = head.map((title) => `<th scope="col">${title}</th>`).join('')
  return `<div class="scroll"><table><thead><tr>${titles}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`
}
