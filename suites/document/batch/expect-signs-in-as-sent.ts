import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { newEmail, PASSWORD, signUpBody } from '../../shared/auth/accounts.ts'
import { expectSignedIn } from '../../shared/auth/expect-session.ts'
import { firstSignIn, signedInIfPossible } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * An account that a batch creates signs in with the password in its body, if one that is created alone does. Whether a batch
 * may create accounts is left open: the created record shows it, which only a superuser sees for sure.
 */
export async function expectSignsInAsSent(context: CheckContext): Promise<void> {
  if (!context.hasTable('members') || !context.knows('superuser')) return
  const alone = await signedInIfPossible(context)
  if (alone === undefined) return
  const [members, email] = [context.table('members'), newEmail(context)]
  const api = ablest(context)
  const batch = await api.batch([subRequests(api).create(members, signUpBody(context, { email }))])
  if (!batch.ok) return
  const [record] = (await unlessPrevented(() => recordsWith(context, members, 'email', email, api))) ?? []
  if (record === undefined) return
  const account = { table: members, record, id: record.id, email, password: PASSWORD }
  const response = await firstSignIn(context, account)
  expectSignedIn(response, account, 'a sign-in of an account that a batch created')
}
