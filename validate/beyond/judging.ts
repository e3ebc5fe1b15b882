/**
 * What a check beyond the schema works with. It looks only at what has the described form: the schema tells the rest.
 *
 * @module
 */

import type { Query } from '../../exchange/query-of.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import type { FoundOperation } from '../find-operation.ts'
import type { Reading } from '../reading/reading.ts'
import type { TableIndex } from './table-index.ts'

export type Body = Record<string, unknown>

export interface Judging {
  reading: Reading
  found: FoundOperation
  /** Of the request. */
  query: Query
  prefix: string
  tables: TableIndex | undefined
  strict: boolean
  /** Keys were picked with `fields`, or may have been. */
  picked: boolean
  /** @param path JSON pointer in the body */
  add(requirement: ClaimBeyondSchema, path: string, expected: string, received: string): void
  /** Tells the coverage that a requirement is judged on this exchange, broken or not. */
  claim(requirement: ClaimBeyondSchema): void
}

/** First value of a query parameter; blank is absent. Repeated ones: the first counts. */
export function parameter(query: Query, name: string): string | undefined {
  return query.get(name) || undefined
}

/**
 * Whether `fields` may have shortened the values of a key: such a value says nothing about the whole one.
 *
 * @param name of the key; a modifier on `*` is one on every key
 */
export function isShortened(query: Query, name: string): boolean {
  const fields = parameter(query, 'fields')
  if (fields?.includes(':') !== true) return false
  return [...fields.matchAll(/([^,.:()\s]+)\s*:/g)].some(([, key]) => key === name || key === '*')
}
