/**
 * A sign-in through the identity provider, step by step, as a client does it.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { isObject } from '../../../exchange/json-object.ts'
import {
  expectSuccess,
  expectThat,
  isRejected,
  objectBody,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { Api, ApiResponse, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ProviderAccount, TableRef } from '../../../harness/vocabulary/target.ts'
import { madeUpAddress } from '../../../harness/wire/made-up-address.ts'
import { mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { inWords } from '../../../spec/in-words.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { newAccount } from './accounts.ts'
import { factorHindrance } from './password-suffices.ts'
import { recordIn } from './session-in.ts'

/** Where the provider leads the browser back to. */
export const REDIRECT = 'http://app.example.com/callback'

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

/** @throws ExpectationError when one of them is not an object; its members may be of any type */
export async function providersOf(api: Api, table: TableRef): Promise<ProviderEntry[]> {
  const response = await api.authMethods(table)
  expectSuccess(response, 'auth-methods')
  const { oauth2 } = objectBody(response)
  const providers = isObject(oauth2) ? oauth2.providers : undefined
  if (!Array.isArray(providers)) return []
  for (const each of providers)
    expectThat(isObject(each), 'a provider in auth-methods is not an object', 'an object', each)
  return providers as ProviderEntry[]
}

/** What a client needs to go to a provider. */
type Way = Pick<ProviderEntry, 'name' | 'authURL' | 'codeVerifier'>

/**
 * A provider of the table: the first, the one that the target file names, or the one of this name. Where auth-methods
 * gives no address, it is the suite's own.
 */
async function providerOf(context: CheckContext, table: TableRef, name?: string): Promise<Way> {
  const response = await context.api.authMethods(table)
  expectSuccess(response, 'auth-methods')
  const ways = waysIn(response.body)
  const wanted = name ?? context.provider.name
  const found = ways.find((each) => wanted === undefined || each.name === wanted)
  if (found !== undefined) return found
  if (name === undefined) return withChallenge(await acceptedName(context), unaddressed)
  if (ways.length === 0 && namesIn(response.body).includes(name)) return withChallenge(name, unaddressed)
  throw new UntestableError(
    `auth-methods of ${table.name} names no provider ${name} in a form that the suite knows`,
    "list the suite's provider in auth-methods, with or without its authorization URL",
  )
}

/** Maximum number of names that are tried. */
const mostNames = 4

/**
 * The name by which the server accepts the suite's provider, where auth-methods gives no address of it. The server may have
 * other providers only: that is left open, and so none of them is judged.
 *
 * @throws UntestableError if it accepts the provider by none of the names that it may have
 */
async function acceptedName(context: CheckContext): Promise<string> {
  const table = context.table('oauth')
  const { name, tried, last } = await context.once('oauth2: the name of the provider', async () => {
    const tried = await namesToTry(context, table)
    let last: ApiResponse | undefined
    for (const name of tried) {
      const asNew = await signInAs(context, table, name, newProviderPerson(context))
      if (isAccepted(asNew)) return { name, tried, last }
      last = asNew
      // Whether the table creates a record for new people is left open.
      const known = await unlessPrevented(async () =>
        signInAs(context, table, name, await registeredPerson(context)),
      )
      if (known !== undefined && isAccepted(known)) return { name, tried, last }
    }
    return { name: undefined, tried, last }
  })
  if (name !== undefined) return name
  const how = last === undefined ? '' : ` (${responseSummary(last, 100)})`
  const names = inWords(tried.map((each) => JSON.stringify(each)))
  throw new UntestableError(
    `auth-methods of ${table.name} gives no address of a provider, and the server rejects a sign-in through the suite's under the name ${names}${how}`,
    'configure the suite\'s provider for that table, and name it in the target file: "services": { "oidc": { "name": "..." } }',
  )
}

async function namesToTry(context: CheckContext, table: TableRef): Promise<string[]> {
  if (context.provider.name !== undefined) return [context.provider.name]
  const { body } = await context.api.authMethods(table)
  const reported = namesIn(body)
  return [...new Set([...reported.slice(0, mostNames - 1), usualName])]
}

async function signInAs(context: CheckContext, table: TableRef, name: string, account: ProviderAccount) {
  const returned = await visit(context, withChallenge(name, unaddressed), account, {})
  return context.api.authWithOAuth2(table, oauthBody(returned))
}

/** Whether a provider signs in, or is the first of two factors. */
function isAccepted(response: ApiResponse): boolean {
  return (response.ok && !isRejected(response)) || mfaIdIn(response) !== undefined
}

/** Where auth-methods gives names alone, the application knows the rest: the provider fills in its own client. */
const unaddressed = '?response_type=code&scope=openid%20email%20profile&state=conformance'

/** What the documentation calls the suite's provider. */
const usualName = 'oidc'

/** The key under which an entry names its provider: a name comes before an id. */
const nameKey = (entry: object) => ['name', 'provider', 'slug', 'key', 'id'].find((key) => key in entry)

/** Providers that are given by their names, below a key that is about OAuth 2.0. */
function namesIn(body: unknown, below = false): string[] {
  if (typeof body === 'string') return below ? [body] : []
  if (Array.isArray(body)) return body.flatMap((each) => namesIn(each, below))
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([key, value]) => {
    if (below && key === nameKey(body)) return namesIn(value, true)
    const within = /oauth|provider|social|oidc/i.test(key)
    if (below && value === true && !/enabled|active|available|pkce|^on$/i.test(key)) return [key]
    return typeof value === 'string' ? [] : namesIn(value, within)
  })
}

