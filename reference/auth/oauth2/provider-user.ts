/**
 * Talks to an OpenID Connect provider for one sign-in: redeems the code and reads the user (contract-auth 6.8). The
 * living family accepts an id token unchecked; here its signature is verified (`oauth2.fields` in docs/profile.md).
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import type { OAuth2ProviderDefinition } from '../../../spec/table-definition.ts'
import { parseJson } from '../../http/strict-json.ts'
import type { Json } from '../../vocabulary.ts'
import { usesPkce } from './known-providers.ts'

const ROUND_TRIP_MS = 30_000

/** The latest time that a `Date` can represent. */
const latestDate = 8.64e15

/** The user who signed in at the provider, with the tokens. */
export interface ProviderUser {
  id: string
  name: string
  username: string
  /** Empty unless the provider reports the address as verified. */
  email: string
  avatarURL: string
  accessToken: string
  refreshToken: string
  /** Milliseconds since the epoch; undefined if the provider gave no lifetime, or one that is too long for a date. */
  expires: number | undefined
  rawUser: Record<string, Json>
}

/** The provider returned an error, failed or sent an invalid response. `step` selects the message for the client. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly step: 'token' | 'user'

  constructor(step: 'token' | 'user', fact: string) {
    super(fact)
    this.step = step
  }
}

export interface Redemption {
  code: string
  codeVerifier: string
  redirectURL: string
}

interface TokenResponse {
  access_token: string
  refresh_token?: string
  expires_in?: number
  id_token?: string
}

type Fetch = typeof globalThis.fetch

/**
 * Redeems `code` and requests its user.
 *
 * @param now milliseconds since the epoch: when the access token's lifetime begins
 * @throws ProviderError for any failure on the way
 */
export async function fetchProviderUser(
  provider: OAuth2ProviderDefinition,
  redemption: Redemption,
  now: number,
  fetch: Fetch = globalThis.fetch,
): Promise<ProviderUser> {
  const tokens = await redeem(provider, redemption, fetch)
  const claims = provider.userInfoURL
    ? await userInfo(provider.userInfoURL, tokens.access_token, fetch)
    : await idTokenClaims(provider, tokens.id_token, fetch)
  if (claims.sub !== undefined && typeof claims.sub !== 'string') {
    throw new ProviderError('user', 'The subject is not a string.')
  }
  const text = (claim: string) => (typeof claims[claim] === 'string' ? (claims[claim] as string) : '')
  const expires = now + (tokens.expires_in ?? 0) * 1000
  return {
    id: text('sub'),
    name: text('name'),
    username: text('preferred_username'),
    email: isTrue(claims.email_verified) ? text('email') : '',
    avatarURL: text('picture'),
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? '',
    // A lifetime can be too long for a date.
    expires: tokens.expires_in === undefined || expires > latestDate ? undefined : expires,
    rawUser: claims,
  }
}

function isTrue(claim: Json | undefined): boolean {
  return claim === true || claim === 1 || claim === '1' || claim === 'true' || claim === 'TRUE'
}

/**
 * Sends the client's credentials with HTTP Basic first and, if that is rejected, again in the body: providers
 * differ.
 */
async function redeem(
  provider: OAuth2ProviderDefinition,
  redemption: Redemption,
  fetch: Fetch,
): Promise<TokenResponse> {
  const form = new URLSearchParams({ code: redemption.code, grant_type: 'authorization_code' })
  if (usesPkce(provider)) form.set('code_verifier', redemption.codeVerifier)
  if (redemption.redirectURL) form.set('redirect_uri', redemption.redirectURL)
  const [id, secret] = [provider.clientId, provider.clientSecret ?? '']
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')
  const inBody = new URLSearchParams([...form, ['client_id', id], ['client_secret', secret]])
  const response =
    (await tokenRequest(provider, form, { authorization: `Basic ${basic}` }, fetch)) ??
    (await tokenRequest(provider, inBody, {}, fetch))
  if (!response) throw new ProviderError('token', `${provider.name} returned no access token for the code.`)
  return response
}

