/**
 * The emails of a check, from the hook `mailbox`: waits for them, and reads what they prove.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../../errors.ts'
import { type EmailReading, emailedCode, emailedToken, wordsOf } from '../../services/email-reading.ts'
import { callHook } from '../../target/call-hook.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { RunSettings, SessionClock } from '../../vocabulary/session.ts'
import type { ReceivedEmail } from '../../vocabulary/target.ts'
import type { Wire } from '../../vocabulary/wire.ts'
import { ExpectationError, UntestableError } from '../expect.ts'

/** Default time in milliseconds in which an email must arrive. */
export const usualPatience = 5_000
const quickPatience = 2_000
/** Milliseconds in which a server records that an email was sent. Emails are not read faster. */
const usualSettle = 50
/** Default time in milliseconds without an email after which none is expected. */
const usualQuiet = 150
/** Factor: the wait for another email, as a multiple of the time that emails take. */
const slack = 3
/**
 * Number of emails whose time is remembered. A server's first one may take long, and must not slow down the whole run.
 */
const mostTimes = 5

export function mailPart(
  session: Wire & SessionClock & RunSettings,
  signal: AbortSignal,
): CheckContext['mail'] {
  const { target } = session
  const settle = target.services?.smtp?.settle ?? usualSettle
  const quiet = target.mail?.quiet ?? usualQuiet

  async function emailsTo(to: string, after: number, wait: number) {
    const emails = await callHook(target, 'mailbox', { to, after, wait })
    return emails as { count: number; mails: ReceivedEmail[] }
  }

  /** The time that an email may take, estimated from the last ones. */
  const measured = () => Math.ceil(slack * Math.max(0, ...session.emailTimes))

  return {
    async count() {
      return (await emailsTo('', 0, 0)).count
    },
    async waitFor({ to, after = 0 }) {
      const patience =
        session.options.quick === true ? quickPatience : (target.mail?.patience ?? usualPatience)
      const wait = Math.max(patience, measured())
      const begin = performance.now()
      const { mails: emails } = await emailsTo(to, after, wait)
      const [mail] = emails
      if (mail !== undefined) {
        session.emailTimes.unshift(performance.now() - begin)
        session.emailTimes.splice(mostTimes)
        if (settle > 0) await sleep(settle, undefined, { signal })
        return mail
      }
      throw new ExpectationError(`no email to ${to} arrived within ${wait} ms`, 'an email', 'none')
    },
    async silent({ to, after = 0 }) {
      return (await emailsTo(to, after, Math.max(quiet, measured()))).mails.length === 0
    },
    code(mail, length) {
      const code = mail.code ?? emailedCode(mail, { length, ...readingOf(session, mail, 'code') })
      if (code === undefined && length !== undefined)
        throw new ExpectationError(`the email contains no code of ${length} digits`, 'digits', mail.text)
      if (code === undefined) throw unread('one-time code', 'code')
      session.redactor.meet(code, '$CODE')
      return code
    },
    token(mail, kind) {
      const token = mail.token ?? emailedToken(mail, kind, readingOf(session, mail, 'token'))
      if (token === undefined) throw unread(`proof for ${kind}`, 'token')
      session.redactor.meet(token, '$PROOF')
      return token
    },
  }
}

/** Words of the emails that were read, with the number of the first email that contained each. */
const seenWords = new WeakMap<Pick<Wire, 'target'>, Map<string, number>>()
/** Number of words that are remembered: an email with a proof has few other unique words. */
const mostWords = 20_000

/** How the target's emails are read: as its file says, otherwise by what is new in them. */
function readingOf(session: Pick<Wire, 'target'>, mail: ReceivedEmail, part: 'code' | 'token'): EmailReading {
  const pattern = session.target.mail?.[part]
  if (pattern !== undefined) return { pattern: checkedPattern(pattern, part) }
  const seen = seenWords.get(session) ?? new Map<string, number>()
  seenWords.set(session, seen)
  if (seen.size < mostWords)
    for (const word of wordsOf(mail)) if (!seen.has(word)) seen.set(word, mail.number)
  return { isKnown: (word) => (seen.get(word) ?? mail.number) < mail.number }
}

function checkedPattern(pattern: string, part: string): string {
  try {
    new RegExp(pattern)
    return pattern
  } catch (error) {
    throw new ConfigurationError((error as Error).message, `mail.${part}`, 'use a valid regular expression')
  }
}

/** The form of a proof is unspecified: if none is recognized, that says nothing about the server. */
function unread(what: string, part: 'code' | 'token'): UntestableError {
  return new UntestableError(
    `no ${what} was recognized in the email; the document does not say what it looks like`,
    `target file: "mail": { "${part}": "<regular expression, its first group is the ${part}>" }, or return "${part}" from the hook "mailbox"`,
  )
}
