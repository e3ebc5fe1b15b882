/**
 * What to say of a table that does not accept what its role allows for everyone, and what can be done about it.
 *
 * @module
 */

import { authRoles } from '../../spec/tables.ts'
import { existingAccountLine, type Gated, missingTableLine } from '../judging/gate.ts'
import { credentialHint } from '../session/actors.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { MissingChange } from './closed-tables.ts'

const accountRoles = authRoles()

/** That a table rejects guests, or who sends their requests, and what can be done about it. */
export function closedNote(session: Gated, { role, name, as: caller }: TableRef, rejected: string): string {
  if (caller !== undefined && session.standIns.has(name))
    return `${name} rejects requests as "${caller}" (${rejected}), which the target file names for the role "${role}": requirements that need it are not judged; name a caller with more permissions`
  const isAuth = accountRoles.has(role)
  const what = `${name} is closed to guests (${rejected}), but the role "${role}" must be open to them: ${isAuth ? 'profile ' : ''}requirements that need it are not judged`
  if (!isAuth) return `${what}; to use an account that exists: ${missingTableLine(role, session)}`
  return session.actors.knows('superuser')
    ? what
    : `${what}; for the accounts that other checks need, the superuser can create them: ${credentialHint('superuser')}`
}

/**
 * That changes do not exist, as far as a guest sees. A 404 may also hide what is rejected: then it says how to go on, which a
 * status that is about the method need not.
 */
export function missingChangesNote(
  session: Gated,
  { role, name }: TableRef,
  changes: readonly MissingChange[],
): string {
  const words = changes.map(({ action }) => action).join(' and ')
  const isOne = changes.length === 1
  const statuses = [...new Set(changes.map(({ status }) => status))]
  const subject = `${words} of records of ${name} ${isOne ? 'does' : 'do'} not exist`
  const needed = `the checks that need ${isOne ? 'it' : 'them'} fail`
  if (!statuses.includes(404)) return `${subject} (${statuses.join(' and ')}): ${needed}`
  const what = `${subject}, or ${isOne ? 'is' : 'are'} closed to guests, who get the response of a path that does not exist (${statuses.join(' and ')}): ${needed}`
  return session.actors.knows('superuser')
    ? what
    : `${what}. If only guests are rejected: ${existingAccountLine(role, name, session.target.tables.members?.name)}, or ${credentialHint('superuser')}`
}
