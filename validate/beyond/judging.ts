/**
 * What a check beyond the schema works with. It looks only at what has the described form: the schema tells the rest.
 *
 * @module
 */

import type { ParsedQuery } from '../../exchange/query-of.ts'
import type { ParameterNames, RequestMeaning } from '../asked.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import type { FoundOperation } from '../find-operation.ts'
import type { ExchangeReading } from '../reading/reading.ts'
import type { TableIndex } from './table-index.ts'

export type BodyObject = Record<string, unknown>

/** What exchanges are judged by. */
export interface Rules {
  /** Of the paths, without a slash at its end. */
  prefix: string
  names: ParameterNames
  tables: TableIndex | undefined
  /**
   * The server claims the profile. If it does not, the profile explains nothing of what it says: where the document
   * leaves room for two readings, both are right.
   */
  claimed: boolean
  /** A key that is not in the definition is reported as well. */
  strict: boolean
  /** `schema`: nothing but status, media type and schema. */
  checks: 'all' | 'schema'
}

/** Tells the coverage that a requirement is judged on an exchange, broken or not. */
export type ClaimRequirement = (requirement: ClaimBeyondSchema) => void

/** An exchange of any path. */
export interface Judged extends RequestMeaning, Rules {
  reading: ExchangeReading
  /**
   * @param path JSON pointer in the body
   * @param message @default that what stands at the path is not as expected
   */
  add(
    requirement: ClaimBeyondSchema,
    path: string,
    expected: string,
    received: string,
    message?: string,
  ): void
  claim: ClaimRequirement
}

/** An exchange of an operation. */
export interface Judging extends Judged {
  found: FoundOperation
}

/** First value of a query parameter; blank is absent. Repeated ones: the first counts. */
export function parameter(query: ParsedQuery, name: string): string | undefined {
  return query.get(name) || undefined
}

/**
 * Whether `fields` may have shortened the values of a key: such a value says nothing about the whole one.
 *
 * @param name of the key; a modifier on `*` is one on every key
 */
export function isShortened(query: ParsedQuery, name: string): boolean {
  const fields = parameter(query, 'fields')
  if (fields?.includes(':') !== true) return false
  return [...fields.matchAll(/([^,.:()\s]+)\s*:/g)].some(([, key]) => key === name || key === '*')
}

/**
 * Whether a name in a path may stand for one that the response shows. The profile compares ids to the letter and names of
 * tables in any case; other servers may take a name in another case, with an ending, or with other signs between its
 * letters.
 */
export function mayMean({ claimed }: Rules, asked: string, name: string): boolean {
  if (asked === name) return true
  if (claimed) return false
  const [one, other] = [bare(asked), bare(name)]
  return one.includes(other) || other.includes(one)
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '')
}
