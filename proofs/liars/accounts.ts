/**
 * Sign-ups and sign-ins whose response names another account, or is a session of another account.
 *
 * @module
 */

import { servicesOf } from '../../reference/services-of.ts'
import { SIGN_INS } from '../faults/combinators/auth.ts'
import { isJsonObject, on, tamper } from '../faults/combinators/combinators.ts'
import { every, liarRecord, type Make } from './combinators.ts'
import { type LiarTools, liar } from './liar.ts'

const signUps = ['account.visibility', 'auth.password-sign-in', 'auth.deleted-ends-session']
const oauth = ['oauth2.new-record', 'oauth2.create-data', 'oauth2.same-record', 'oauth2.link-first']
const emails = [
  'email-change.confirms',
  'password-reset.confirms',
  'verification.confirms',
  'token.email-ends',
]
const codes = ['otp.sign-in', 'otp.verifies', 'mfa.second-factor']

liar(
  'OAuth 2.0 says isNew for an existing account',
  {
    says: 'A sign-in by a provider names an account that was there before, and reports that it is new.',
    checks: oauth,
  },
  ({ foreign }) =>
    tamper('authWithOAuth2', (body, _request, { table }) => ({
      ...body,
      record: { ...(isJsonObject(body.record) ? body.record : {}), id: foreign.next(table) },
      meta: { ...(isJsonObject(body.meta) ? body.meta : {}), isNew: true },
    })),
)

liar(
  'OAuth 2.0 links every sign-in to an existing account',
  {
    says: 'A sign-in by a provider returns the session of an account that was there before, and reports that it is new.',
    checks: oauth,
  },
  (tools) => otherSession(tools, ['authWithOAuth2'], { meta: { isNew: true } }),
)

liar(
  'a sign-up names another account',
  {
    says: 'The response to a create in an auth table has the id of another account.',
    checks: signUps,
    bare: true,
  },
  ({ foreign }) =>
    tamper('createRecord', (body, _request, { table }) =>
      'verified' in body ? { ...body, id: foreign.next(table) } : body,
    ),
)

liar(
  'a sign-in names another account',
  {
    says: 'A sign-in returns the right session with the record of another account.',
    checks: [...signUps, ...codes],
  },
  ({ foreign }) =>
    tamper([...SIGN_INS, 'authRefresh'], (body, _request, { table }) => ({
      ...body,
      record: { ...(isJsonObject(body.record) ? body.record : {}), id: foreign.next(table) },
    })),
)

liar(
  'a password signs in to another account',
  {
    says: 'One password sign-in in three returns the session of an account that was there before.',
    checks: [...signUps, ...emails, 'account.old-password', 'auth.deleted-signed-out'],
    bare: true,
  },
  (tools) => otherSession(tools, ['authWithPassword'], {}, every(3)),
)

liar(
  'a code signs in to another account',
  { says: 'A one-time code returns the session of an account that was there before.', checks: codes },
  (tools) => otherSession(tools, ['authWithOtp']),
)

liar(
  'a refresh changes the account',
  {
    says: 'A refresh returns the session of another account.',
    checks: ['refresh.extends', 'refresh.same-record'],
  },
  (tools) => otherSession(tools, ['authRefresh']),
)

liar(
  'an impersonation returns another account',
  {
    says: 'Impersonation returns the session of an account other than the requested one.',
    checks: ['impersonate.acts-as-record', 'impersonate.status'],
  },
  (tools) => otherSession(tools, ['impersonate']),
)

/** A successful sign-in returns a valid session of an account that existed before. */
function otherSession(
  tools: LiarTools,
  operations: Parameters<typeof on>[0],
  more: Record<string, unknown> = {},
  when = every(1),
): Make {
  return on(operations, async (request, next, { table = '' }) => {
    const response = await next(request)
    const id = tools.foreign.next(table)
    if (!response.ok || !when() || !tools.foreign.has(table, id)) return response
    const name = servicesOf(tools.reference).store.current.table(table)?.name ?? table
    const token = await tools.reference.tokenFor(name, id)
    const record = await liarRecord(tools, name, id)
    return Response.json({ token, record, ...more })
  })
}
