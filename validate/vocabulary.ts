/**
 * The words of the validator, as types.
 *
 * @module
 */

import type { TableInput } from '../spec/table-definition.ts'
import type { Basis, Level, OperationId } from '../spec/vocabulary.ts'
import type { Coverage } from './coverage.ts'

/** One thing that a response breaks. */
export interface ValidationFinding {
  /** Id of the requirement: `list.total-pages`. */
  requirement: string
  /** What the requirement says. */
  statement: string
  /** How strict the requirement is. */
  level: Level
  /** Where the requirement comes from: the document, or the profile. */
  basis: Basis
  /** Section of the document, or the key of the gap that the profile fills. */
  section: string
  /** `fail` counts. `warn`: a SHOULD, counts when strict. `observed`: the profile is not claimed. */
  status: 'fail' | 'warn' | 'observed'
  /** JSON path in the response's body, `$.items[0].created`; `$` for the whole. */
  path: string
  /** What the requirement expects there, as text. */
  expected: string
  /** What was received there, as text. */
  received: string
  /** The finding as text, in at most ten lines. */
  toString(): string
}

/** What the validation of one response found. */
export interface ValidationResult {
  /** Whether the response conforms: no finding counts. */
  ok: boolean
  /** Operation of the interface. Undefined where the request matches none: then nothing was validated. */
  operation: OperationId | undefined
  /** What the response breaks. Findings with status `warn` or `observed` need not count. */
  findings: readonly ValidationFinding[]
  /** Why the body was not validated. Absent: it was. */
  unjudged?: string
}

/** What a validator validates, and what counts. */
export interface ValidatorOptions {
  /** Definitions of tables, as `spec/tables.yaml` or an export has them: their own fields are then checked by type. */
  tables?: readonly TableInput[]
  /** `none`: what only the profile says is `observed` and never counts. @default 'standard' */
  profile?: 'standard' | 'none'
  /** Path prefix of the interface. @default '/api/v1' */
  prefix?: string
  /** A broken SHOULD, a key that no definition has, and a body too large to judge count too. @default false */
  strict?: boolean
  /** `schema`: leave out what goes beyond the schema. @default 'all' */
  checks?: 'all' | 'schema'
  /** Bytes of the largest body that is looked into. @default 33554432 */
  limit?: number
  /** Collects what was validated. */
  coverage?: Coverage
}
