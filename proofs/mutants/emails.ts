/** Mistakes in the email flows. */

import { change, mutant } from './mutant.ts'

mutant(
  'the link of an email change goes to the former address',
  ['email-change.confirms'],
  change('reference/auth/mail-link.ts', 'const to = newEmail ?? email', 'const to = email'),
)
