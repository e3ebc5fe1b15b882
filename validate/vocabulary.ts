/**
 * The vocabulary of the validator, as types.
 *
 * @module
 */

import type { LoggedFinding } from '../exchange/logged-exchange.ts'
import type { TableInput } from '../spec/table-definition.ts'
import type { Basis, OperationId } from '../spec/vocabulary.ts'
import type { Coverage } from './coverage/create-coverage.ts'

/** One thing that a response breaks. */
export interface ValidationFinding extends LoggedFinding {
  /** Where the requirement comes from: the document, or the profile. */
  basis: Basis
  /** Section of the document, or the key of the gap that the profile fills. */
  section: string
  /** Other places of the response with the same finding, further items of a list for example. Absent: none. */
  others?: number
  /** The finding as text, in at most ten lines. */
  toString(): string
}

/** What the validation of one response found. */
export interface ValidationResult {
  /** Whether the response conforms: no finding counts. */
  ok: boolean
  /** Operation of the interface. Undefined if the request matches none: then nothing was validated. */
  operation: OperationId | undefined
  /** What the response breaks. Findings with status `warn` or `observed` need not count. */
  findings: readonly ValidationFinding[]
  /** Why the body was not validated. Absent: it was. */
  unjudged?: string
  /** What was not checked for another reason: the table is not among `tables`. Absent: everything was checked. */
  note?: string
  /** Method that was assumed, because neither the response nor the caller named one. Absent: it is known. */
  assumedMethod?: string
}

/** What a validator validates, and what counts. */
export interface ValidatorOptions {
  /**
   * Table definitions, in the format of `spec/tables.yaml` or an export. Their own fields are then checked by type.
   *
   * @default []
   */
  tables?: readonly TableInput[] | undefined
  /**
   * Profile that the server claims. `standard`: what only the profile says counts too. `none`: it is `observed` and
   * never counts.
   *
   * @default 'none'
   */
  profile?: 'standard' | 'none' | undefined
  /** Path prefix of the interface. @default '/api/v1' */
  prefix?: string | undefined
  /**
   * Whether a violated SHOULD, a key without a definition, and a body that is too large to validate also count.
   * @default false
   */
  strict?: boolean | undefined
  /** `schema`: skip the checks beyond the schema. @default 'all' */
  checks?: 'all' | 'schema' | undefined
  /**
   * Maximum size of a body that is validated, in bytes. Bodies with more than 1,000,000 JSON values, and more than one for
   * every 8 bytes of this limit, are not validated either: they take too much memory. @default 33554432
   */
  limit?: number | undefined
  /** Collects what was validated. @default none */
  coverage?: Coverage | undefined
}
