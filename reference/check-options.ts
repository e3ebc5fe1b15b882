/**
 * Rejects unknown options: otherwise a misspelled option would have no effect, without an error.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import { checkOptionTypes } from '../spec/check-table.ts'
import { foundValue, kindName } from '../spec/kind-name.ts'
import { rejectUnknown } from '../spec/reject-unknown.ts'
import { hasAddressForm } from './fields/is-email.ts'
import { checkRateLimitRule } from './limits/check-rate-limit-rule.ts'
import { checkLimits, defaultLimits } from './limits/limits.ts'
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

function prefixed(name: string, values: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [`${name}.${key}`, value]))
}

/** Options that a data file has under another name. */
const otherwise: Readonly<Record<string, string>> = { keys: 'apiKeys' }

/** An object without the entries of a value that JSON has no form for. Anything else as it is. */
function without(absent: unknown, given: unknown): unknown {
  if (!isObject(given)) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== absent))
}

const noLimit = Number.POSITIVE_INFINITY

/** @throws TypeError for an option of a wrong type */
function checkTypes(options: ReferenceOptions): void {
  const { records, superusers, apiKeys, batch, mail, oauth2, rateLimits, throttle, log } = options
  const { superuserIPs, passwordCost, keepRequests } = options
  const settings = {
    ...{ batch: without(noLimit, batch), throttle: without(noLimit, throttle) },
    ...{ mail, oauth2, rateLimits, superuserIPs, passwordCost, keepRequests },
  }
  checkOptionTypes(
    { records: without(undefined, records), superusers, keys: apiKeys, settings },
    ([first = '', ...rest]) => (first === 'settings' ? rest : [otherwise[first] ?? first, ...rest]),
  )
  const { page }: { page?: unknown } = oauth2 ?? {}
  if (page !== undefined && !(typeof page === 'string' && URL.canParse(page)))
    throw new TypeError(`The option "oauth2.page" must be a URL; found ${foundValue(page)}.`)
  if (log !== undefined && typeof log !== 'function')
    throw new TypeError(`The option "log" must be a function; found ${kindName(log)}.`)
}

/** @throws TypeError that names the option */
export function checkOptions(given: ReferenceOptions): void {
  if ('fork' in Object(given))
    throw new TypeError('This argument is a reference, not its options: call fork() on it for a copy.')
  rejectUnknown(given, Object.keys(options), 'option')
  checkTypes(given)
  const { batch, mail, oauth2, rateLimits, throttle, limits, seed, ids, passwordCost, keepRequests } = given
  rejectUnknown(batch, Object.keys(defaultBatch), 'option', 'batch.')
  rejectUnknown(mail, ['smtp', 'sender'], 'option', 'mail.')
  rejectUnknown(mail?.sender, Object.keys(defaultSender), 'option', 'mail.sender.')
  rejectUnknown(oauth2, ['pretend', 'page'], 'option', 'oauth2.')
  rejectUnknown(rateLimits, Object.keys(defaultRateLimits), 'option', 'rateLimits.')
  rejectUnknown(throttle, Object.keys(defaultThrottle), 'option', 'throttle.')
  for (const rule of rateLimits?.rules ?? []) checkRateLimitRule(rule)
  for (const [name, value] of Object.entries({
    ...prefixed('batch', batch),
    ...prefixed('throttle', throttle),
  }))
    if (typeof value === 'number' && !(value >= 0))
      throw new TypeError(`The option "${name}" is ${value}: expected a number of at least 0.`)
  const { senderAddress } = mail?.sender ?? {}
  if (senderAddress !== undefined && !hasAddressForm(senderAddress))
    throw new TypeError(
      `The option "mail.sender.senderAddress" is ${JSON.stringify(senderAddress)}: expected an email address.`,
    )
  rejectUnknown(limits, Object.keys(defaultLimits), 'option', 'limits.')
  checkLimits(limits)
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new TypeError(`The option "seed" must be a whole number; found ${foundValue(seed)}.`)
  if (
    passwordCost !== undefined &&
    !(Number.isInteger(passwordCost) && passwordCost >= 1 && passwordCost <= 20)
  )
    throw new TypeError(
      `The option "passwordCost" is ${JSON.stringify(passwordCost)}: expected a whole number from 1 to 20. Each step doubles the time.`,
    )
  if (keepRequests !== undefined && !(Number.isInteger(keepRequests) && keepRequests >= 0))
    throw new TypeError(
      `The option "keepRequests" is ${JSON.stringify(keepRequests)}: expected a whole number.`,
    )
  if (ids !== undefined && ids !== 'counting' && typeof ids !== 'function')
    throw new TypeError(`"ids" is ${foundValue(ids)}: expected 'counting', or a function that creates ids.`)
}
