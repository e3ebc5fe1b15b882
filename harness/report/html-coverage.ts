/**
 * The coverage in the HTML report: the findings by section and by operation as a picture, and for each operation what of
 * its description was seen. `conformance coverage` shows the rest.
 *
 * @module
 */

import type { CoverageCount, CoverageReport } from '../../validate/coverage/coverage-report.ts'
import { isAbsent } from './coverage-text.ts'
import { coverageView, type OperationView } from './coverage-view.ts'
import { talliesHtml } from './html-tally.ts'
import type { Outline } from './outline.ts'

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
<p>What the checks sent and saw, of all that the API description contains. <code>conformance coverage</code> with the JSON report shows every parameter.</p>
<dl>${shares}</dl>
${talliesHtml('section', sections)}
${talliesHtml('operation', operations, { 'statuses seen': cell(seenStatuses), 'described, but not seen': cell(missingParts) })}
</section>`
}

function shareText({ seen, total, percent }: CoverageCount): string {
  return `${seen} of ${total} (${percent} %)`
}

function seenStatuses({ statuses }: OperationView): string[] {
  return statuses.filter((line) => !isAbsent(line)).map(({ status }) => status)
}

function missingParts({ statuses, parameters, missingActors }: OperationView): string[] {
  return [
    ...statuses.filter(isAbsent).map(({ status }) => status),
    ...parameters.filter(isAbsent).map(({ name }) => name),
    ...missingActors,
  ]
}
