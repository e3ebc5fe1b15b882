/**
 * An identity provider that exists in the test only: a test chooses who signs in next, and any code then belongs to
 * that user. No socket is opened.
 *
 * @module
 */

import { foundValue } from '../../spec/kind-name.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import type { OAuth2ProviderDefinition, TableDefinition } from '../../spec/table-definition.ts'
import type { ProviderUser, Redemption } from '../auth/oauth2/provider-user.ts'
import { alphanumeric } from '../environment/alphanumeric.ts'
import type { Environment, Json } from '../vocabulary.ts'

/** A user at the provider. */
export interface PretendUser {
  /** The provider's id of the user. */
  sub: string
  /** Address of the user, if the provider shows one. @default none */
  email?: string | undefined
  /** Whether the provider has verified the address. @default true */
  emailVerified?: boolean | undefined
  /** Name for display. @default none */
  name?: string | undefined
  /** Name to sign in with. @default none */
  username?: string | undefined
  /** Address of a picture. @default none */
  avatarURL?: string | undefined
}

/** A provider that rejects the sign-in. */
export interface PretendRejection {
  /** Rejects the code, or gives a token but no user. */
  reject: 'token' | 'user'
}

/** An authorization code. */
export interface PretendCode {
  /** What the provider adds to the redirect address as `code`. */
  readonly code: string
}

/** Identity providers that exist in the test only. */
export interface PretendProvider {
  /**
   * Sets the user who signs in next, at any provider. The next code that is redeemed is theirs; so is the returned one.
   */
  next(user: PretendUser | PretendRejection): PretendCode
  /**
   * Does what the browser and the user do on the provider's page.
   *
   * @param authURL from auth-methods, completed with the application's address
   * @returns the URL that the browser is redirected to, with `code` and `state`
   */
  visit(authURL: string, user: PretendUser | PretendRejection): URL
}

export interface PretendProviderInternals extends PretendProvider {
  /** Undefined for an unknown code: it must be redeemed at a real provider. @throws ProviderError */
  redeem(
    provider: OAuth2ProviderDefinition,
    redemption: Redemption,
    now: number,
  ): Promise<ProviderUser> | undefined
  clear(): void
}

interface Issued {
  outcome: PretendUser | PretendRejection
  /** S256 of the verifier, if a page was visited with one. */
  challenge?: string
  redirectURL?: string
}

const host = 'http://pretend.invalid'

/** Most codes that are issued and not yet redeemed; the oldest is dropped first. */
const mostIssued = 1_000

/** Which providers are pretended. */
export interface PretendOptions {
  /** Names of identity providers that exist in the test only; every auth table gets them. @default [] */
  pretend?: readonly string[] | undefined
  /** URL of the page where a user signs in, for `authURL`. @default one that does not exist: tests use `visit` */
  page?: string | undefined
}

/**
 * The definition with a pretended provider of each name, if it is the definition of an auth table. A provider that is
 * defined keeps its name and its client, and gets the pretended addresses.
 */
export function withPretended(
  { pretend = [], page = `${host}/authorize` }: PretendOptions,
  definition: TableDefinition,
): TableDefinition {
  if (definition.type !== 'auth' || pretend.length === 0) return definition
  const addresses = { authURL: page, tokenURL: `${host}/token`, userInfoURL: `${host}/user` }
  const there = definition.oauth2?.providers ?? []
  const kept = there.map((one) => (pretend.includes(one.name) ? { ...one, ...addresses, extra: {} } : one))
  const added = pretend
    .filter((name) => !there.some((one) => one.name === name))
    .map((name) => ({ name, displayName: name, clientId: 'pretend', clientSecret: 'pretend', ...addresses }))
  return { ...definition, oauth2: { ...definition.oauth2, enabled: true, providers: [...kept, ...added] } }
}

function userOf(user: PretendUser, now: number, code: string): ProviderUser {
  const { sub, email = '', emailVerified = true, name = '', username = '', avatarURL = '' } = user
  const rawUser: Record<string, Json> = {
    sub,
    email,
    email_verified: emailVerified,
    name,
    preferred_username: username,
    picture: avatarURL,
  }
  return {
    id: sub,
    name,
    username,
    email: emailVerified ? email : '',
    avatarURL,
    accessToken: `pretend-access-${code}`,
    refreshToken: '',
    expires: now + 3_600_000,
    rawUser,
  }
}

