/**
 * A sign-in through the identity provider, step by step, as a client does it.
 *
 * @module
 */

import { BlockedError, expectSuccess, objectBody } from '../../harness/judging/expect.ts'
import type { Api, Body, Reply } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import type { ProviderAccount, TableRef } from '../../harness/vocabulary/target.ts'

const REDIRECT = 'http://app.example.com/callback'

/** One entry of `oauth2.providers` in auth-methods. */
export interface ProviderEntry {
  name: string
  authURL: string
  codeVerifier: string
  codeChallenge: string
  codeChallengeMethod: string
  state: string
  displayName: string
}

export async function providersOf(api: Api, table: TableRef): Promise<ProviderEntry[]> {
  const reply = await api.authMethods(table)
  expectSuccess(reply, 'auth-methods')
  const { providers } = (objectBody(reply).oauth2 ?? {}) as { providers?: ProviderEntry[] }
  return Array.isArray(providers) ? providers : []
}

/** A provider of the table: the first, or the one of this name. */
async function providerOf({ api }: CheckContext, table: TableRef, name?: string): Promise<ProviderEntry> {
  const found = (await providersOf(api, table)).find((each) => name === undefined || each.name === name)
  if (found === undefined)
    throw new BlockedError(`auth-methods of ${table.name} names no provider ${name ?? ''}`)
  return found
}

/** What the client holds after the browser came back. */
export interface Returned {
  provider: string
  code: string
  codeVerifier: string
  redirectURL: string
  error: string
}

/** Goes to the provider and comes back with a code. */
export async function visitProvider(
  context: CheckContext,
  account: ProviderAccount,
  options: { table?: TableRef; provider?: string; wrong?: string; redirectURL?: string } = {},
): Promise<Returned> {
  const table = options.table ?? context.table('oauth')
  const entry = await providerOf(context, table, options.provider)
  const redirectURL = options.redirectURL ?? REDIRECT
  const { code, error } = await context.provider.authorize({
    authURL: entry.authURL,
    redirectURL,
    account,
    ...(options.wrong === undefined ? {} : { wrong: options.wrong }),
  })
  return { provider: entry.name, code, codeVerifier: entry.codeVerifier, redirectURL, error }
}

/** The body of auth-with-oauth2. */
export function oauthBody(returned: Partial<Returned>, createData?: Body): Body {
  const body: Body = {}
  for (const key of ['provider', 'code', 'codeVerifier', 'redirectURL'] as const) {
    const value = returned[key]
    if (value !== undefined) body[key] = value
  }
  if (createData !== undefined) body.createData = createData
  return body
}

/** The whole way: provider, then auth-with-oauth2. */
export async function byProvider(
  context: CheckContext,
  account: ProviderAccount,
  options: {
    table?: TableRef
    api?: Api
    provider?: string
    wrong?: string
    createData?: Body
    extra?: Body
  } = {},
): Promise<Reply> {
  const table = options.table ?? context.table('oauth')
  const returned = await visitProvider(context, account, { ...options, table })
  const reply = await (options.api ?? context.api).authWithOAuth2(table, {
    ...oauthBody(returned, options.createData),
    ...options.extra,
  })
  return reply
}

/** Somebody at the provider whom nobody knows yet, with a verified address. */
export function newPerson(
  { unique }: CheckContext,
  fields: ProviderAccount = {},
): ProviderAccount & { email: string } {
  const name = unique('p').toLowerCase()
  return {
    sub: name,
    email: `${name}@example.com`,
    emailVerified: true,
    name: `Person ${name}`,
    ...fields,
  } as ProviderAccount & { email: string }
}

/** `record` and `meta` of an answer. */
export function partsOf(reply: Reply): {
  token: string
  record: Record<string, unknown> & { id: string }
  meta: Record<string, unknown>
} {
  expectSuccess(reply, 'a sign-in through the provider')
  const { token, record, meta } = objectBody(reply) as never
  return { token, record, meta: meta ?? {} }
}
