/**
 * Access decisions for the five record operations, by caller (contract-records 5.1; for API keys `keys.scopes`
 * in docs/profile.md).
 *
 * @module
 */

import type { RuleText } from '../spec/table-definition.ts'
import type { KeyAction } from '../spec/vocabulary.ts'
import { forbidden, inResponse, superusersOnly } from './errors.ts'
import { usesRestrictedReferences } from './query/parse-filter.ts'
import { satisfies } from './query/rule.ts'
import { keyCovers, type Scope } from './query/scope.ts'
import { closedRule, outOfScope } from './reasons/reasons.ts'
import type { RequestContext } from './services.ts'
import type { Caller, Reader, RequestInfo, Row, Table, Value } from './vocabulary.ts'

const ruleOf = {
  list: 'listRule',
  view: 'viewRule',
  create: 'createRule',
  update: 'updateRule',
  delete: 'deleteRule',
} as const

/**
 * The rule that must still be evaluated for the single record: `''` if no rule limits this caller.
 *
 * @throws ApiError 403 if the caller may not do this to any record.
 */
export function ruleFor(context: RequestContext, table: Table, action: KeyAction): string {
  const { caller } = context
  if (caller.kind === 'superuser') return ''
  if (caller.kind === 'key') {
    if (keyCovers(context, table, action)) return ''
    throw forbidden(outOfScope(context, caller.key, table, action))
  }
  const rule: RuleText = table.rule(ruleOf[action])
  if (rule === null) throw superusersOnly(closedRule(context, table, ruleOf[action]))
  return rule
}

const nothing = Object.freeze({})
const noNames: ReadonlySet<string> = new Set()

/** What rules see of a request without a body, or with a body that does not matter. */
export function requestInfo(
  context: RequestContext,
  body?: { values: Record<string, Value>; sent: ReadonlySet<string> },
): RequestInfo {
  return {
    context: context.c,
    method: context.method,
    query: context.query,
    headers: context.headers,
    body: body?.values ?? nothing,
    sent: body?.sent ?? noNames,
    caller: context.caller,
  }
}

/** The scope of an expression about rows of `table`. */
export function ruleScope(
  context: RequestContext,
  reader: Reader,
  table: Table,
  request = requestInfo(context),
): Scope {
  return {
    reader,
    table,
    request,
    now: context.services.environment.now(),
    superuser: context.caller.kind === 'superuser',
    work: context.work,
  }
}

/** Whether a record satisfies the rule that `ruleFor` returned. */
export function passes(rule: string, row: Row, scope: Scope): boolean {
  return rule === '' || satisfies(scope.table, rule, row, scope)
}

/**
 * Whether the caller manages a record of an auth table: superusers, and signed-in records that satisfy its manageRule
 * (contract-auth 10.6).
 */
export function manages(row: Row, scope: Scope): boolean {
  const { caller } = scope.request
  if (caller.kind === 'superuser') return true
  if (caller.kind !== 'record') return false
  const rule = scope.table.rule('manageRule')
  return rule !== null && rule !== '' && satisfies(scope.table, rule, row, scope)
}

/**
 * Rejects filters and sorts that reach beyond the table, by their text alone (contract-records 1.1, step 5).
 *
 * @throws ApiError 403
 */
export function rejectRestricted(caller: Caller, ...strings: readonly (string | undefined)[]): void {
  if (caller.kind === 'superuser') return
  for (const text of strings) {
    if (text === undefined || !usesRestrictedReferences(text)) continue
    const reference = text.includes('@collection.') ? '@collection.' : '@request.'
    throw forbidden(inResponse, `Only superusers can filter by ${reference}`)
  }
}
