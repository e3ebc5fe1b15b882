/**
 * Verifies an account as its owner would, where only verified accounts sign in: whether there are such tables is left open
 * (document, sections 2.2 and 3).
 *
 * @module
 */

import { UntestableError } from '../judging/expect.ts'
import type { RunSettings, SessionClock } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { mailboxOf } from './target-mailbox.ts'

/** Words of one email that are tried. */
const mostWords = 3

/**
 * Requests a verification, and confirms it with what its email may prove; a sign-up may have sent one before.
 *
 * @returns whether the server accepted one. False if no emails can be read
 */
export async function verifiedByEmail(
  session: Wire & SessionClock & RunSettings,
  table: TableRef,
  email: string,
): Promise<boolean> {
  if (session.target.hooks?.mailbox === undefined) return false
  const guest = session.api('guest')
  const mailbox = mailboxOf(session)
  try {
    await guest.requestVerification(table, { email })
    const emails = await mailbox.emailsTo(email, 0, mailbox.patience())
    for (const each of emails.toReversed())
      for (const { word } of mailbox.read(each, 'verification').candidates.slice(0, mostWords))
        if ((await guest.confirmVerification(table, { token: word })).ok) return true
  } catch (error) {
    if (!(error instanceof UntestableError)) throw error
  }
  return false
}
