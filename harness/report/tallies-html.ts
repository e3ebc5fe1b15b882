/**
 * Counts of findings as a picture: a bar, and next to it the same in words.
 *
 * @module
 */

import { escapeHtml } from './finding-html.ts'
import { countsText, type StatusCount, type Tally, urgency } from './tally.ts'

/** Width of a bar in its own units. */
const whole = 1_000

/** One bar, the passed first. It has its words as a label. */
export function barHtml(counts: readonly StatusCount[]): string {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const ordered = [...urgency].reverse().flatMap((status) => counts.filter((each) => each.status === status))
  let from = 0
  const parts = ordered.map(({ status, count }) => {
    const width = Math.round((count / total) * whole)
    const part = `<rect class="${status}" x="${from}" width="${width}" height="10"/>`
    from += width
    return part
  })
  return `<svg class="bar" viewBox="0 0 ${whole} 10" preserveAspectRatio="none" role="img" aria-label="${countsText(counts)}">${parts.join('')}</svg>`
}

/** The statuses that occur, each with its color and number. */
export function legendHtml(counts: readonly StatusCount[]): string {
  const parts = counts.map(
    ({ status, count }) =>
      `<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="${status}" width="10" height="10"/></svg> <b>${count}</b> ${status}</li>`,
  )
  return `<ul class="legend">${parts.join('')}</ul>`
}

/** @param more cells of each row in addition, as text, by their headings */
export function talliesHtml(
  title: string,
  tallies: readonly Tally[],
  more: Readonly<Record<string, (name: string) => string>> = {},
): string {
  const rows = tallies.map(({ name, counts, total }) => {
    const cells = Object.values(more).map((cell) => `<td>${escapeHtml(cell(name))}</td>`)
    return `<tr><th scope="row">${escapeHtml(name)}</th><td class="number">${total}</td><td class="picture">${barHtml(counts)}<small>${countsText(counts)}</small></td>${cells.join('')}</tr>`
  })
  const headings = [title, 'findings', ...Object.keys(more)].map((each) => `<th scope="col">${each}</th>`)
  headings.splice(1, 0, '<th scope="col" class="number">requirements</th>')
  return `<div class="scroll" tabindex="0"><table class="tallies"><thead><tr>${headings.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`
}
