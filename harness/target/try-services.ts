/**
 * Tests whether the target reaches the services: an email to the sink, and its own request to the identity provider.
 * Uses a temporary account, which is deleted afterwards.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { loadTables } from '../../spec/tables.ts'
import { confirmLine } from '../explore/confirm-names.ts'
import { shownResponse } from '../explore/sign-up.ts'
import type { Authorization } from '../services/identity-provider.ts'
import { usualPatience } from '../services/target-mailbox.ts'
import { idCharacters } from '../support/hash.ts'
import type { CleanUp, RunSettings } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { extraKeys } from '../wire/extra-keys.ts'
import { madeUpAddress } from '../wire/made-up-address.ts'
import { passwordKeys } from '../wire/password-keys.ts'
import { callHook } from './call-hook.ts'

export interface ServiceFact {
  text: string
  sound: boolean
}

const redirectURL = 'http://127.0.0.1/conformance-doctor'

/** Requests an email, and signs in with the provider. Does nothing in a read-only run. */
export async function tryServices(session: Wire & CleanUp & RunSettings): Promise<ServiceFact[]> {
  const { hooks = {} } = session.target
  const offered = [hooks.mailbox && 'emails', hooks.provider && 'the identity provider'].filter(Boolean)
  if (offered.length === 0) return []
  if (session.options.readOnly === true)
    return [{ text: `not tested because of --read-only: ${offered.join(' and ')}`, sound: true }]
  const mark = session.cleanup.mark()
  try {
    return [
      ...(hooks.mailbox === undefined ? [] : [await tryMail(session)]),
      ...(hooks.provider === undefined ? [] : [await tryProvider(session)]),
    ]
  } finally {
    await session.recorder.silently(() => session.cleanup.cleanTo(mark))
  }
}

/** Requests a verification email, and waits for it. */
async function tryMail(session: Wire & RunSettings): Promise<ServiceFact> {
  const table = authTable(session, () => true)
  if (table === undefined) return { text: 'mail: not tested, no auth table is known', sound: false }
  const email = madeUpAddress(session, `doctor-${idCharacters(8, session.options.seed, 'mail')}`)
  const as = session.api(session.actors.knows('superuser') ? 'superuser' : 'guest')
  const password = `Doctor-${idCharacters(12, session.options.seed, 'password')}`
  const created = await as.create(table, {
    ...extraKeys('signUp', session.binding),
    email,
    ...passwordKeys(session.binding, password),
  })
  if (!created.ok) {
    const line = confirmLine(session.target, created)
    const next =
      line === undefined ? '' : `; for another name of the second password, or none: target file: ${line}`
    return {
      text: `mail: not tested, no account could be created in ${table.name} (${shownResponse(created)})${next}`,
      sound: false,
    }
  }
  const { count } = (await callHook(session.target, 'mailbox', { to: '', after: 0, wait: 0 })) as {
    count: number
  }
  const requested = await session.api('guest').requestVerification(table, { email })
  if (!requested.ok)
    return {
      text: `mail: ${table.name} rejects request-verification (status ${requested.status})`,
      sound: false,
    }
  const patience = session.target.mail?.patience ?? usualPatience
  const begin = performance.now()
  const { mails: emails } = (await callHook(session.target, 'mailbox', {
    to: email,
    after: count,
    wait: patience,
  })) as {
    mails: unknown[]
  }
  return emails.length > 0
    ? {
        text: `an email arrived ${Math.round(performance.now() - begin)} ms after the request`,
        sound: true,
      }
    : {
        text: `no email arrived within ${patience / 1_000} s: configure the server with the mail sink's host and port, or set "mail": { "patience": <ms> } in the target file`,
        sound: false,
      }
}

/** Signs in as browser and client do; the target must fetch the rest from the provider itself. */
async function tryProvider(session: Wire & RunSettings): Promise<ServiceFact> {
  // One step: where a second factor is required, a sign-in by a provider alone is rejected.
  const table = authTable(session, ({ oauth2, mfa }) => oauth2?.enabled === true && mfa?.enabled !== true)
  if (table === undefined) return { text: 'provider: not tested, no known table offers it', sound: false }
  const { body } = await session.api('guest').authMethods(table)
  const { providers } = (body as { oauth2?: { providers?: unknown } } | undefined)?.oauth2 ?? {}
  const entry = Array.isArray(providers) ? providers.find(isObject) : undefined
  // Only a query: the application builds the address.
  if (entry?.authURL === undefined || String(entry.authURL).startsWith('?'))
    return {
      text: `provider: not tested, auth-methods of ${table.name} has none in "oauth2.providers" with an "authURL"; a run also reads other forms`,
      sound: false,
    }
  const account = { sub: idCharacters(10, session.options.seed, 'sub'), emailVerified: true, name: 'Doctor' }
  const email = madeUpAddress(session, `doctor-${idCharacters(8, session.options.seed, 'oauth2')}`)
  const { code, wrongAddress } = (await callHook(session.target, 'provider', {
    authURL: entry.authURL,
    redirectURL,
    account: { ...account, email },
  })) as Authorization
  if (wrongAddress !== undefined)
    return {
      text: `provider: ${wrongAddress.fact}: expected ${wrongAddress.expected}, received ${wrongAddress.received}; configure the server with the URLs of the provider`,
      sound: false,
    }
  const response = await session.api('guest').authWithOAuth2(table, {
    provider: entry.name,
    code,
    codeVerifier: entry.codeVerifier,
    redirectURL,
  })
  return response.ok
    ? {
        text: `the server reaches the identity provider: a sign-in with ${String(entry.name)} succeeds`,
        sound: true,
      }
    : {
        text: `a sign-in with ${String(entry.name)} is rejected (status ${response.status}): configure the server with the URLs and the client of the provider`,
        sound: false,
      }
}

interface AuthOptions {
  oauth2?: { enabled?: boolean }
  mfa?: { enabled?: boolean }
}

/** The first auth table of the target whose definition is as wanted. */
function authTable({ target }: Wire, wanted: (options: AuthOptions) => boolean): TableRef | undefined {
  for (const { role, definition } of loadTables()) {
    const table = target.tables[role]
    if (definition.type === 'auth' && table !== undefined && wanted(definition as AuthOptions)) return table
  }
  return undefined
}
