/** Mistakes in the email flows. */

import { change, mutant } from './mutant.ts'
import { repeatedIds } from './repeated-ids.ts'

mutant(
  'the link of an email change goes to the former address',
  ['email-change.confirms'],
  change('reference/auth/mail-link.ts', 'const to = newEmail ?? email', 'const to = email'),
)
mutant(
  'a session token proves that an email was received',
  ['password-reset.proof-required'],
  change(
    'reference/auth/tokens.ts',
    'if (claims === undefined || claims.type !== kind) return undefined',
    "if (claims === undefined || (claims.type !== kind && claims.type !== 'auth')) return undefined",
  ),
  change(
    'reference/auth/tokens.ts',
    '      const key = keyText(table, row, kind)\n      if (known',
    '      const key = keyText(table, row, claims.type)\n      if (known',
  ),
)

const acceptedForOneId = (flow: string) =>
  change(
    'reference/auth/mail-link.ts',
    'if (token?.table.id === table.id) return { token }',
    `const other = kind === '${flow}' && token ? services.store.current.get(table, token.row.id) : undefined
  if (token !== undefined && other !== undefined) return { token: { ...token, table, row: other } }
  if (token?.table.id === table.id) return { token }`,
  )
mutant(
  'a token verifies the account of another table with the same id',
  ['verification.own-record'],
  repeatedIds,
  acceptedForOneId('verification'),
  change(
    'reference/auth/confirm-verification.ts',
    'if (claims.email === emailOf(row)) return read',
    'if (claims.email !== emailOf(row) || claims.email === emailOf(row)) return read',
  ),
)
mutant(
  'a token resets the password of the account of another table with the same id',
  ['password-reset.own-record'],
  repeatedIds,
  acceptedForOneId('passwordReset'),
)
mutant(
  'a token changes the address of the account of another table with the same id',
  ['email-change.own-record'],
  repeatedIds,
  acceptedForOneId('emailChange'),
)
mutant(
  'a session changes the address of the account of another table with the same id',
  ['email-change.own-record'],
  repeatedIds,
  change(
    'reference/auth/request-email-change.ts',
    '  requireOwnToken(context, table)\n',
    "  if (context.caller.kind !== 'record') requireOwnToken(context, table)\n",
  ),
  change(
    'reference/auth/request-email-change.ts',
    'const { row } = requireOwnToken(await reauthenticate(context, request, store.current), table)',
    `const now = await reauthenticate(context, request, store.current)
  const other = now.caller.kind === 'record' ? store.current.get(table, now.caller.row.id) : undefined
  const { row } = other === undefined ? requireOwnToken(now, table) : { row: other }`,
  ),
)

const resetsCreated = (name: string, key: string) =>
  mutant(
    name,
    ['record.created-fixed'],
    change(
      'reference/auth/account.ts',
      'const values: Values = { ...stored.values, ...(change as Record<string, Value>) }',
      `const values: Values = { ...stored.values, ...(change as Record<string, Value>) }
  if ('${key}' in change) values.created = new Date(environment.now()).toISOString().replace('T', ' ')`,
    ),
  )
resetsCreated('a new address resets the moment of creation', 'email')
resetsCreated('a new password resets the moment of creation', 'password')
resetsCreated('a verification resets the moment of creation', 'verified')
