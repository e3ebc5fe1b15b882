import { ApiError, LimitExceeded } from '../errors.ts'
import { passes, ruleFor, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'

/**
 * Whether the caller may read a record by its table's list or view rule. The rule sees the record as `reader` holds it;
 * one that is not there satisfies only the rule that everyone satisfies.
 *
 * @throws LimitExceeded when the rule takes too many steps
 */
export function mayRead(
  context: RequestContext,
  reader: Reader,
  table: Table,
  row: Row,
  action: 'list' | 'view',
): boolean {
  try {
    const rule = ruleFor(context, table, action)
    if (rule === '') return true
    const held = reader.get(table, row.id)
    return held !== undefined && passes(rule, held, ruleScope(context, reader, table))
  } catch (error) {
    if (error instanceof ApiError && !(error instanceof LimitExceeded)) return false
    throw error
  }
}
