/** Mistakes in pages, sorting, filters and expansion. */

import { change, mutant } from './mutant.ts'

const query = 'reference/query'
const store = 'reference/store'

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
mutant(
  'a last page that is read from the end comes back in reverse',
  ['list.sort-orders'],
  change(
    `${query}/select-page.ts`,
    'fromEnd ? found.reverse().slice(0, pagination.perPage)',
    'fromEnd ? found.slice(0, pagination.perPage)',
  ),
)
mutant(
  'every page in descending order of identifiers is the first one',
  ['list.pagination-covers'],
  change(
    `${store}/reader.ts`,
    "order === '-id' ? lastFirst(ids, skip)",
    "order === '-id' ? lastFirst(ids, 0)",
  ),
)
mutant(
  'a page of a whole table begins one row too late',
  ['list.without-condition'],
  change(`${store}/scan.ts`, 'if (left-- === 0) return key', 'if (--left <= 0) return key'),
)
mutant(
  'expanded records name the table of the list',
  ['list.expand-relation'],
  change(
    'reference/records/render.ts',
    'const shown: Shown = { collectionId: table.id, collectionName: table.name }',
    'const shown: Shown = { collectionId: scope.table.id, collectionName: scope.table.name }',
  ),
)
mutant(
  'only the first thirty records of a page are expanded',
  ['list.expand-relation'],
  change(
    `${query}/expand.ts`,
    'expandTree(rows, table, parseExpand',
    'expandTree(rows.slice(0, 30), table, parseExpand',
  ),
)
mutant(
  'a record that fits two conditions of an "or" is listed twice',
  ['list.filter-all-pages'],
  change(`${query}/candidates-of.ts`, '.filter((row, at) => row !== found[at - 1])', ''),
)
