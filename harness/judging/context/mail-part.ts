/**
 * The emails of a check, from the hook `mailbox`: waits for them, and reads what they prove.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Requirement } from '../../../spec/vocabulary.ts'
import type { ReadEmail } from '../../services/proof-book.ts'
import { proofSetting } from '../../services/proof-setting.ts'
import { mailboxOf } from '../../services/target-mailbox.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { RunSettings, SessionClock } from '../../vocabulary/session.ts'
import type { ProofKind, ReceivedEmail } from '../../vocabulary/target.ts'
import type { Wire } from '../../vocabulary/wire.ts'
import { ExpectationError, UntestableError } from '../expect.ts'

/** Milliseconds in which a server records that an email was sent. Emails are not read faster. */
const usualSettle = 50
/**
 * Number of emails whose time is remembered. A server's first one may take long, and must not slow down the whole run.
 */
const mostTimes = 5

export function mailPart(
  session: Wire & SessionClock & RunSettings,
  signal: AbortSignal,
  { basis }: Pick<Requirement, 'basis'>,
): CheckContext['mail'] {
  const { target, proofs, redactor } = session
  const settle = target.services?.smtp?.settle ?? usualSettle
  const mailbox = mailboxOf(session)
  /** The query that each email was the result of. */
  const queries = new WeakMap<ReceivedEmail, { to: string; after: number }>()
  /** The profile says when an email comes. The document leaves open how many a server sends. */
  const areCounted = basis === 'profile'
  /** Whether the check has got one. */
  let isFurther = false

  /**
   * The first email that may be about the last request for its address: a server may also welcome the account, or tell it
   * of a sign-in or a change. If none is better, the first one.
   */
  async function arrival(to: string, after: number): Promise<ReceivedEmail | undefined> {
    const kind = proofs.requestFor(to)?.kind
    let emails = await timed(() => mailbox.emailsTo(to, after, mailbox.patience()))
    const [first] = emails
    if (first === undefined && kind === 'verification') return unreadBefore(to)
    if (kind === undefined) return first
    for (;;) {
      const fitting = emails.find((email) => mayBe(kind, email))
      if (fitting !== undefined || emails.length === 0) return fitting ?? first
      emails = await mailbox.oneMore(to, lastNumber(emails))
    }
  }

  function mayBe(kind: ProofKind, email: ReceivedEmail): boolean {
    return proofs.fits(kind, mailbox.read(email, kind)) !== false
  }

  /** A sign-up may have sent the email already: then another one may come only some time later. */
  async function unreadBefore(to: string): Promise<ReceivedEmail | undefined> {
    const emails = await mailbox.emailsTo(to, 0, 0)
    return emails.findLast((email) => !proofs.isRead(email) && mayBe('verification', email))
  }

  /** Whether the account has got an email that proves something, such as one at the sign-up: a server may limit them. */
  async function hasProof(owner: string, until: number): Promise<boolean> {
    const emails = await mailbox.emailsTo(owner, 0, 0)
    return emails.some(
      (email) =>
        email.number <= until &&
        mayBe('verification', email) &&
        mailbox.read(email, 'verification').candidates[0]?.isClear === true,
    )
  }

  /** The first email like those that proved this, unless no email comes within a short time. */
  async function nextLike(kind: ProofKind, to: string, after: number): Promise<ReceivedEmail | undefined> {
    const emails = await timed(() => mailbox.emailsTo(to, after, mailbox.quiet()))
    const known = emails.find((email) => proofs.isKnown(kind, mailbox.read(email, kind)))
    if (known !== undefined || emails.length === 0) return known
    return nextLike(kind, to, lastNumber(emails))
  }

  async function received(mail: ReceivedEmail, query: { to: string; after: number }): Promise<ReceivedEmail> {
    queries.set(mail, query)
    proofs.read(mail)
    if (settle > 0) await sleep(settle, undefined, { signal })
    return mail
  }

  /** Remembers how long the emails took that came. */
  async function timed(wait: () => Promise<ReceivedEmail[]>): Promise<ReceivedEmail[]> {
    const begin = performance.now()
    const emails = await wait()
    if (emails.length > 0) session.emailTimes.unshift(performance.now() - begin)
    session.emailTimes.splice(mostTimes)
    return emails
  }

  function taken(kind: ProofKind, read: ReadEmail): string | undefined {
    const [candidate] = read.candidates
    if (candidate === undefined) return undefined
    const { word } = candidate
    const part = kind === 'code' ? 'code' : 'token'
    const isGuess = read.email[part] === undefined && target.mail?.[part] === undefined
    const query = queries.get(read.email)
    if (query !== undefined)
      proofs.take({ ...read, ...query, kind, word, isGuess, request: proofs.requestFor(query.to) })
    redactor.meet(word, kind === 'code' ? '$CODE' : '$PROOF')
    return word
  }

  return {
    count: () => mailbox.count(),
    async waitFor({ to, after = 0, owner = to }) {
      const patience = mailbox.patience()
      const mail = await arrival(to, after)
      if (mail === undefined && !areCounted && (isFurther || (await hasProof(owner, after))))
        throw new UntestableError(
          `no further email arrived within ${patience} ms, this time to ${to}; the document does not say how often a server sends emails`,
          'lift the email limit for the test',
        )
      if (mail === undefined)
        throw new ExpectationError(`no email to ${to} arrived within ${patience} ms`, 'an email', 'none')
      isFurther = true
      return received(mail, { to, after })
    },
    async another({ to, after, kind }) {
      const mail = await nextLike(kind, to, after)
      return mail && received(mail, { to, after })
    },
    async silent({ to, after = 0 }) {
      return (await mailbox.emailsTo(to, after, mailbox.quiet())).length === 0
    },
    code(mail, length) {
      const code = taken('code', mailbox.read(mail, 'code', length))
      if (code === undefined && length !== undefined)
        throw new ExpectationError(`the email contains no code of ${length} digits`, 'digits', mail.text)
      if (code === undefined) throw unread('one-time code', 'code')
      return code
    },
    token(mail, kind) {
      const token = taken(kind, mailbox.read(mail, kind))
      if (token === undefined) throw unread(`proof for ${kind}`, kind)
      return token
    },
    isAmbiguous(mail, kind) {
      const [likeliest, ...others] = mailbox.read(mail, kind).candidates
      return likeliest !== undefined && others.length > 0 && !proofs.isProven(likeliest.place)
    },
  }
}

/** The mailbox numbers its emails as they come. */
function lastNumber(emails: readonly ReceivedEmail[]): number {
  return Math.max(...emails.map(({ number }) => number))
}

/** The form of a proof is unspecified: if none is recognized, that says nothing about the server. */
function unread(what: string, kind: ProofKind): UntestableError {
  return new UntestableError(
    `no ${what} was recognized in the email; the document does not say what it looks like`,
    proofSetting(kind),
  )
}
