/**
 * `GET /collections/{table}/auth-methods` (contract-auth section 2).
 *
 * @module
 */

import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import type { Json, Reader } from '../vocabulary.ts'
import { findAuthTable } from './auth-table.ts'
import { identityFields } from './find-by-identity.ts'
import { type ListedProvider, listedProvider } from './oauth2/listed-provider.ts'

/** The sign-in methods of a table. A disabled method shows none of its settings. */
export function authMethods(context: RequestContext, reader: Reader): OperationResult {
  const table = findAuthTable(context, reader)
  const { passwordAuth, oauth2, mfa, otp } = table.definition
  const password = passwordAuth?.enabled !== false
  const fields = password ? [...identityFields(table)] : []
  const { environment } = context.services
  const providers = oauth2?.enabled
    ? (oauth2.providers ?? []).map((one) => listedProvider(one, environment))
    : []
  const legacy = providers.map((one: ListedProvider) => ({ ...one, logo: '' }))
  return {
    status: 200,
    body: {
      password: { identityFields: fields, enabled: password },
      oauth2: { providers: providers as unknown as Json, enabled: oauth2?.enabled === true },
      mfa: { enabled: mfa?.enabled === true, duration: mfa?.enabled ? (mfa.duration ?? 600) : 0 },
      otp: { enabled: otp?.enabled === true, duration: otp?.enabled ? (otp.duration ?? 180) : 0 },
      authProviders: oauth2?.enabled ? (legacy as unknown as Json) : null,
      usernamePassword: fields.includes('username'),
      emailPassword: fields.includes('email'),
    },
  }
}
