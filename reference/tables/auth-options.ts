/**
 * What a definition of an auth table says in addition to fields and rules: defaults, and errors.
 *
 * @module
 */

import type { AuthOptions } from '../../spec/table-definition.ts'
import { fieldError, required } from '../fields/field-error.ts'
import { above, below } from '../fields/option-error.ts'
import type { FieldError } from '../vocabulary.ts'
import type { Problems } from './definition-error.ts'

const tokenDurations = {
  authToken: 432_000,
  passwordResetToken: 1800,
  emailChangeToken: 1800,
  verificationToken: 86_400,
  fileToken: 180,
} as const

type TokenName = keyof typeof tokenDurations
const tokenNames = Object.keys(tokenDurations) as TokenName[]

const longestToken = 94_670_856
const day = 86_400

/**
 * The sign-in options of an auth table, filled in (contract-records 9.3). Token secrets and email templates stay
 * unchanged: their defaults are defined in `auth/`.
 */
export function completeAuthOptions(given: AuthOptions): AuthOptions {
  const options: AuthOptions = {
    ...given,
    authRule: given.authRule === undefined ? '' : given.authRule,
    manageRule: given.manageRule ?? null,
    authAlert: { ...given.authAlert, enabled: given.authAlert?.enabled ?? true },
    oauth2: {
      enabled: given.oauth2?.enabled ?? false,
      mappedFields: { id: '', name: '', username: '', avatarURL: '', ...given.oauth2?.mappedFields },
      providers: given.oauth2?.providers ?? [],
    },
    passwordAuth: {
      enabled: given.passwordAuth?.enabled ?? true,
      identityFields: given.passwordAuth?.identityFields ?? ['email'],
    },
    mfa: { enabled: false, duration: 600, rule: '', ...given.mfa },
    otp: { enabled: false, duration: 180, length: 8, ...given.otp },
  }
  for (const name of tokenNames) options[name] = { duration: tokenDurations[name], ...given[name] }
  return options
}

/** Errors in completed options; options of disabled methods are not checked. */
export function inspectAuthOptions(
  options: AuthOptions,
  hasUnique: (field: string) => boolean | undefined,
): Problems {
  const problems: Problems = {}
  if (options.manageRule === '') {
    problems.manageRule = fieldError('validation_nil_or_not_empty_required', 'Cannot be blank.')
  }
  if (options.passwordAuth?.enabled)
    inspectIdentityFields(options.passwordAuth.identityFields ?? [], hasUnique, problems)
  if (options.otp?.enabled) {
    add(problems, 'otp.duration', outside(options.otp.duration, 10, day))
    add(problems, 'otp.length', outside(options.otp.length, 4))
  }
  if (options.mfa?.enabled) {
    add(problems, 'mfa.duration', outside(options.mfa.duration, 10, day))
    const methods = [options.passwordAuth, options.otp, options.oauth2].filter((method) => method?.enabled)
    if (methods.length < 2) {
      problems['mfa.enabled'] = fieldError(
        'validation_mfa_not_enough_auths',
        'MFA requires at least 2 auth methods to be enabled.',
      )
    }
  }
  if (options.oauth2?.enabled) inspectProviders(options, problems)
  for (const name of tokenNames) {
    add(problems, `${name}.duration`, outside(options[name]?.duration, 10, longestToken))
    const secret = options[name]?.secret
    if (secret && (secret.length < 30 || secret.length > 255)) problems[`${name}.secret`] = badSecret
  }
  return problems
}

const badSecret = fieldError('validation_length_out_of_range', 'The length must be between 30 and 255.', {
  min: 30,
  max: 255,
})

function inspectIdentityFields(
  fields: readonly string[],
  hasUnique: (field: string) => boolean | undefined,
  problems: Problems,
): void {
  const path = 'passwordAuth.identityFields'
  if (fields.length === 0) problems[path] = required
  for (const fieldName of fields) {
    const unique = hasUnique(fieldName)
    if (unique) continue
    problems[path] =
      unique === undefined
        ? fieldError('validation_missing_field', `Invalid or missing field ${fieldName}.`, { fieldName })
        : fieldError(
            'validation_missing_unique_constraint',
            `The field ${fieldName} doesn't have a UNIQUE constraint.`,
            { fieldName },
          )
    return
  }
}

function inspectProviders({ oauth2 }: AuthOptions, problems: Problems): void {
  for (const [at, { name, clientId }] of (oauth2?.providers ?? []).entries()) {
    if (!name) problems[`oauth2.providers.${at}.name`] = required
    if (!clientId) problems[`oauth2.providers.${at}.clientId`] = required
  }
}

function outside(
  value: number | undefined,
  least: number,
  most = Number.POSITIVE_INFINITY,
): FieldError | undefined {
  if (!value) return required
  if (value < least) return below(least)
  return value > most ? above(most) : undefined
}

function add(problems: Problems, path: string, problem: FieldError | undefined): void {
  if (problem) problems[path] = problem
}
