/**
 * The event that one subscriber receives for one change, if any.
 *
 * @module
 */

import { ApiError } from '../../errors.ts'
import { pickFields } from '../../http/pick-fields.ts'
import { Work } from '../../limits/work.ts'
import { type CompiledFilter, compileFilter, optionsFor } from '../../query/compile.ts'
import { QueryError } from '../../query/query-error.ts'
import type { Scope } from '../../query/scope.ts'
import { renderOne } from '../../records/render.ts'
import { rejectRestricted, ruleScope } from '../../rules.ts'
import type { RequestContext, Services } from '../../services.ts'
import type { Change } from '../../store/commit.ts'
import type { Caller, Json, Reader } from '../../vocabulary.ts'
import { mayRead } from '../may-read.ts'
import type { Topic } from './topic.ts'

/** The subscriber, and the state in which rules are evaluated. */
export interface Subscriber {
  services: Services
  caller: Caller
  ip: string
  reader: Reader
}

/** A subscription as an equivalent request: a GET with its options. */
export function topicContext(
  { services, caller, ip }: Subscriber,
  table: string,
  { query, headers }: Topic,
): RequestContext {
  const { limits } = services
  return {
    services,
    c: 'realtime',
    method: 'GET',
    table,
    id: '',
    query,
    headers: () => headers,
    caller,
    ip,
    expanded: { records: 0, most: limits.expandedRecords },
    work: new Work(limits),
  }
}

/**
 * The filter of a subscription for the records of a table. Undefined: it has none.
 *
 * @throws ApiError, QueryError for one that cannot be applied
 */
export function topicFilter(context: RequestContext, scope: Scope): CompiledFilter | undefined {
  const { filter, sort } = context.query
  if (!filter) return undefined
  rejectRestricted(context.caller, filter, sort)
  return compileFilter(filter, optionsFor(scope, scope.table, scope.superuser ? 'superuser' : 'client'))
}

/** Whether the record matches the filter of the subscription, in the state in which rules are evaluated. */
function passesFilter(context: RequestContext, reader: Reader, { table, row }: Change): boolean {
  const scope = ruleScope(context, reader, table)
  const filter = topicFilter(context, scope)
  if (filter === undefined) return true
  const held = reader.get(table, row.id)
  return held !== undefined && filter.matches(held, scope)
}

/**
 * The data of an event, or undefined for a record that the subscriber may not read, or if the options cannot be
 * applied. A topic of all records uses the list rule, a topic of one record the view rule.
 */
export function changeEvent(change: Change, topic: Topic, subscriber: Subscriber): string | undefined {
  const { table, row, action } = change
  const { reader } = subscriber
  const context = topicContext(subscriber, table.name, topic)
  try {
    const rule = topic.path.endsWith(`/${row.id}`) ? 'view' : 'list'
    if (!mayRead(context, reader, table, row, rule) || !passesFilter(context, reader, change))
      return undefined
    const shown: Json = renderOne(context, reader, table, row)
    const pick = pickFields(topic.query.fields, subscriber.services.limits.names)
    return JSON.stringify({ record: pick?.(shown) ?? shown, action })
  } catch (error) {
    // There is no response that could report the error.
    if (error instanceof ApiError || error instanceof QueryError) return undefined
    throw error
  }
}
