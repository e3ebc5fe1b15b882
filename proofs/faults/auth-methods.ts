/** Defects in what the server reports about sign-in methods. */

import { tokenIn } from './combinators/auth.ts'
import { forgive, on, rewritePath, tamper } from './combinators/combinators.ts'
import { fieldRejection, first } from './combinators/field.ts'
import { fault } from './fault.ts'

const METHODS = 'listAuthMethods'
fault(
  'no methods are reported',
  { trips: ['auth-methods.lists', 'auth-methods.shape'] },
  tamper(METHODS, () => ({})),
)
fault(
  'only signed-in users see the methods',
  { trips: ['auth-methods.without-token', 'auth-methods.any-token', 'access.matrix'] },
  first(METHODS, (request) => (tokenIn(request) === '' ? fieldRejection(401) : undefined)),
)
fault(
  'every method is reported',
  {
    trips: [
      'auth-methods.agrees-password',
      'auth-methods.agrees-otp',
      'auth-methods.agrees-oauth2',
      'auth-methods.disabled',
    ],
  },
  tamper(METHODS, (body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, value]) =>
        typeof value === 'object' && value !== null && 'enabled' in value
          ? [key, { ...value, enabled: true }]
          : [key, value],
      ),
    ),
  ),
)
for (const table of ['conf_staff', 'conf_named', 'conf_passwordless'])
  fault(
    `OAuth 2.0 is reported for ${table}, which has none`,
    { trips: ['auth-methods.agrees-oauth2'] },
    tamper(METHODS, (body, _request, { table: asked }) =>
      asked === table ? { ...body, oauth2: { enabled: true, providers: [] } } : body,
    ),
  )
fault(
  'a provider signs in to another auth table, which does not report it',
  { trips: ['auth-methods.agrees-oauth2'] },
  rewritePath('authWithOAuth2', (path) => path.replace('conf_staff', 'conf_oauth')),
)
fault(
  'providers are missing under authProviders',
  { trips: ['auth-methods.legacy-keys'] },
  tamper(METHODS, (body) => ({ ...body, authProviders: null })),
)
fault(
  'durations are minutes',
  { trips: ['auth-methods.shape'] },
  tamper(METHODS, (body) => ({ ...body, otp: { enabled: true, duration: 3 } })),
)
fault(
  'methods depend on the token',
  { trips: ['auth-methods.any-token'] },
  on(METHODS, async (request, next) =>
    tokenIn(request).includes(' ') ? fieldRejection(401) : next(request),
  ),
)
fault(
  'auth-methods works for every table',
  { trips: ['auth-methods.no-auth-table'] },
  forgive(METHODS, 404, 200, {}),
)

// -- impersonation
/** What is reported of one method, without what works. */
const unreported = (method: 'password' | 'otp' | 'oauth2') =>
  tamper(METHODS, (body) => ({
    ...body,
    [method]: { enabled: false },
    // Both are repeated there for older clients.
    ...(method === 'password' && { emailPassword: false, usernamePassword: false }),
    ...(method === 'oauth2' && { authProviders: [] }),
  }))
fault(
  'passwords work but are not reported',
  { trips: ['auth-methods.lists', 'auth-methods.agrees-password', 'auth-methods.shape'] },
  unreported('password'),
)
fault('codes work but are not reported', { trips: ['auth-methods.agrees-otp'] }, unreported('otp'))
fault('a provider works but is not reported', { trips: ['auth-methods.agrees-oauth2'] }, unreported('oauth2'))
fault(
  'password sign-in is reported for tables without accounts',
  { trips: ['auth-methods.agrees-password', 'auth-methods.no-auth-table'] },
  forgive(METHODS, 404, 200, { password: { enabled: true, identityFields: ['email'] } }),
)
