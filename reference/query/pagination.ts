/**
 * From the text of `page`, `perPage` and `skipTotal` to numbers; `list.ts` cuts the page.
 *
 * @module
 */

import { QueryError } from './query-error.ts'

const DEFAULT_SIZE = 30
const MAX_SIZE = 1000
const INTEGER = /^[+-]?[0-9]+$/
const INT64 = 2n ** 63n
const YES = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const NO = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

/** The requested part of a list, with bounds applied: the values that the response contains. */
export interface Pagination {
  page: number
  perPage: number
  /** Do not count: totals are -1. */
  skipTotal: boolean
}

/**
 * Reads `page`, `perPage` and `skipTotal` (contract-records 1.3): values out of bounds are clamped, values that are not
 * integers or booleans are errors.
 *
 * @throws QueryError
 */
export function parsePagination(query: Readonly<Record<string, string | undefined>>): Pagination {
  const skipTotal = readFlag('skipTotal', query.skipTotal)
  const page = readInteger('page', query.page)
  const perPage = readInteger('perPage', query.perPage)
  return {
    page: page > 0 ? page : 1,
    perPage: perPage > 0 ? Math.min(perPage, MAX_SIZE) : DEFAULT_SIZE,
    skipTotal,
  }
}

function readInteger(name: string, text = ''): number {
  if (text === '') return 0
  if (INTEGER.test(text)) {
    const digits = text.replace(/^[+-]?0*/, '')
    // Longer numbers are out of range, and parsing them would take more than linear time.
    const value = digits.length > 19 ? INT64 : BigInt(`${text.startsWith('-') ? '-' : ''}${digits || '0'}`)
    if (value >= -INT64 && value < INT64) return Number(value)
  }
  throw new QueryError(`${name}: ${JSON.stringify(text)} is not a whole number.`)
}

function readFlag(name: string, text = ''): boolean {
  if (YES.has(text)) return true
  if (text === '' || NO.has(text)) return false
  throw new QueryError(`${name}: ${JSON.stringify(text)} is neither true nor false.`)
}