/** The providers that a response of auth-methods names. */
export function providerNames(body: unknown): string[] {
  return [...new Set([...waysIn(body).map(({ name }) => name), ...namesIn(body)])]
}

/** Whether a response of auth-methods names a provider. */
export function namesProvider(body: unknown): boolean {
  return providerNames(body).length > 0
}

/** Entries with an address at a provider, wherever they are and whatever their keys are called: that is left open. */
function waysIn(body: unknown): Way[] {
  if (Array.isArray(body)) return body.flatMap(waysIn)
  if (!isObject(body)) return []
  const strings = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const stringAt = (key: RegExp) => strings.find(([name]) => key.test(name))?.[1]
  const authURL = strings.find(([, value]) => /^https?:\/\/.*[?&]client_id=/.test(value))?.[1]
  const name = stringAt(/^(name|provider|id|key|slug)$/i)
  if (authURL === undefined || name === undefined) return Object.values(body).flatMap(waysIn)
  const codeVerifier = stringAt(/verifier/i)
  return [codeVerifier === undefined ? withChallenge(name, authURL) : { name, authURL, codeVerifier }]
}

/** Where the target gives no verifier, the client makes one. */
function withChallenge(name: string, authURL: string): Way {
  const codeVerifier = 'c'.repeat(43)
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const [address = '', query] = authURL.split('?')
  const asked = new URLSearchParams(query)
  asked.set('code_challenge', challenge)
  asked.set('code_challenge_method', 'S256')
  return { name, authURL: `${address}?${asked}`, codeVerifier }
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
  options: {
    table?: TableRef
    provider?: string
    /** Whether auth-methods lists no provider: it is called by its usual name then. */
    unlisted?: boolean
    wrong?: string
    redirectURL?: string
  } = {},
): Promise<Returned> {
  const table = options.table ?? context.table('oauth')
  const entry =
    options.unlisted === true
      ? withChallenge(context.provider.name ?? usualName, unaddressed)
      : await providerOf(context, table, options.provider)
  return visit(context, entry, account, options)
}

async function visit(
  { provider }: CheckContext,
  { name, authURL, codeVerifier }: Way,
  account: ProviderAccount,
  { redirectURL = REDIRECT, wrong }: { redirectURL?: string; wrong?: string },
): Promise<Returned> {
  const { code, error } = await provider.authorize({ authURL, redirectURL, account, wrong })
  return { provider: name, code, codeVerifier, redirectURL, error }
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
    unlisted?: boolean
    wrong?: string
    createData?: Body
    extra?: Body
  } = {},
): Promise<ApiResponse> {
  const table = options.table ?? context.table('oauth')
  const returned = await visitProvider(context, account, { ...options, table })
  const response = await (options.api ?? context.api).authWithOAuth2(table, {
    ...oauthBody(returned, options.createData),
    ...options.extra,
  })
  return response
}

/** A new person at the provider, with a verified address, without a record on the server. */
export function newProviderPerson(
  context: CheckContext,
  fields: ProviderAccount = {},
): ProviderAccount & { email: string } {
  const name = context.unique('p').toLowerCase()
  return {
    sub: name,
    email: madeUpAddress(context, name),
    emailVerified: true,
    name: `Person ${name}`,
    ...fields,
  } as ProviderAccount & { email: string }
}

/**
 * A person at the provider whom the table accepts, and who has not signed in to it yet. Whether the table creates a
 * record for new people is left open. If it does not, there is already one with the person's address.
 *
 * @throws UntestableError if the table needs a second factor
 */
export async function admittedPerson(context: CheckContext): Promise<ProviderAccount & { email: string }> {
  const { admitsNew, hindrance } = await context.once('oauth2: new people', () => admission(context))
  if (hindrance !== undefined) throw hindrance
  return admitsNew ? newProviderPerson(context) : registeredPerson(context)
}

/** How the table treats a person whom it does not know, and one whom it does. */
async function admission(context: CheckContext) {
  const table = context.table('oauth')
  const response = await byProvider(context, newProviderPerson(context))
  const hindrance = await factorHindrance(context, table, response)
  if (!isRejection(response) || hindrance !== undefined) return { admitsNew: true, hindrance }
  const known = await unlessPrevented(async () => byProvider(context, await registeredPerson(context)))
  return { admitsNew: false, hindrance: known && (await factorHindrance(context, table, known)) }
}

/** A person whose address an account has. Some servers let a provider in for verified addresses alone. */
export async function registeredPerson(
  context: CheckContext,
  role = 'oauth',
): Promise<ProviderAccount & { email: string }> {
  const person = newProviderPerson(context)
  const verified = context.knows('superuser') ? { verified: true } : {}
  await newAccount(context, role, { email: person.email, ...verified })
  return person
}

/** Whether a status is a decision of the server, and no failure of it or of the moment. */
function isRejection(response: ApiResponse): boolean {
  return isRejected(response) && response.status !== 429
}

/** `record` and `meta` of a sign-in by a provider. Without `meta`, it is empty. */
export function partsOf(response: ApiResponse): { record: WireRecord; meta: Body } {
  const record = recordIn(response, 'a sign-in through the provider')
  const { meta } = objectBody(response)
  return { record, meta: isObject(meta) ? meta : {} }
}
