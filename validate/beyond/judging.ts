/**
 * The input of checks beyond the schema. They look only at values of the described form: the schema reports the rest.
 *
 * @module
 */

import type { ParsedQuery } from '../../exchange/query-of.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import type { FoundOperation } from '../find-operation.ts'
import type { ExchangeReading } from '../reading/reading.ts'
import type { ParameterNames, RequestMeaning } from '../request-meaning.ts'
import type { TableIndex } from './table-index.ts'

export type BodyObject = Record<string, unknown>

/** The rules that exchanges are validated by. */
export interface Rules {
  /** Prefix of the paths, without a slash at its end. */
  prefix: string
  names: ParameterNames
  tables: TableIndex | undefined
  /**
   * The server claims the profile. If it does not, the profile does not apply to its responses: where the document
   * allows two interpretations, both are valid.
   */
  claimed: boolean
  /** A key that is not in the definition is reported as well. */
  strict: boolean
  /** `schema`: only status, media type and schema. */
  checks: 'all' | 'schema'
}

/** Reports to the coverage that a requirement is checked on an exchange, violated or not. */
export type ClaimRequirement = (requirement: ClaimBeyondSchema) => void

/** An exchange of any path. */
export interface Judged extends RequestMeaning, Rules {
  reading: ExchangeReading
  /**
   * @param path JSON pointer in the body
   * @param message @default that the value at the path is not as expected
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

/** First value of a query parameter. A blank one counts as absent. */
export function parameter(query: ParsedQuery, name: string): string | undefined {
  return query.get(name) || undefined
}

/**
 * Whether `fields` may have shortened the values of a key: such a value does not show the complete one.
 *
 * @param name of the key; a modifier on `*` applies to every key
 */
export function isShortened(query: ParsedQuery, name: string): boolean {
  const fields = parameter(query, 'fields')
  if (fields?.includes(':') !== true) return false
  return [...fields.matchAll(/(?<![^,.:()\s])([^,.:()\s]+)\s*:/g)].some(
    ([, key]) => key === name || key === '*',
  )
}

/**
 * Whether a name in a path may mean a name in the response. The profile compares ids exactly and table names without
 * case; other servers may accept a name in another case, with a suffix, or with other separators.
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
