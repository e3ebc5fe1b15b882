/**
 * Servers that are right about everything but one case: the kind of mistake that a coarse check passes over.
 *
 * @module
 */

import { rewriteBody } from './combinators.ts'
import { fault } from './fault.ts'

fault(
  'zeros behind a password do not count',
  { trips: ['auth.password-wrong'] },
  rewriteBody('authWithPassword', (body) =>
    typeof body.password === 'string' ? { ...body, password: body.password.replace(/\0+$/, '') } : body,
  ),
)
