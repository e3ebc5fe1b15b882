/**
 * What a check gets of mail, identity provider, time and keys: the target's hooks, in words of the suite.
 *
 * @module
 */

import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { journalsOf } from './cleanup/journal.ts'
import { keyEntry } from './cleanup/key-entry.ts'
import { ConfigurationError } from './errors.ts'
import { BlockedError, ExpectationError, UntestableError } from './judging/expect.ts'
import type { Authorization } from './services/identity-provider.ts'
import { type EmailReading, emailedCode, emailedToken, wordsOf } from './services/read-mail.ts'
import { callHook } from './target/call-hook.ts'
import type { CheckContext } from './vocabulary/check.ts'
import type { Session } from './vocabulary/session.ts'
import type { ApiKey, KeyScope, ReceivedMail } from './vocabulary/target.ts'

type ServiceParts = Pick<CheckContext, 'mail' | 'provider' | 'clock' | 'apiKeys'>

/** Milliseconds in which a mail must have come, where the target says nothing else. */
export const usualPatience = 5_000
const quickPatience = 2_000
/** Milliseconds in which a server notes that a mail is out. Nobody reads one faster. */
const usualSettle = 50
/** Milliseconds without a mail after which none will come, where the target says nothing else. */
const usualQuiet = 150
/** How often the time that mails take is waited for another. */
const slack = 3
/** Mails whose time is remembered. The first of a server may take long, and must not slow down the whole run. */
const mostTimes = 5
/** Superusers are signed in anew after so many seconds of a clock moved ahead. Their sessions last a day. */
const superuserLasts = 6 * 3_600

/** A run beside this one would see its sessions end: what is short is waited for instead. */
const longestWait = 30

function sharesClock({ target, options }: Session): boolean {
  const { journal } = options
  return (
    journal !== undefined &&
    journalsOf(target.baseUrl, dirname(journal)).some(({ file, alive }) => alive && file !== journal)
  )
}

export function serviceParts(session: Session, signal: AbortSignal): ServiceParts {
  const { target } = session
  const settle = target.services?.smtp?.settle ?? usualSettle
  const quiet = target.mail?.quiet ?? usualQuiet
  const hook = (name: string, input: Record<string, unknown>) => callHook(target, name, input)

  async function mailsTo(to: string, after: number, wait: number) {
    return (await hook('mailbox', { to, after, wait })) as { count: number; mails: ReceivedMail[] }
  }

  /** So long a mail may take, going by the last ones. */
  const measured = () => Math.ceil(slack * Math.max(0, ...session.mailTimes))

  return {
    mail: {
      async count() {
        return (await mailsTo('', 0, 0)).count
      },
      async waitFor({ to, after = 0 }) {
        const patience =
          session.options.quick === true ? quickPatience : (target.mail?.patience ?? usualPatience)
        const wait = Math.max(patience, measured())
        const begin = performance.now()
        const { mails } = await mailsTo(to, after, wait)
        const [mail] = mails
        if (mail !== undefined) {
          session.mailTimes.unshift(performance.now() - begin)
          session.mailTimes.splice(mostTimes)
          if (settle > 0) await sleep(settle, undefined, { signal })
          return mail
        }
        throw new ExpectationError(`no email to ${to} arrived within ${wait} ms`, 'an email', 'none')
      },
      async silent({ to, after = 0 }) {
        return (await mailsTo(to, after, Math.max(quiet, measured()))).mails.length === 0
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
        const told = (await hook('clock', { advance: 0 })) as { now?: unknown } | null | undefined
        const now = new Date(told?.now as string | number).getTime()
        return told?.now === null || Number.isNaN(now) ? undefined : now
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
          session.cleanup.enter(keyEntry(session, key.id))
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

/** Words of the emails that were read, with the number of the first that held each. */
const seenWords = new WeakMap<Session, Map<string, number>>()
/** So many are remembered: an email that tells a proof has few other words of its own. */
const mostWords = 20_000

/** How the target's emails are read: as its file says, else by what is new in them. */
function readingOf(session: Session, mail: ReceivedMail, part: 'code' | 'token'): EmailReading {
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

/** What a proof looks like is left open: that none is recognised says nothing of the server. */
function unread(what: string, part: 'code' | 'token'): UntestableError {
  return new UntestableError(
    `no ${what} was recognized in the email; the document does not say what it looks like`,
    `target file: "mail": { "${part}": "<regular expression, its first group is the ${part}>" }, or return "${part}" from the hook "mailbox"`,
  )
}

/** A key of the target file with exactly this scope. */
function givenKey({ target }: Session, tables: readonly string[], actions: KeyScope['actions']): ApiKey {
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
