/**
 * Rejects unknown options: otherwise a misspelled option would have no effect, without an error.
 *
 * @module
 */

import { rejectUnknown } from '../spec/reject-unknown.ts'
import { checkLimits, defaultLimits } from './limits.ts'
import {
  defaultBatch,
  defaultRateLimits,
  defaultSender,
  defaultThrottle,
  type ReferenceOptions,
} from './options.ts'

/** Every option; the compiler checks that the list is complete. */
const options: Record<keyof ReferenceOptions, true> = {
  tables: true,
  records: true,
  superusers: true,
  prefix: true,
  seed: true,
  ids: true,
  clock: true,
  batch: true,
  mail: true,
  oauth2: true,
  apiKeys: true,
  rateLimits: true,
  throttle: true,
  limits: true,
  superuserIPs: true,
  passwordCost: true,
  keepRequests: true,
  log: true,
}

/** @throws TypeError that names the option */
export function checkOptions(given: ReferenceOptions): void {
  rejectUnknown(given, Object.keys(options), 'option')
  const { batch, mail, oauth2, rateLimits, throttle, limits, seed, ids } = given
  rejectUnknown(batch, Object.keys(defaultBatch), 'option', 'batch.')
  rejectUnknown(mail, ['smtp', 'sender'], 'option', 'mail.')
  rejectUnknown(mail?.sender, Object.keys(defaultSender), 'option', 'mail.sender.')
  rejectUnknown(oauth2, ['pretend'], 'option', 'oauth2.')
  rejectUnknown(rateLimits, Object.keys(defaultRateLimits), 'option', 'rateLimits.')
  rejectUnknown(throttle, Object.keys(defaultThrottle), 'option', 'throttle.')
  rejectUnknown(limits, Object.keys(defaultLimits), 'option', 'limits.')
  checkLimits(limits)
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new TypeError(`The seed ${JSON.stringify(seed)} is not a whole number: give one, 1 for example.`)
  if (ids !== undefined && ids !== 'counting' && typeof ids !== 'function')
    throw new TypeError(`"ids" is ${JSON.stringify(ids)}: give 'counting', or a function that makes them.`)
}
