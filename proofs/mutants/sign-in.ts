/** Mistakes in sign-in, sessions, factors, one-time codes and API keys. */

import { change, mutant } from './mutant.ts'

const auth = 'reference/auth'

mutant(
  'a password counts up to its 30th character',
  ['auth.password-wrong'],
  change(
    `${auth}/passwords.ts`,
    "update(plain.normalize('NFC'))",
    "update(plain.normalize('NFC').slice(0, 30))",
  ),
)
mutant(
  'spaces around a password do not count',
  ['auth.password-wrong'],
  change(`${auth}/passwords.ts`, "update(plain.normalize('NFC'))", "update(plain.normalize('NFC').trim())"),
)
mutant(
  'the index of usernames keeps the former ones',
  ['auth.identity-username'],
  change(
    'reference/store/table-data.ts',
    '    if (key !== undefined) data.uniques[at]?.delete(key)',
    "    if (key !== undefined && index.columns[0]?.field === 'email') data.uniques[at]?.delete(key)",
  ),
)
mutant(
  'the response to a sign-in shows what a guest sees',
  ['auth.response-record'],
  change(`${auth}/auth-response.ts`, 'renderOne({ ...context, caller }, reader', 'renderOne(context, reader'),
)
mutant(
  'users of another table may impersonate',
  ['impersonate.superuser-only'],
  change(
    `${auth}/impersonate.ts`,
    "if (caller.kind !== 'superuser') {",
    "if (caller.kind !== 'superuser' && !(caller.kind === 'record' && caller.table.name !== context.table)) {",
  ),
)
mutant(
  'two one-time codes count as two factors',
  ['mfa.two-different'],
  change(
    `${auth}/mfa.ts`,
    'if (session.values.method === method)',
    "if (session.values.method === method && method !== 'otp')",
  ),
)
mutant(
  'the first factor of another account of the table counts',
  ['mfa.other-account'],
  change(
    `${auth}/mfa.ts`,
    'recordRef !== row.id || collectionRef !== table.id',
    'recordRef !== row.id && collectionRef !== table.id',
  ),
)
mutant(
  'the first factor may be used again',
  ['mfa.once'],
  change(
    `${auth}/mfa.ts`,
    "  writer.remove(sessions, session)\n  return { kind: 'done' }",
    "  return { kind: 'done' }",
  ),
)
mutant(
  'a key that may list may also view',
  ['api-key.action-scope'],
  change(
    'reference/query/scope.ts',
    'return named && actions.includes(action)',
    "return named && (actions.includes(action) || (action === 'view' && actions.includes('list')))",
  ),
)
mutant(
  'tokens do not depend on the key of their record',
  ['token.password-ends'],
  change(
    `${auth}/tokens.ts`,
    'return String(row.values.tokenKey) + (table',
    'return String(row.id) + (table',
  ),
)
mutant(
  'the provider receives no redirect URL where it has PKCE',
  ['oauth2.carries'],
  change(
    `${auth}/oauth2/provider-user.ts`,
    'if (redemption.redirectURL) form.set',
    'if (redemption.redirectURL && !usesPkce(provider)) form.set',
  ),
)
mutant(
  'an unverified address of a provider counts',
  ['oauth2.unverified-email'],
  change(
    `${auth}/oauth2/provider-user.ts`,
    "email: isTrue(claims.email_verified) ? text('email') : '',",
    "email: text('email'),",
  ),
)
