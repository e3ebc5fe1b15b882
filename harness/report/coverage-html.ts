/**
 * The coverage in the HTML report: the findings by section and by operation as a picture, and for each operation the
 * tables of `conformance coverage`: its statuses and parameters, with who sent them, how many requirements they are
 * about, and why some are never seen.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import type { CoverageCount, CoverageReport } from '../../validate/coverage/coverage-report.ts'
import { actorsText, isUnseen, neverSentBy, requirementCount, sendersText } from './coverage-lines.ts'
import { coverageView, type OperationView } from './coverage-view.ts'
import { escapeHtml } from './finding-html.ts'
import type { Outline } from './outline.ts'
import { talliesHtml } from './tallies-html.ts'

export function coverageHtml(coverage: CoverageReport, { sections, operations }: Outline['tallies']): string {
  const views = new Map(coverageView(coverage).map((view) => [view.operation as string, view]))
  const cell = (text: (view: OperationView) => readonly string[]) => (operation: string) => {
    const view = views.get(operation)
    return view === undefined ? '' : text(view).join(', ')
  }
  const shares = (['operations', 'statuses', 'parameters', 'actors', 'requirements'] as const)
    .map((what) => `<div><dt>${what}</dt><dd>${shareText(coverage[what])}</dd></div>`)
    .join('')
  return `<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage</h2>
<p>What the checks sent and saw, of all that the API description contains. The JSON report names the requirements, and <code>conformance coverage</code> lists them.</p>
<dl>${shares}</dl>
${talliesHtml('section', sections)}
${talliesHtml('operation', operations, { 'statuses seen': cell(seenStatuses), 'described, but not seen': cell(missingParts) })}
${[...views.values()].map(operationHtml).join('\n')}
</section>`
}

function shareText({ seen, total, percent }: CoverageCount): string {
  return `${seen} of ${total} (${percent} %)`
}

function seenStatuses({ statuses }: OperationView): string[] {
  return statuses.filter((line) => !isUnseen(line)).map(({ status }) => status)
}

function missingParts({ statuses, parameters, missingActors }: OperationView): string[] {
  return [
    ...statuses.filter(isUnseen).map(({ status }) => status),
    ...parameters.filter(isUnseen).map(({ name }) => name),
    ...missingActors.map(({ actor }) => actor),
  ]
}

/** Closed, so that the page stays short. */
function operationHtml({
  operation,
  method,
  path,
  requirements,
  statuses,
  parameters,
  missingActors,
}: OperationView): string {
  const never = missingActors.map((missing) => `<p>${escapeHtml(neverSentBy(missing))}</p>`).join('')
  const ofStatuses = tableHtml(
    ['status', 'requirements', 'actors', 'why it is not seen'],
    statuses.map((line) => [line.status, requirementCount(line), actorsText(line), line.reason ?? '']),
  )
  const ofParameters = tableHtml(
    ['parameter', 'requirements', 'statuses', 'actors'],
    parameters.map((line) => [
      line.name,
      requirementCount(line),
      line.statuses.join(', '),
      line.reason === undefined ? sendersText(line) : `${sendersText(line)}: ${line.reason}`,
    ]),
  )
  const title = `${method} ${path}, ${countOf(requirements.length, 'requirement')}`
  return `<details><summary><strong>${operation}</strong> ${escapeHtml(title)}</summary>
${never}${ofStatuses}
${ofParameters}
</details>`
}

/** The first cell of a row is its name, the second a number. */
function tableHtml(names: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('')
  const body = rows.map(([name = '', count = '', ...others]) => {
    const cells = others.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')
    return `<tr><th scope="row">${escapeHtml(name)}</th><td class="number">${escapeHtml(count)}</td>${cells}</tr>`
  })
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}
