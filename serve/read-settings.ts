/**
 * Reads the `settings` of a data file: the options of `createReference()` that are about behavior, or the settings of
 * the living family as its API returns them.
 *
 * @module
 */

import { rateLimitRuleKeys } from '../reference/limits/check-rate-limit-rule.ts'
import type { Limits, ReferenceOptions } from '../reference/reference.ts'
import { rejectUnknown } from '../spec/reject-unknown.ts'

/** The options that a data file may set. */
export type ServedSettings = Pick<
  ReferenceOptions,
  | 'batch'
  | 'rateLimits'
  | 'throttle'
  | 'superuserIPs'
  | 'mail'
  | 'oauth2'
  | 'ids'
  | 'passwordCost'
  | 'keepRequests'
> & {
  /** JSON has no number for "no limit". */
  limits?: Partial<Record<keyof Limits, number | 'Infinity'>>
}

const ours = [
  ...(['batch', 'rateLimits', 'throttle', 'limits', 'superuserIPs', 'mail', 'oauth2'] as const),
  ...(['ids', 'passwordCost', 'keepRequests'] as const),
]
const sender = ['appName', 'appURL', 'senderName', 'senderAddress'] as const
/** Settings of the family about features that this server lacks. */
const withoutEffect = ['smtp', 's3', 'backups', 'logs', 'trustedProxy']
/** Further keys of `meta` that the family exports. */
const otherMeta = [
  'hideControls',
  'accentColor',
  'verificationTemplate',
  'resetPasswordTemplate',
  'confirmEmailChangeTemplate',
]
const smtp = ['host', 'port', 'username', 'password', 'tls']

/** The values that `spec/data.schema.json` allows. */
export type CheckedSettings = ServedSettings & {
  meta?: Partial<Record<(typeof sender)[number], string>> & Readonly<Record<string, unknown>>
}

/**
 * @param given checked against `spec/data.schema.json`
 * @throws TypeError with the nearest name for a setting that does not exist
 */
export function readSettings(given: CheckedSettings): { settings: ServedSettings; notices: string[] } {
  rejectUnknown(given, [...ours, 'meta', ...withoutEffect], 'setting')
  rejectUnknown(given.mail, ['sender', 'smtp'], 'setting', 'mail.')
  for (const rule of given.rateLimits?.rules ?? [])
    rejectUnknown(rule, rateLimitRuleKeys, 'setting', 'rateLimits.rules.')
  rejectUnknown(given.mail?.smtp, smtp, 'setting', 'mail.smtp.')
  rejectUnknown(given.meta, [...sender, ...otherMeta], 'setting', 'meta.')
  const settings: ServedSettings = Object.fromEntries(
    ours.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )
  const { meta, batch } = given
  if (meta !== undefined) {
    const named = Object.fromEntries(sender.flatMap((name) => (meta[name] ? [[name, meta[name]]] : [])))
    settings.mail = { ...given.mail, sender: { ...named, ...given.mail?.sender } }
  }
  // The family uses 0 for its default.
  if (batch?.maxBodySize === 0) {
    const { maxBodySize: _default, ...rest } = batch
    settings.batch = rest
  }
  const ignored = withoutEffect.filter((name) => Object.hasOwn(given, name))
  return {
    settings,
    notices: ignored.length === 0 ? [] : [`Settings without effect here: ${ignored.join(', ')}.`],
  }
}

/** The limits as numbers. */
export function limitsIn({ limits = {} }: ServedSettings): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name,
      value === 'Infinity' ? Number.POSITIVE_INFINITY : value,
    ]),
  )
}
