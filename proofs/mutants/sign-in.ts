/** Mistakes in sign-in, sessions, factors, one-time codes and API keys. */

import { change, mutant } from './mutant.ts'
import { repeatedIds } from './repeated-ids.ts'

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
  ['sign-in.password-whole'],
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
mutant(
  'every one-time code is the same',
  ['otp.once', 'otp.other-account'],
  change(`${auth}/request-otp.ts`, "environment.random('0123456789', table", "environment.random('7', table"),
)
mutant(
  'the code of a verified account works again',
  ['otp.once'],
  change(
    `${auth}/auth-with-otp.ts`,
    '  writer.remove(otps, otp)\n',
    '  if (row.values.verified !== true) writer.remove(otps, otp)\n',
  ),
)
mutant(
  'a key sees every table through an expansion',
  ['api-key.table-scope'],
  change(
    'reference/query/expand.ts',
    "const open = scope.superuser || keyCovers(scope.request, target, 'view')",
    "const open = scope.superuser || scope.request.caller.kind === 'key'",
  ),
)
mutant(
  'only the first fifty characters of a key count',
  ['api-key.altered'],
  change(
    `${auth}/api-keys.ts`,
    "const sha256 = (text: string) => createHash('sha256').update(text)",
    "const sha256 = (text: string) => createHash('sha256').update(text.slice(0, 50))",
  ),
)
mutant(
  'only the first half of a signature counts',
  ['auth.token-altered'],
  change(
    `${auth}/tokens.ts`,
    '!timingSafeEqual(given, expected)',
    '!timingSafeEqual(given.subarray(0, 16), expected.subarray(0, 16))',
  ),
)
mutant(
  'a refresh under another auth table names that table',
  ['refresh.same-record'],
  change(
    `${auth}/auth-refresh.ts`,
    '  if (caller.table.id !== table.id) {',
    '  if (caller.table.type !== table.type) {',
  ),
)
mutant(
  'a provider alone signs in where a second factor is needed',
  ['mfa.first-step-no-token'],
  change(
    `${auth}/mfa.ts`,
    "if (!wanted) return { kind: 'done' }",
    "if (!wanted || method === 'oauth2') return { kind: 'done' }",
  ),
)
mutant(
  'a provider signs in to a table that has switched it off',
  ['auth-methods.agrees-oauth2'],
  change(
    `${auth}/auth-with-oauth2.ts`,
    'if (!table.definition.oauth2?.enabled) {',
    'if (!table.definition.oauth2) {',
  ),
)
mutant(
  'accounts of a provider are found by their address alone',
  ['oauth2.link-first'],
  change(`${auth}/oauth2/link.ts`, '  if (linked !== undefined) return linked\n', '  void linked\n'),
  change(
    `${auth}/oauth2/link.ts`,
    "  if (user.id === '')\n",
    "  if (user.id !== '') return\n  if (user.id === '')\n",
  ),
)

mutant('rules compare the id of an account without its table', ['auth.token-own-record'], repeatedIds)
mutant(
  'what an account owns is shown to the account of another table with the same id',
  ['auth.token-own-record'],
  repeatedIds,
  change(
    'spec/tables.yaml',
    "updateRule: 'id = @request.auth.id || (",
    'updateRule: \'(id = @request.auth.id && @request.auth.collectionName = "conf_staff") || (',
  ),
)
mutant(
  'a refresh under another table continues as its account with the same id',
  ['refresh.same-record'],
  repeatedIds,
  change(
    `${auth}/auth-refresh.ts`,
    'if (caller.table.id !== table.id) {',
    'if (caller.table.id !== table.id && !context.services.store.current.get(table, caller.row.id)) {',
  ),
)
mutant(
  'a code signs in the account of another table with the same id',
  ['otp.other-account'],
  repeatedIds,
  change(
    `${auth}/auth-with-otp.ts`,
    'if (otp === undefined || otp.values.collectionRef !== table.id) return undefined',
    'if (otp === undefined) return undefined',
  ),
)

/** Calls `act` for the account of each other auth table with the id of `row`. */
const forEachOfOneId = (act: string) => `
  for (const other of writer.tables()) {
    const counterpart = other.type === 'auth' && other.id !== table.id ? writer.get(other, row.id) : undefined
    if (counterpart !== undefined) ${act}
  }`
mutant(
  'a password reset ends the sessions of all accounts with the same id',
  ['token.others-spared'],
  repeatedIds,
  change(
    `${auth}/confirm-password-reset.ts`,
    'changeAccount(writer, table, row, { password, ...verified }, environment, { rejection })',
    `changeAccount(writer, table, row, { password, ...verified }, environment, { rejection })
${forEachOfOneId("writer.replace(other, counterpart, { ...counterpart.values, tokenKey: environment.random('ab', 50) })")}`,
  ),
)
mutant(
  'the delete of an account deletes all accounts with the same id',
  ['token.others-spared'],
  repeatedIds,
  change(
    `${auth}/settle-account.ts`,
    "if (table.type === 'auth') removeOwned(writer, ownedKinds, table, row)",
    `if (table.type === 'auth') removeOwned(writer, ownedKinds, table, row)
${forEachOfOneId('writer.remove(other, counterpart)')}`,
  ),
)

mutant(
  'a sign-in resets the moment of creation',
  ['record.created-fixed'],
  change(
    `${auth}/finish-sign-in.ts`,
    'return { row: present, step: stepMfa(now, writer, { ...proven, row: present }) }',
    `const created = new Date(context.services.environment.now()).toISOString().replace('T', ' ')
    const row = present.values.created ? writer.replace(table, present, { ...present.values, created }) : present
    return { row, step: stepMfa(now, writer, { ...proven, row }) }`,
  ),
)
