/**
 * What is shared while one expression becomes terms. `compile.ts` begins it, paths and references add their joins.
 *
 * @module
 */

import { apiKeysTableName } from '../auth/api-keys.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'
import type { FrameJoin } from './frame.ts'
import type { Scope } from './scope.ts'

/**
 * Whose permissions apply to an expression. `client`: hidden fields are unknown, and related tables show only rows that their
 * listRule allows. `superuser`: a filter that may name everything but password fields. `rule`: part of a table
 * definition.
 */
export type CompileMode = 'client' | 'superuser' | 'rule'

/** State that the parts of the compiler share while one expression is compiled. */
export interface Compilation {
  reader: Reader
  table: Table
  mode: CompileMode
  /** Table of the caller's record: names below `@request.auth` are its fields. */
  caller: Table | undefined
  joins: FrameJoin[]
  joinsByKey: Map<string, FrameJoin>
  /** Tables that the expression names, in their version. If one is replaced the expression is compiled again. */
  uses: Map<string, Table>
  /** Tables whose listRule does not limit the caller: those that an API key may list. */
  trusts(table: Table): boolean
  /** Compiles the listRule of a related table. */
  ruleOf(table: Table, text: string): (row: Row, scope: Scope) => boolean
}

/** The join of a path: created at its first use, shared afterwards. */
export function joinAt(
  compilation: Compilation,
  key: string,
  make: () => Omit<FrameJoin, 'index' | 'children'>,
): FrameJoin {
  const known = compilation.joinsByKey.get(key)
  if (known !== undefined) return known
  const join: FrameJoin = { ...make(), index: compilation.joins.length, children: [] }
  compilation.joins.push(join)
  compilation.joinsByKey.set(key, join)
  if (join.parent >= 0) compilation.joins[join.parent]?.children.push(join)
  return join
}

/** A join with all its parents, parents first. */
export function chainOf(compilation: Compilation, join: FrameJoin | undefined): FrameJoin[] {
  if (join === undefined) return []
  return [...chainOf(compilation, compilation.joins[join.parent]), join]
}

/** A table that the expression names. It is stored so that a changed definition is noticed. */
export function tableNamed(compilation: Compilation, nameOrId: string): Table | undefined {
  const table = compilation.reader.table(nameOrId)
  // No expression, not even a superuser's, can query the hashes of keys.
  if (table?.name === apiKeysTableName) return undefined
  if (table !== undefined) compilation.uses.set(table.id, table)
  return table
}
