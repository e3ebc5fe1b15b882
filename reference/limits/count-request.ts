/**
 * Rate limits: a number of requests in a number of seconds, per client address, route and table (contract-auth 11.3,
 * contract-records section 8). Off unless switched on.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { ApiError } from '../errors.ts'
import type { RateLimitRule, RequestContext } from '../services.ts'
import type { Table } from '../vocabulary.ts'

/** What a request counts as: a route of a table. */
export interface LimitedRoute {
  /** Absent if the route has no table. */
  table?: Table
  /** Actions that the route counts as, the most specific first: `authWithPassword`, `auth`. */
  actions: readonly string[]
  method: string
  /** Path with the prefix. */
  path: string
}

function labelsOf({ table, actions, method, path }: LimitedRoute): string[] {
  const own = table === undefined ? [] : actions.map((action) => `${table.name}:${action}`)
  const wild = table === undefined ? [] : actions.map((action) => `*:${action}`)
  return [...own, ...wild, `${method} ${path}`, path]
}

/** The rule of the first label that has one: an exact match first, then a prefix. */
function ruleFor(rules: readonly RateLimitRule[], labels: readonly string[], audience: string) {
  const fitting = rules.filter((rule) => !rule.audience || rule.audience === audience)
  for (const label of labels) {
    const rule =
      fitting.find((one) => one.label === label) ??
      fitting.find((one) => one.label.endsWith('/') && label.startsWith(one.label))
    if (rule !== undefined) return rule
  }
  return undefined
}

/**
 * Counts a request. Superusers and excluded addresses are not counted.
 *
 * @throws ApiError 429 if there were too many
 */
export function countRequest(context: RequestContext, route: LimitedRoute): void {
  const { rateLimits, memory } = context.services
  if (
    !rateLimits.enabled ||
    context.caller.kind === 'superuser' ||
    rateLimits.excludedIPs.includes(context.ip)
  )
    return
  const audience = context.caller.kind === 'guest' ? '@guest' : '@auth'
  const rule = ruleFor(rateLimits.rules, labelsOf(route), audience)
  if (rule === undefined) return
  const place = route.table === undefined ? route.path : `${route.table.id} ${route.actions.join(' ')}`
  const key = [
    'rate',
    context.c === 'batch' ? 'batch' : '',
    rule.label,
    rule.audience ?? '',
    place,
    context.ip,
  ]
  if (memory.admit(key.join('\0'), rule.maxRequests, rule.duration * 1000)) return
  throw new ApiError(
    429,
    () =>
      `The rate limit "${rule.label}" allows ${countOf(rule.maxRequests, 'request')} in ${rule.duration} s from one address, here ${context.ip}.`,
  )
}
