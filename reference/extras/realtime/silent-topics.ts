/**
 * For the log: why a subscription will receive nothing in the present state. The response is the same for every topic.
 *
 * @module
 */

import { ApiError, type RejectionReason } from '../../errors.ts'
import { pickFields } from '../../http/pick-fields.ts'
import { QueryError } from '../../query/query-error.ts'
import { unknownRecord, unknownTable } from '../../reasons/reasons.ts'
import { ruleFor, ruleScope } from '../../rules.ts'
import type { RequestContext } from '../../services.ts'
import type { Reader } from '../../vocabulary.ts'
import { topicContext, topicFilter } from './change-event.ts'
import { readTopic, type Topic } from './topic.ts'

/** Most topics that are checked: reading the filter of a topic takes up to two milliseconds. */
const mostTopics = 50

/**
 * No lines if every topic may receive something. Topics after the first 50 are not checked.
 *
 * @param topics as the client sent them
 * @param context of the request that sets them
 */
export function silentTopics(topics: readonly string[], context: RequestContext): RejectionReason {
  const reader = context.services.store.current
  return () =>
    topics.slice(0, mostTopics).flatMap((text) => {
      const topic = readTopic(text)
      const reason = whySilent(topic, context, reader)
      return [reason?.() ?? []].flat().map((line) => `${topic.path}: ${line}`)
    })
}

function whySilent(topic: Topic, context: RequestContext, reader: Reader): RejectionReason | undefined {
  const { services, caller, ip } = context
  const [name = '', record] = topic.path.split('/')
  const table = reader.table(name)
  // A topic without a slash may be anything, `@oauth2` for example.
  if (table === undefined)
    return record === undefined ? undefined : unknownTable(name, reader, services.views)
  // The headers of the request say why a caller is a guest.
  const asked = { ...topicContext({ services, caller, ip, reader }, name, topic), headers: context.headers }
  try {
    const isOfAll = record === undefined || record === '*'
    ruleFor(asked, table, isOfAll ? 'list' : 'view')
    if (!isOfAll && reader.get(table, record) === undefined) return unknownRecord(record, table)
    topicFilter(asked, ruleScope(asked, reader, table))
    pickFields(topic.query.fields, services.limits.names)
  } catch (error) {
    if (error instanceof ApiError) return error.reason ?? (() => error.message)
    if (error instanceof QueryError) return () => error.message + error.hint()
    throw error
  }
  return undefined
}
