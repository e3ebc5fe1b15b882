/** A value instead of a proof signs no one in, and completes no flow (document 2.5, 4.2, 5). */

import { check } from '../../../harness/check.ts'
import { UntestableError } from '../../../harness/judging/expect.ts'
import { expectNoToken } from '../../shared/auth/expect-session.ts'
import type { DerivedCase } from '../../shared/derived/case.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { derivedProperty, expectControl } from '../../shared/derived/derived-property.ts'
import {
  type AccountOperation,
  type Proofs,
  validAccountRequest,
} from '../../shared/derived/valid-account-request.ts'

/** By check: the operation, and the keys or the header in which the proof is. */
const proofs: Readonly<Record<string, readonly [AccountOperation, ...string[]]>> = {
  'password-proof': ['authWithPassword', 'identity', 'password'],
  'otp-proof': ['authWithOtp', 'password'],
  'oauth2-proof': ['authWithOAuth2', 'code'],
  'refresh-proof': ['authRefresh', 'Authorization'],
  'impersonate-proof': ['impersonate', 'Authorization'],
  'verification-proof': ['confirmVerification', 'token'],
  'password-reset-proof': ['confirmPasswordReset', 'token'],
  'email-change-proof': ['confirmEmailChange', 'token'],
}

/** Cases that each example sends. */
const size = 8

for (const [name, [operation, ...keys]] of Object.entries(proofs))
  check(`derived.${name}`, async (context) => {
    const known: Proofs = {}
    const control = await validAccountRequest(context, operation, known)
    if (control.proven === false)
      throw new UntestableError('the run could not get the proof that a valid request needs')
    await expectControl(context, control)
    const cases = casesOf(operation).filter((derived) => takesAway(derived, keys))
    await derivedProperty(context, {
      operation,
      cases,
      prepare: () => validAccountRequest(context, operation, known),
      // A response that only reports success may be lawful: what counts is the effect.
      mustNotChange: operation.startsWith('confirm'),
      also: async (response, what) => expectNoToken(response, what),
      size,
      runs: Math.ceil(cases.length / size),
    })
  })

/** Whether the request no longer holds the proof. */
function takesAway({ place, name, keeps }: DerivedCase, keys: readonly string[]): boolean {
  if (keeps) return false
  return keys.includes(name) || (place === 'body' && !keys.includes('Authorization'))
}
