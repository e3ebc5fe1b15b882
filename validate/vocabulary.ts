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
  requirement: string
  /** The claim in words. */
  statement: string
  level: Level
  basis: Basis
  /** Section of the document, or the key of the gap that the profile fills. */
  section: string
  /** `fail` counts. `warn`: a SHOULD, counts when strict. `observed`: the profile is not claimed. */
  status: 'fail' | 'warn' | 'observed'
  /** JSON path in the response's body, `$.items[0].created`; `$` for the whole. */
  path: string
  expected: string
  received: string
  /** The finding for people, at most ten lines. */
  toString(): string
}

export interface ValidationResult {
  /** No finding counts. */
  ok: boolean
  /** Undefined where the request is none of the interface's: then nothing was judged. */
  operation: OperationId | undefined
  findings: readonly ValidationFinding[]
  /** Why the body was not looked into, where it was not. */
  unjudged?: string
}

export interface ValidatorOptions {
  /** Definitions of tables, as `spec/tables.yaml` or an export has them: their own fields are then checked by type. */
  tables?: readonly TableInput[]
  /** `none`: what only the profile says is `observed` and never counts. @default 'standard' */
  profile?: 'standard' | 'none'
  /** Of the paths. @default '/api/v1' */
  prefix?: string
  /** A broken SHOULD, a key that no definition has, and a body too large to judge count too. @default false */
  strict?: boolean
  /** `schema`: leave out what goes beyond the schema. @default 'all' */
  checks?: 'all' | 'schema'
  /** Bytes of the largest body that is looked into. @default 33554432 */
  limit?: number
  /** Is told of every judged exchange. */
  coverage?: Coverage
}
