import type { RuleText } from '../../spec/table-definition.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'
import { compileFilter, optionsFor } from './compile.ts'
import { QueryError } from './query-error.ts'
import type { Scope } from './scope.ts'

/**
 * Checks the text of a rule against its table, as a definition is saved (contract-records 5.4).
 *
 * @throws QueryError with the cause; a blank text is a mistake too.
 */
export function compileRule(table: Table, text: string, reader: Reader): void {
  compileFilter(text, { reader, table, mode: 'rule' })
}

/**
 * True when a table rule lets the caller reach a row, stored or virtual (contract-records 5.1, 5.2): superusers
 * always, `''` everyone, `null` nobody else. A rule that names what the caller's table does not have lets nobody
 * through. An API key is no superuser; whoever knows its scope decides before.
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
