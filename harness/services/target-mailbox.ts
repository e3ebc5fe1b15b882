/**
 * The mailbox of a target (hook `mailbox`): which emails there are, how long one may take, and what each may prove.
 *
 * @module
 */

import { ConfigurationError } from '../errors.ts'
import { callHookForCheck } from '../target/call-hook.ts'
import type { RunSettings, SessionClock } from '../vocabulary/session.ts'
import type { ProofKind, ReceivedEmail } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import {
  codeCandidates,
  type EmailReading,
  type ProofCandidate,
  tokenCandidates,
  wordsOf,
} from './email-reading.ts'
import type { ReadEmail } from './proof-book.ts'

/** Default time in milliseconds in which an email must arrive. */
export const usualPatience = 5_000
const quickPatience = 2_000
/** Default time in milliseconds without an email after which none is expected. */
const usualQuiet = 150
/** Factor: the wait for another email, as a multiple of the time that emails take. */
const slack = 3
/** Number of words that are remembered: an email with a proof has few other unique words. */
const mostWords = 20_000

type Mailing = Pick<Wire, 'target' | 'proofs'> & SessionClock & RunSettings

export interface TargetMailbox {
  count(): Promise<number>
  /** The emails to an address with a number above `after`; waits for the first one. */
  emailsTo(to: string, after: number, wait: number): Promise<ReceivedEmail[]>
  /** Milliseconds in which an email must arrive. */
  patience(): number
  /** Milliseconds without an email after which none is expected. */
  quiet(): number
  /**
   * Waits for one more email after others: as long as for the first one, but only a few times in vain, and not if the target
   * file says how long to wait.
   */
  oneMore(to: string, after: number): Promise<ReceivedEmail[]>
  /** What an email may prove. */
  read(email: ReceivedEmail, kind: ProofKind, length?: number): ReadEmail
}

export function mailboxOf(session: Mailing): TargetMailbox {
  const { target, proofs } = session

  async function ask(to: string, after: number, wait: number) {
    const emails = await callHookForCheck(target, 'mailbox', { to, after, wait })
    return emails as { count: number; mails: ReceivedEmail[] }
  }

  /** The time that an email may take, estimated from the last ones. */
  const measured = () => Math.ceil(slack * Math.max(0, ...session.emailTimes))

  const mailbox: TargetMailbox = {
    count: async () => (await ask('', 0, 0)).count,
    emailsTo: async (to, after, wait) => (await ask(to, after, wait)).mails,
    patience: () =>
      Math.max(
        session.options.quick === true ? quickPatience : (target.mail?.patience ?? usualPatience),
        measured(),
      ),
    quiet: () => Math.max(target.mail?.quiet ?? usualQuiet, measured()),
    async oneMore(to, after) {
      if (target.mail?.quiet !== undefined || !proofs.mayWaitLong)
        return mailbox.emailsTo(to, after, mailbox.quiet())
      const emails = await mailbox.emailsTo(to, after, mailbox.patience())
      if (emails.length === 0) proofs.waitedInVain()
      return emails
    },
    read(email, kind, length) {
      const given = kind === 'code' ? email.code : email.token
      const reading = readingOf(session, email, kind === 'code' ? 'code' : 'token')
      if (given !== undefined) return { email, candidates: [givenBy(given)] }
      const candidates =
        kind === 'code'
          ? codeCandidates(email, { length, ...reading })
          : tokenCandidates(email, kind, reading)
      return { email, candidates }
    },
  }
  return mailbox
}

function givenBy(word: string): ProofCandidate {
  return { word, place: 'as the mailbox says', isClear: true }
}

/** How the target's emails are read: as its file says, otherwise by what is new in them. */
function readingOf(
  { target, proofs: { words, isProven } }: Pick<Wire, 'target' | 'proofs'>,
  email: ReceivedEmail,
  part: 'code' | 'token',
): EmailReading {
  const pattern = target.mail?.[part]
  if (pattern !== undefined) return { pattern: checkedPattern(pattern, part) }
  if (words.size < mostWords)
    for (const word of wordsOf(email)) if (!words.has(word)) words.set(word, email.number)
  return { isProven, isKnown: (word) => (words.get(word) ?? email.number) < email.number }
}

function checkedPattern(pattern: string, part: string): string {
  try {
    new RegExp(pattern)
    return pattern
  } catch (error) {
    throw new ConfigurationError((error as Error).message, `mail.${part}`, 'use a valid regular expression')
  }
}
