import { ApiError, LimitExceeded, type RejectionReason } from '../errors.ts'
import { unknownRecord, unmetRule } from '../reasons/reasons.ts'
import { passes, ruleFor, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'

/** Whether the caller may read a record. @throws LimitExceeded if the rule takes too many steps */
export function mayRead(...asked: Parameters<typeof closedTo>): boolean {
  return closedTo(...asked) === undefined
}

/**
 * Why the list or view rule does not allow the caller to read a record; undefined if it does. The rule sees the record
 * of `reader`; a record that does not exist there satisfies only an empty rule.
 *
 * @throws LimitExceeded if the rule takes too many steps
 */
export function closedTo(
  context: RequestContext,
  reader: Reader,
  table: Table,
  row: Row,
  action: 'list' | 'view',
): RejectionReason | undefined {
  try {
    const rule = ruleFor(context, table, action)
    if (rule === '') return undefined
    const held = reader.get(table, row.id)
    if (held === undefined) return unknownRecord(row.id, table)
    const scope = ruleScope(context, reader, table)
    return passes(rule, held, scope) ? undefined : unmetRule(context, `${action}Rule`, rule, held, scope)
  } catch (error) {
    if (error instanceof ApiError && !(error instanceof LimitExceeded))
      return error.reason ?? (() => error.message)
    throw error
  }
}