async function tokenRequest(
  provider: OAuth2ProviderDefinition,
  body: URLSearchParams,
  headers: Record<string, string>,
  fetch: Fetch,
): Promise<TokenResponse | undefined> {
  const signal = AbortSignal.timeout(ROUND_TRIP_MS)
  const response = await fetch(provider.tokenURL ?? '', { method: 'POST', body, headers, signal }).catch(
    () => undefined,
  )
  // The connection may end in the middle of the body.
  if (!response?.ok) {
    await response?.body?.cancel().catch(() => {})
    return undefined
  }
  const text = await response.text().catch(() => '')
  const result = (parseObject(text) ?? Object.fromEntries(new URLSearchParams(text))) as Record<string, Json>
  if (typeof result.access_token !== 'string' || result.access_token === '') return undefined
  const seconds = Number(result.expires_in)
  return {
    access_token: result.access_token,
    refresh_token: typeof result.refresh_token === 'string' ? result.refresh_token : undefined,
    expires_in: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    id_token: typeof result.id_token === 'string' ? result.id_token : undefined,
  }
}

async function userInfo(url: string, accessToken: string, fetch: Fetch): Promise<Record<string, Json>> {
  const signal = AbortSignal.timeout(ROUND_TRIP_MS)
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(url, { headers, signal }).catch(() => undefined)
  if (!response || response.status >= 400)
    throw new ProviderError('user', 'The user info endpoint returned an error or no response.')
  const claims = parseObject(await response.text().catch(() => ''))
  if (!claims) throw new ProviderError('user', 'The user info is not a JSON object.')
  return claims
}

/** Uses the system's time: the provider does not know the clock that a test controls. */
async function idTokenClaims(
  provider: OAuth2ProviderDefinition,
  idToken: string | undefined,
  fetch: Fetch,
): Promise<Record<string, Json>> {
  if (!idToken)
    throw new ProviderError(
      'user',
      'The token response has no id token, and no user info endpoint is configured.',
    )
  // Loaded on demand: few users of the reference sign in at a provider.
  const [{ createRemoteJWKSet }, { JOSEError }, { jwtVerify }] = await Promise.all([
    import('jose/jwks/remote'),
    import('jose/errors'),
    import('jose/jwt/verify'),
  ])
  const issuers = provider.extra?.issuers ?? []
  try {
    const keys = createRemoteJWKSet(new URL(await keysURL(provider, idToken, fetch)), {
      timeoutDuration: ROUND_TRIP_MS,
    })
    const { payload } = await jwtVerify(idToken, keys, {
      audience: provider.clientId,
      ...(issuers.length > 0 && { issuer: issuers }),
      clockTolerance: 300,
      requiredClaims: ['exp'],
    })
    return payload as Record<string, Json>
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const cause = error instanceof JOSEError ? error.code : 'not a token'
    throw new ProviderError('user', `The id token was not accepted: ${cause}.`)
  }
}

/** The configured key set, or the one that the issuer's discovery document names. An issuer is always verified. */
async function keysURL(provider: OAuth2ProviderDefinition, idToken: string, fetch: Fetch): Promise<string> {
  if (provider.extra?.jwksURL) return provider.extra.jwksURL
  const { decodeJwt } = await import('jose/jwt/decode')
  const claimed = decodeJwt(idToken).iss ?? ''
  const known = [...(provider.extra?.issuers ?? []), new URL(provider.tokenURL ?? '').origin]
  if (!known.includes(claimed.replace(/\/$/, '')) && !known.includes(claimed)) {
    throw new ProviderError(
      'user',
      `The id token's issuer is none of ${known.join(', ')}: configure extra.jwksURL or extra.issuers.`,
    )
  }
  const address = `${claimed.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(ROUND_TRIP_MS) })
  const document = parseObject(await response.text())
  if (typeof document?.jwks_uri !== 'string') throw new ProviderError('user', `${address} names no key set.`)
  return document.jwks_uri
}

function parseObject(text: string): Record<string, Json> | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}