/** The class is loaded with the first sign-in, like all provider code. */
async function rejection(step: 'token' | 'user', fact: string): Promise<Error> {
  const { ProviderError } = await import('../auth/oauth2/provider-user.ts')
  return new ProviderError(step, fact)
}

async function s256(text: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(text).digest('base64url')
}

const userKeys: Record<keyof PretendUser, true> = {
  sub: true,
  email: true,
  emailVerified: true,
  name: true,
  username: true,
  avatarURL: true,
}

/** @throws TypeError for an unknown key, a user without `sub`, and a rejection of anything but the token or the user */
function checkPretendUser(user: PretendUser | PretendRejection): void {
  const given: (Partial<PretendUser> & Partial<PretendRejection>) | undefined = user
  if (given === undefined) throw new TypeError(noUser)
  rejectUnknown(given, [...Object.keys(userKeys), 'reject'], 'part of a pretended user')
  const { sub, reject } = given
  if (reject !== undefined) {
    if (reject !== 'token' && reject !== 'user')
      throw new TypeError(`A provider can reject the 'token' or the 'user', not ${foundValue(reject)}.`)
  } else if (typeof sub !== 'string' || sub === '') throw new TypeError(noUser)
}

const noUser = 'A pretended user needs a "sub", the id at the provider: pass { sub, email }, or { reject }.'

/** @param log receives a message when a sign-in arrives that no test has announced */
export function createPretendProvider(
  environment: Environment,
  log: (error: unknown) => void,
): PretendProviderInternals {
  const issued = new Map<string, Issued>()

  const issue = (entry: Issued): string => {
    const code = `pretend_${environment.random(alphanumeric, 24)}`
    issued.set(code, entry)
    const [oldest = ''] = issued.keys()
    if (issued.size > mostIssued) issued.delete(oldest)
    return code
  }

  /** The entry for a known code, or the oldest one that accepts any code. */
  const take = (code: string): Issued | undefined => {
    const [oldest] =
      [...issued].find(
        ([, { challenge, redirectURL }]) => challenge === undefined && redirectURL === undefined,
      ) ?? []
    const key = issued.has(code) ? code : oldest
    if (key === undefined) return undefined
    const entry = issued.get(key)
    issued.delete(key)
    return entry
  }

  async function outcomeOf(
    { outcome, challenge, redirectURL }: Issued,
    provider: OAuth2ProviderDefinition,
    redemption: Redemption,
    now: number,
  ): Promise<ProviderUser> {
    if ('reject' in outcome)
      throw await rejection(outcome.reject, 'The test makes the provider reject this sign-in.')
    if (challenge !== undefined && (await s256(redemption.codeVerifier)) !== challenge) {
      throw await rejection('token', `The verifier is not the one that ${provider.name} was visited with.`)
    }
    if (redirectURL !== undefined && redemption.redirectURL !== redirectURL) {
      throw await rejection(
        'token',
        `The redirect URL is not the one that ${provider.name} was visited with.`,
      )
    }
    return userOf(outcome, now, redemption.code)
  }

  return {
    next(user) {
      checkPretendUser(user)
      return { code: issue({ outcome: user }) }
    },
    visit(authURL, user) {
      checkPretendUser(user)
      if (typeof authURL !== 'string' || !URL.canParse(authURL))
        throw new TypeError(
          `oauth2.visit() takes the authURL of a provider, from auth-methods; found ${foundValue(authURL)}.`,
        )
      const query = new URL(authURL).searchParams
      const redirectURL = query.get('redirect_uri') ?? ''
      if (redirectURL === '') {
        throw new Error(
          'The address has an empty redirect_uri: append the address of the application to authURL, as its client does.',
        )
      }
      const challenge = query.get('code_challenge') ?? undefined
      if (!URL.canParse(redirectURL))
        throw new Error(
          `The redirect_uri "${redirectURL}" of the address is not a URL: append the URL of the application.`,
        )
      const back = new URL(redirectURL)
      back.searchParams.set('code', issue({ outcome: user, challenge, redirectURL }))
      back.searchParams.set('state', query.get('state') ?? '')
      return back
    },
    redeem(provider, redemption, now) {
      const entry = take(redemption.code)
      if (entry !== undefined) return outcomeOf(entry, provider, redemption, now)
      if (!provider.tokenURL?.startsWith(host)) return undefined
      log(
        new Error(
          'No user was set: call oauth2.next({ sub, email }), or visit the page of authURL, before the application signs in.',
        ),
      )
      return rejection('token', 'No user was set.').then((error) => Promise.reject(error))
    },
    clear: () => issued.clear(),
  }
}
