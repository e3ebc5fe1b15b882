import { expect, test } from 'vitest'
import { parsePagination } from './pagination.ts'
import { QueryError } from './query-error.ts'

test.each([
  [{}, 1, 30, false],
  [{ page: '+2', perPage: '007' }, 2, 7, false],
  [{ page: '0', perPage: '0' }, 1, 30, false],
  [{ page: '-3', perPage: '-1' }, 1, 30, false],
  [{ page: '', perPage: '1001', skipTotal: 'T' }, 1, 1000, true],
  [{ page: '9223372036854775807', skipTotal: '' }, 2 ** 63, 30, false],
])('%j', (query, page, perPage, skipTotal) => {
  expect(parsePagination(query)).toEqual({ page, perPage, skipTotal })
})

test.each([
  { page: 'x' },
  { page: '1.5' },
  { page: ' 1' },
  { page: '1e3' },
  { page: '9223372036854775808' },
  { perPage: '0x1' },
  { perPage: '1_0' },
  { skipTotal: 'yes' },
])('rejects %j', (query) => {
  expect(() => parsePagination(query)).toThrow(QueryError)
})
