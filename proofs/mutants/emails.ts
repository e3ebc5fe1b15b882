/** Mistakes in the email flows. */

import { change, mutant } from './mutant.ts'

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
