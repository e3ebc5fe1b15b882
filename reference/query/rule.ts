/**
 * Rules of a table as filters: validated with its definition, tested for one row at a time.
 *
 * @module
 */

import type { RuleText } from '../../spec/table-definition.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'
import { compileFilter, optionsFor } from './compile.ts'
import { QueryError } from './query-error.ts'
import type { Scope } from './scope.ts'

/**
 * Validates a rule against its table when a definition is saved (contract-records 5.4).
 *
 * @throws QueryError with the cause; a blank rule is an error too
 */
export function compileRule(table: Table, text: string, reader: Reader): void {
  compileFilter(text, { reader, table, mode: 'rule' })
}

/**
 * True if a table rule allows the caller to access a row, stored or virtual (contract-records 5.1, 5.2): superusers
 * always, `''` everyone, `null` no one else. A rule that names a field that the caller's table lacks allows no one. An
 * API key is not a superuser; callers of this function check its scope first.
 */
export function satisfies(table: Table, rule: RuleText, row: Row, scope: Scope): boolean {
  if (scope.superuser || rule === '') return true
  if (rule === null) return false
  try {
    return compileFilter(rule, optionsFor(scope, table, 'rule')).matches(row, scope)
  } catch (error) {
    if (error instanceof QueryError) return false
    throw error
  }
}
