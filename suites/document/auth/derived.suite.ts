/** Requests that differ from a valid one in one part of the description, operation by operation (document 1, 4). */

import { check } from '../../../harness/check.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { derivedProperty, derivedRuns, type ValidRequest } from '../../shared/derived/derived-property.ts'
import { stillAlive } from '../../shared/derived/still-alive.ts'
import {
  type AccountOperation,
  type Proofs,
  validAccountRequest,
} from '../../shared/derived/valid-account-request.ts'

const accounts: Readonly<Record<string, AccountOperation>> = {
  'list-auth-methods': 'listAuthMethods',
  'auth-with-password': 'authWithPassword',
  'auth-with-oauth2': 'authWithOAuth2',
  'request-otp': 'requestOtp',
  'auth-with-otp': 'authWithOtp',
  'auth-refresh': 'authRefresh',
  impersonate: 'impersonate',
  'request-verification': 'requestVerification',
  'confirm-verification': 'confirmVerification',
  'request-password-reset': 'requestPasswordReset',
  'confirm-password-reset': 'confirmPasswordReset',
  'request-email-change': 'requestEmailChange',
  'confirm-email-change': 'confirmEmailChange',
}

for (const [name, operation] of Object.entries(accounts))
  check(`derived.${name}`, async (context) => {
    const ordinary = () => context.api.authMethods(context.table('members'))
    const proofs: Proofs = {}
    const prepare = (): Promise<ValidRequest> => validAccountRequest(context, operation, proofs)
    await stillAlive(ordinary, () =>
      derivedProperty(context, { operation, cases: casesOf(operation), prepare, runs: derivedRuns }),
    )
  })
