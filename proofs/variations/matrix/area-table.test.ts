import { expect, it } from 'vitest'
import { areaTable } from './area-table.ts'
import type { VariationRow } from './variation-row.ts'

const passed: VariationRow = {
  names: ['one'],
  area: 'pages',
  accused: [],
  silent: [],
  declared: [],
  stale: [],
  unmet: [],
  errors: [],
  checks: 3,
  seed: 1,
  ms: 10,
}

it('counts variations by area and by what came of them', () => {
  const rows = [
    { ...passed, declared: ['batch.order'] },
    { ...passed, accused: ['list.page: fail'], unmet: ['one'] },
    { ...passed, area: 'ids', silent: ['record.id: blocked'], stale: ['record.id'], errors: ['ended'] },
  ]
  expect(areaTable(rows)).toEqual([
    'area   variations  failed  declared  silent  stale  unmet  errors',
    'ids             1       0         0       1      1      0       1',
    'pages           2       1         1       0      0      1       0',
    'all             3       1         1       1      1      1       1',
  ])
})
