import { expect, it } from 'vitest'
import { columnsOf } from './columns-of.ts'

it.each<[string, Parameters<typeof columnsOf>[0], string, number | undefined]>([
  ['a terminal', { isTTY: true, columns: 72 }, '', 72],
  ['a terminal that does not say its width', { isTTY: true, columns: 0 }, '', 80],
  ['a terminal without a width', { isTTY: true }, '', 80],
  ['such a terminal, with COLUMNS', { isTTY: true, columns: 0 }, '60', 60],
  ['a terminal, with COLUMNS', { isTTY: true, columns: 72 }, '60', 72],
  ['a pipe', {}, '', undefined],
  ['a pipe, with COLUMNS', {}, '60', 60],
  ['a pipe, with COLUMNS that is not a width', {}, '3', undefined],
])('%s', (_name, stream, COLUMNS, columns) => {
  expect(columnsOf(stream, { COLUMNS })).toBe(columns)
})
