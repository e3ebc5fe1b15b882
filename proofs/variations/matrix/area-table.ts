import type { VariationRow } from './variation-row.ts'

/** What a row counts for, by the heading of its column. */
const columns: readonly [heading: string, counts: (row: VariationRow) => boolean][] = [
  ['variations', () => true],
  ['failed', ({ accused }) => accused.length > 0],
  ['declared', ({ declared }) => declared.length > 0],
  ['silent', ({ silent }) => silent.length > 0],
  ['stale', ({ stale }) => stale.length > 0],
  ['unmet', ({ unmet }) => unmet.length > 0],
  ['errors', ({ errors }) => errors.length > 0],
]

/**
 * How many variations of each area there are, were failed, have no verdict that they declare or do not declare, declare
 * one too many, changed nothing that the suite received, or ended the run. Lines of text.
 */
export function areaTable(rows: readonly VariationRow[]): string[] {
  const areas = [...new Set(rows.map(({ area }) => area))].sort()
  const width = Math.max(...areas.map(({ length }) => length), 'all'.length)
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(width)}  ${cells.map((cell, at) => String(cell).padStart(columns[at]?.[0].length ?? 0)).join('  ')}`
  const counts = (some: readonly VariationRow[]) => columns.map(([, counted]) => some.filter(counted).length)
  return [
    line(
      'area',
      columns.map(([heading]) => heading),
    ),
    ...areas.map((name) => line(name, counts(rows.filter(({ area }) => area === name)))),
    line('all', counts(rows)),
  ]
}
