/**
 * Reads the `settings` of a data file: the options of `createReference()` that are about behavior, or the settings of
 * the living family as its API returns them.
 *
 * @module
 */

import type { ReferenceOptions } from '../reference/reference.ts'
import { rejectUnknown } from '../spec/reject-unknown.ts'

/** The options that a data file may set. */
export type ServedSettings = Pick<
  ReferenceOptions,
  'batch' | 'rateLimits' | 'throttle' | 'limits' | 'superuserIPs' | 'mail' | 'oauth2'
>

const ours = ['batch', 'rateLimits', 'throttle', 'limits', 'superuserIPs', 'mail', 'oauth2'] as const
const sender = ['appName', 'appURL', 'senderName', 'senderAddress'] as const
/** Settings of the family about features that this server lacks. */
const withoutEffect = ['smtp', 's3', 'backups', 'logs', 'trustedProxy']
const ruleKeys = ['label', 'audience', 'duration', 'maxRequests']

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
  rejectUnknown(given.mail, ['sender'], 'setting', 'mail.')
  for (const rule of given.rateLimits?.rules ?? [])
    rejectUnknown(rule, ruleKeys, 'setting', 'rateLimits.rules.')
  const settings: ServedSettings = Object.fromEntries(
    ours.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )
  const { meta, batch } = given
  if (meta !== undefined) {
    const named = Object.fromEntries(sender.flatMap((name) => (meta[name] ? [[name, meta[name]]] : [])))
    settings.mail = { sender: { ...named, ...given.mail?.sender } }
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
