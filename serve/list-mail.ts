/**
 * Lists the emails that were sent, and waits for one.
 *
 * @module
 */

import { outboxText } from '../reference/auth/mail/mailbox.ts'
import type { EmailKind, Reference, SentEmail } from '../reference/reference.ts'
import { InvalidControlRequest } from './respond.ts'

/** Milliseconds. */
export const longestWait = 60_000
const step = 20

export type ListedMail = Omit<SentEmail, 'sentAt'> & { sentAt: string }

function listedMail(mail: SentEmail): ListedMail {
  return { ...mail, sentAt: new Date(mail.sentAt).toISOString() }
}

/**
 * `?to=&kind=`: the matching emails, oldest first. With `&wait=MILLISECONDS`, waits until there is one.
 *
 * @param query checked
 * @throws InvalidControlRequest 408 if none arrived in time
 */
export async function listMail(
  reference: Reference,
  query: URLSearchParams,
): Promise<{ mails: ListedMail[] }> {
  const [to, kind] = [query.get('to'), query.get('kind') as EmailKind | null]
  const wait = Number(query.get('wait'))
  const fitting = () =>
    reference.mail.outbox.filter((mail) => (!to || mail.to === to) && (!kind || mail.kind === kind))
  const until = performance.now() + wait
  while (wait > 0 && fitting().length === 0) {
    if (performance.now() >= until)
      throw new InvalidControlRequest(
        `No such email arrived within ${wait} ms. ${outboxText(reference.mail.outbox)}`,
        408,
      )
    // Unreferenced: the process does not wait for an email once its server has closed.
    await new Promise((resolve) => setTimeout(resolve, step).unref())
  }
  return { mails: fitting().map(listedMail) }
}
