/**
 * The tables that `npm run bench` prints. Pure.
 *
 * @module
 */

/** @throws RangeError for an empty list */
export function median(numbers: readonly number[]): number {
  const middle = [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
  if (middle === undefined) throw new RangeError('An empty list has no median.')
  return middle
}

/** A Markdown table with aligned columns. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** What one server does in relation to another: `0.61`. Empty if one of them was not measured. */
export function ratio(one: number | undefined, other: number | undefined): string {
  return one === undefined || other === undefined ? '' : (one / other).toFixed(2)
}

/** A number of four digits or less with its unit left out: `16,600`, `0.42`. */
export function figure(value: number | undefined): string {
  if (value === undefined) return ''
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2)
}
