/**
 * A body that the suite sends, under the names of the description: a target's own names are no mistake of ours.
 *
 * @module
 */

import { standardBinding } from '../../spec/gaps.ts'
import type { Binding, OperationId } from '../../spec/vocabulary.ts'

/** The bindings that name the keys of an operation's body, by their beginnings. */
const namesOf: Partial<Record<OperationId, readonly string[]>> = {
  requestOtp: ['otp.'],
  authWithOtp: ['otp.'],
  authWithOAuth2: ['oauth2.'],
  impersonate: ['impersonate.'],
  requestVerification: ['flow.'],
  confirmVerification: ['flow.'],
  requestPasswordReset: ['flow.'],
  confirmPasswordReset: ['flow.', 'passwordReset.'],
  requestEmailChange: ['emailChange.'],
  confirmEmailChange: ['flow.', 'emailChange.'],
}

export function standardNames(
  operation: OperationId,
  body: Readonly<Record<string, unknown>>,
  binding: Binding,
): Record<string, unknown> {
  const standard = new Map<string, string>()
  for (const start of namesOf[operation] ?? [])
    for (const [key, name] of Object.entries(standardBinding()))
      if (key.startsWith(start)) standard.set(binding[key] ?? name, name)
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [standard.get(name) ?? name, value]))
}
