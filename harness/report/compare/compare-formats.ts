/**
 * A comparison as text, Markdown, HTML and JSON.
 *
 * @module
 */

import { visibleJson } from '../../../exchange/visible.ts'
import { escapeHtml } from '../finding-html.ts'
import { htmlPage } from '../html-page.ts'
import { fileLimits, screenLimits, summaryLimits } from '../limits.ts'
import { inline, sectionsMarkdown } from '../markdown.ts'
import { commonScript } from '../page-script.ts'
import type { Paint } from '../paint.ts'
import { sectionHtml } from '../section-html.ts'
import { sectionLines } from '../terminal.ts'
import type { ReportComparison } from './comparison.ts'
import { comparisonOutline } from './comparison-outline.ts'

/** @param quiet only the ids */
export function comparisonLines(comparison: ReportComparison, paint: Paint, quiet = false): string[] {
  const { title, lines, notes, sections } = comparisonOutline(comparison, screenLimits)
  const color = comparison.worse ? paint.red : paint.green
  return [
    title,
    ...sections.flatMap((section) => sectionLines(section, paint, quiet)),
    '',
    ...lines.map((line, at) => (at === 0 ? color(line) : line)),
    ...notes,
  ].map((line) => line.replaceAll('\n', ' '))
}

export function comparisonMarkdown(comparison: ReportComparison): string {
  const { title, outcome, lines, notes, sections } = comparisonOutline(comparison, summaryLimits)
  const sign = { worse: '❌', better: '✅', different: '⚠️', same: '✅' }[outcome]
  const text = [
    `## ${sign} ${inline(title)}`,
    '',
    ...[...lines, ...notes].map((line) => `- ${inline(line)}`),
    ...sectionsMarkdown(sections),
  ]
  return `${text.join('\n')}\n`
}

export function comparisonHtml(comparison: ReportComparison): string {
  const { title, outcome, lines, notes, sections } = comparisonOutline(comparison, fileLimits)
  return htmlPage({
    title: `${title}: ${outcome}`,
    script: `${commonScript}openAddressed();\n`,
    body: `<header class="${outcome === 'worse' ? 'non-conformant' : 'conformant'}">
<h1>${escapeHtml(title)} <span class="outcome">${outcome}</span></h1>
<ul class="verdict">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('')}
</header>
<main>
${sections.map(sectionHtml).join('\n')}
</main>`,
  })
}

/** What differs, without the evidence, which is in the reports. */
export function comparisonJson({ worse, same, notes, differences, before, after }: ReportComparison): string {
  const side = ({ suite, target, verdict, startedAt }: ReportComparison['before']) => ({
    suite,
    target,
    startedAt,
    verdict,
  })
  const rows = differences.map(({ requirement, change, ...findings }) => ({
    requirement,
    change,
    before: findings.before?.status,
    after: findings.after?.status,
    message: findings.after?.message,
  }))
  const whole = { worse, same, notes, before: side(before), after: side(after), differences: rows }
  return `${visibleJson(whole, 2)}\n`
}
