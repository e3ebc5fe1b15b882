import { didYouMean } from '../../spec/nearest.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import type { RateLimitRule } from '../services.ts'

const known: Record<keyof RateLimitRule, true> = {
  label: true,
  audience: true,
  duration: true,
  maxRequests: true,
}
export const rateLimitRuleKeys: readonly string[] = Object.keys(known)
const audiences: readonly string[] = ['', '@guest', '@auth']
/** Actions that routes count as: see app.ts. */
const actions = [
  ...['list', 'view', 'create', 'update', 'delete', 'file'],
  ...[
    'auth',
    'authWithPassword',
    'authWithOAuth2',
    'authWithOTP',
    'authRefresh',
    'listAuthMethods',
    'requestOTP',
  ],
  ...['requestVerification', 'confirmVerification', 'requestPasswordReset', 'confirmPasswordReset'],
  ...['requestEmailChange', 'confirmEmailChange'],
]

/** @throws TypeError for a rule that could never apply, or that the living family does not accept (contract-auth 11.3) */
export function checkRateLimitRule(rule: RateLimitRule): void {
  rejectUnknown(rule, rateLimitRuleKeys, 'option', 'rateLimits.rules.')
  const { label, audience = '', duration, maxRequests } = rule
  const wrong = (name: string, value: unknown, next: string) =>
    new TypeError(`The rate limit "${label}" has the ${name} ${JSON.stringify(value)}${next}`)
  const [, action] = /^(?:\*|\w+):(.*)$/.exec(label) ?? []
  if (action !== undefined && !actions.includes(action))
    throw new TypeError(
      `The rate limit "${label}" names no action.${didYouMean(action, actions)} Valid values: ${actions.join(', ')}.`,
    )
  if (action === undefined && !/^(?:[A-Z]+ )?\//.test(label))
    throw new TypeError(
      `The rate limit ${JSON.stringify(label)} has no valid label: write "table:action", "*:action", "METHOD /path" or "/path".`,
    )
  if (!audiences.includes(audience))
    throw wrong(
      'audience',
      audience,
      `.${didYouMean(audience, audiences)} Use @guest, @auth, or leave it out.`,
    )
  if (!(duration > 0)) throw wrong('duration', duration, ': expected seconds, more than 0.')
  if (!(Number.isInteger(maxRequests) && maxRequests > 0))
    throw wrong('maxRequests', maxRequests, ': expected a whole number of at least 1.')
}

/** A message for each rule that matches no request: of a table that does not exist, or outside of the prefix. */
export function rateLimitNotices(
  rules: readonly RateLimitRule[],
  prefix: string,
  tables: readonly string[],
): string[] {
  return rules.flatMap(({ label }) => {
    const [, table] = /^(\w+):/.exec(label) ?? []
    if (table !== undefined && !tables.includes(table))
      return [`The rate limit "${label}" is for a table that does not exist.${didYouMean(table, tables)}`]
    const path = label.slice(label.indexOf('/'))
    if (!label.includes('/') || `${path}/`.startsWith(`${prefix}/`) || `${prefix}/`.startsWith(path))
      return []
    return [`The rate limit "${label}" never applies: paths start with the prefix "${prefix}".`]
  })
}
