/**
 * The email, identity provider, time and key helpers of a check: the target's hooks behind the suite's API.
 *
 * @module
 */

import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { journalsOf } from '../../cleanup/journal.ts'
import { keyEntry } from '../../cleanup/key-entry.ts'
import { ConfigurationError } from '../../errors.ts'
import { type EmailReading, emailedCode, emailedToken, wordsOf } from '../../services/email-reading.ts'
import type { Authorization } from '../../services/identity-provider.ts'
import { callHook } from '../../target/call-hook.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { CleanUp, RunSettings, SessionClock } from '../../vocabulary/session.ts'
import type { ApiKey, KeyScope, ReceivedEmail } from '../../vocabulary/target.ts'
import type { Wire } from '../../vocabulary/wire.ts'
import { BlockedError, ExpectationError, UntestableError } from '../expect.ts'

type ServiceParts = Pick<CheckContext, 'mail' | 'provider' | 'clock' | 'apiKeys'>

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
/** Superusers sign in again after the clock was moved ahead by this many seconds. Their sessions last a day. */
const superuserLasts = 6 * 3_600

/** Sessions of a concurrent run would expire, so short times are waited for in real time. */
const longestWait = 30

function sharesClock({ target, options }: Wire & RunSettings): boolean {
  const { journal } = options
  return (
    journal !== undefined &&
    journalsOf(target.baseUrl, dirname(journal)).some(({ file, alive }) => alive && file !== journal)
  )
}

export function serviceParts(
  session: Wire & CleanUp & SessionClock & RunSettings,
  signal: AbortSignal,
): ServiceParts {
  const { target } = session
  const settle = target.services?.smtp?.settle ?? usualSettle
  const quiet = target.mail?.quiet ?? usualQuiet
  const hook = (name: string, input: Record<string, unknown>) => callHook(target, name, input)

  async function emailsTo(to: string, after: number, wait: number) {
    return (await hook('mailbox', { to, after, wait })) as { count: number; mails: ReceivedEmail[] }
  }

  /** The time that an email may take, estimated from the last ones. */
  const measured = () => Math.ceil(slack * Math.max(0, ...session.emailTimes))

  return {
    mail: {
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
        session.redactor.meet(token, '$TOKEN')
        return token
      },
    },
    provider: {
      async authorize(request) {
        const { wrongAddress, ...gone } = (await hook('provider', { ...request })) as Authorization
        if (wrongAddress === undefined) return gone
        throw new ExpectationError(wrongAddress.fact, wrongAddress.expected, wrongAddress.received)
      },
    },
    clock: {
      offered: target.hooks?.clock !== undefined,
      get moved() {
        return session.moved
      },
      async now() {
        if (target.hooks?.clock === undefined) return undefined
        const reported = (await hook('clock', { advance: 0 })) as { now?: unknown } | null | undefined
        const now = new Date(reported?.now as string | number).getTime()
        return reported?.now === null || Number.isNaN(now) ? undefined : now
      },
      async pass(seconds) {
        if (target.hooks?.clock === undefined || (seconds <= longestWait && sharesClock(session))) {
          await sleep(seconds * 1_000, undefined, { signal })
          return
        }
        await hook('clock', { advance: seconds })
        session.moved += seconds
        session.passed += seconds
        if (session.passed < superuserLasts) return
        session.passed = 0
        session.actors.forget()
      },
    },
    apiKeys: {
      async make(scope) {
        const tables = scope.tables.map((table) => (typeof table === 'string' ? table : table.name))
        const key =
          target.hooks?.createApiKey === undefined
            ? givenKey(session, tables, scope.actions)
            : ((await hook('createApiKey', { tables, actions: [...scope.actions] })) as ApiKey)
        if (typeof key?.key !== 'string')
          throw new BlockedError('the hook "createApiKey" did not return { id, key }')
        session.redactor.give(key.key, '$KEY')
        session.coverage.knowApiKey(key.key)
        if (key.id !== undefined && target.hooks?.revokeApiKey !== undefined)
          session.cleanup.add(keyEntry(session, key.id))
        return key
      },
      async revoke({ id }) {
        if (id === undefined)
          throw new UntestableError('a key from the target file cannot be revoked', 'hooks.revokeApiKey')
        await hook('revokeApiKey', { id })
      },
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

/** The API key in the target file with exactly this scope. */
function givenKey({ target }: Wire, tables: readonly string[], actions: KeyScope['actions']): ApiKey {
  const same = (one: readonly string[], other: readonly string[]) =>
    [...one].sort().join() === [...other].sort().join()
  for (const { token, scope } of Object.values(target.credentials)) {
    if (
      token !== undefined &&
      scope !== undefined &&
      same(scope.tables, tables) &&
      same(scope.actions, actions)
    )
      return { key: token, actions: scope.actions }
  }
  throw new UntestableError(
    `the target file has no API key for ${actions.join(', ')} on ${tables.join(', ')}`,
    'target file: "hooks": { "createApiKey": "..." }, or a credential with "token" and this "scope"',
  )
}
