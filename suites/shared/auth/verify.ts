/**
 * Verifying an account where only verified ones sign in: whether there are such tables is left open (document, sections 2.2
 * and 3).
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import type { Account } from './accounts.ts'

/** Whether the account could be verified: by a superuser or, where emails can be read, with the proof in one. */
export async function verify(context: CheckContext, account: Account): Promise<boolean> {
  return (await verifyBySuperuser(context, account)) || (await verifyByEmail(context, account))
}

/** A server may accept the update and ignore `verified`: what shows it is the record. */
async function verifyBySuperuser({ api, knows }: CheckContext, { table, id }: Account): Promise<boolean> {
  if (!knows('superuser')) return false
  const superuser = api.as('superuser')
  if (!(await superuser.update(table, id, { verified: true })).ok) return false
  const { body } = await superuser.view(table, id)
  return !isObject(body) || body.verified !== false
}

async function verifyByEmail(
  { api, mail, has }: CheckContext,
  { table, email: identity, record }: Account,
): Promise<boolean> {
  if (!has('mail')) return false
  // A check may sign an account in by its username, in the place of the address.
  const email = typeof record.email === 'string' ? record.email : identity
  const confirmed = await unlessPrevented(async () => {
    const after = await mail.count()
    const requested = await api.requestVerification(table, { email })
    if (!requested.ok) return requested
    const received = await mail.waitFor({ to: email, after })
    return api.confirmVerification(table, { token: mail.token(received, 'verification') })
  })
  return confirmed?.ok === true
}
