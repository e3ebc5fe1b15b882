/** Mistakes in pages, sorting, filters and expansion. */

import { change, mutant } from './mutant.ts'

const query = 'reference/query'

mutant(
  'the number of pages counts one too many for full pages',
  ['list.total-pages'],
  change(
    `${query}/select-page.ts`,
    'totalPages: Math.ceil(count / perPage) }',
    'totalPages: Math.floor(count / perPage) + 1 }',
  ),
)
mutant(
  'records with equal sort keys move between pages',
  ['list.sort-across-pages'],
  change(`${query}/sort.ts`, 'return a.row.rowid - b.row.rowid', 'return 0'),
)
mutant(
  'the heap that selects a page leaves out its root',
  ['list.sort-across-pages', 'list.pagination-covers'],
  change(`${query}/bounded-heap.ts`, 'held.length >> 1; at >= 0', 'held.length >> 1; at >= 1'),
)
mutant(
  'numbers sort as text',
  ['list.sort-orders'],
  change(
    `${query}/sql-value.ts`,
    "if (typeof a === 'number' && typeof b === 'number') return a - b",
    "if (typeof a === 'number' && typeof b === 'number') return String(a) < String(b) ? -1 : Number(a !== b)",
  ),
)
