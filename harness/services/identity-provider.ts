/**
 * An OpenID Connect provider on loopback: authorization code with PKCE, user info, signed id tokens. It behaves like a
 * real one, and misbehaves on demand. `authorize` plays the browser's part of a sign-in.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MutableRedirectUri, MutableResponse, MutableToken } from 'oauth2-mock-server'
import { directFetch } from '../../exchange/direct-fetch.ts'
import { percentDecoded } from '../../exchange/percent-decoded.ts'
import type { ProviderAccount } from '../vocabulary/target.ts'

/** Misbehavior of the provider, for one sign-in. */
export type Misbehavior =
  /** The user declines: the redirect has `error=access_denied` and no code. */
  | 'denied'
  /** The token endpoint returns 500. */
  | 'token-error'
  /** The token endpoint returns 200 without an access token. */
  | 'no-access-token'
  /** The user info endpoint returns 500. */
  | 'userinfo-error'
  /** The id token's signature was not made by the published key. */
  | 'bad-signature'
  /** The id token is meant for another client. */
  | 'other-audience'
  /** The id token has expired. */
  | 'expired-id-token'
  /** The token response has no id token. */
  | 'no-id-token'

export interface Authorization {
  code: string
  state: string
  error: string
  /** Why the browser was not sent there, or did not return: the server under test sent a wrong address. */
  wrongAddress?: WrongAddress
}

/** What is wrong with an authorization URL. */
export interface WrongAddress {
  fact: string
  expected: string
  received: string
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  authURL: string
  tokenURL: string
  userInfoURL: string
  jwksURL: string
  /**
   * Acts as a browser: signs in at the provider as `account`, and returns the code. Requests only the provider's own
   * `authURL`: any other address from the server under test is reported and not requested.
   *
   * @param authURL as auth-methods returns it, ready for the redirect URL to be appended; or only a query, for an
   *   application that knows address and client of the provider
   */
  authorize(
    authURL: unknown,
    redirectURL: string,
    account: ProviderAccount,
    wrong?: Misbehavior,
  ): Promise<Authorization>
  stop(): Promise<void>
}

interface Grant {
  account: ProviderAccount
  wrong?: Misbehavior
  /** S256 challenge of the authorization request; absent if it had none. */
  challenge?: string
  redirectURL: string
  used: boolean
}

interface TokenHttpRequest {
  headers: { authorization?: string }
  body: Record<string, string | undefined>
}

function claimsOf(account: ProviderAccount): Record<string, unknown> {
  const { sub, email, emailVerified, name, username, picture } = account
  const claims = { sub, email, email_verified: emailVerified, name, preferred_username: username, picture }
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
}

function clientOf(request: TokenHttpRequest): { id?: string; secret?: string } {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic === undefined) return { id: request.body.client_id, secret: request.body.client_secret }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return { id: percentDecoded(id), secret: percentDecoded(secret) }
}

/** Error code of RFC 6749 section 5.2 for a rejected token request; undefined if the request is valid. */
function rejection(
  request: TokenHttpRequest,
  grant: Grant | undefined,
  client: { id: string; secret: string },
): string | undefined {
  const { code_verifier: verifier, redirect_uri: redirectURL } = request.body
  const asking = clientOf(request)
  if (asking.id !== client.id || asking.secret !== client.secret) return 'invalid_client'
  if (!grant || grant.used) return 'invalid_grant'
  // Required here, since the authorization request always has one (RFC 6749, 4.1.3).
  if (redirectURL !== grant.redirectURL) return 'invalid_grant'
  if (grant.challenge === undefined) return undefined
  const hash = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url')
  return hash === grant.challenge ? undefined : 'invalid_grant'
}

/** Maximum number of remembered sign-ins; the oldest is dropped. There are never more at the same time. */
const mostGrants = 1_000

function remember(grants: Map<string, Grant>, key: string, grant: Grant): void {
  grants.set(key, grant)
  const [oldest = ''] = grants.keys()
  if (grants.size > mostGrants) grants.delete(oldest)
}

const authorizePath = '/authorize'
/** Status of all responses if the provider library cannot be loaded. The library never returns it. */
const cannotLoad = 503
const client = { id: 'conformance', secret: 'conformance-client-secret' }

/**
 * Starts a provider on a free loopback port. The library is loaded, and the key generated, at the first request: that
 * takes as long as a short run, and most short runs never need it.
 *
 * @throws the system's error if the port is not available
 */
export async function startIdentityProvider(port = 0): Promise<IdentityProvider> {
  const pending = new Map<string, Grant>()
  let visits = 0
  let responding: Promise<RequestListener> | undefined
  const server = createServer((request, response) => {
    responding ??= responses(issuer, pending)
    responding.then(
      (listener) => listener(request, response),
      (error: unknown) => {
        response.writeHead(cannotLoad, { 'content-type': 'text/plain' })
        response.end(`The identity provider cannot be loaded: ${String(error)}`)
      },
    )
  })
  // Node removes its own listeners from an upgraded connection: a reset would then end the process.
  server.on('connection', (socket) => socket.on('error', () => {}))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // By address: a host name may resolve first to another address family, where nothing listens.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    authURL: `${issuer}${authorizePath}`,
    tokenURL: `${issuer}/token`,
    userInfoURL: `${issuer}/userinfo`,
    jwksURL: `${issuer}/jwks`,
    async authorize(authURL, redirectURL, account, wrong) {
      const nowhere = { code: '', state: '', error: '' }
      const received = typeof authURL === 'string' ? authURL : (JSON.stringify(authURL) ?? 'nothing')
      const url = new URL(`${issuer}${authorizePath}`)
      const expected = `${url} with a query`
      const given = typeof authURL === 'string' ? addressIn(authURL, url) : undefined
      if (given === undefined) {
        const fact = 'the authorization URL is not that of the identity provider of this run'
        return { ...nowhere, wrongAddress: { fact, expected, received } }
      }
      url.search = given.search
      url.searchParams.set('redirect_uri', redirectURL)
      const challenge = url.searchParams.get('code_challenge') ?? undefined
      visits += 1
      const hint = `grant-${visits}`
      remember(pending, hint, { account, wrong, challenge, redirectURL, used: false })
      url.searchParams.set('login_hint', hint)
      const response = await directFetch(url, { redirect: 'manual' })
      const location = response.headers.get('location')
      if (response.status === cannotLoad) throw new Error(await response.text())
      if (location === null) {
        const fact = `the identity provider rejects the authorization URL with ${response.status}`
        return {
          ...nowhere,
          wrongAddress: {
            fact,
            expected: 'an authorization request as in RFC 6749, section 4.1.1',
            received,
          },
        }
      }
      const { searchParams } = new URL(location)
      const [code = '', state = '', error = ''] = ['code', 'state', 'error'].map(
        (name) => searchParams.get(name) ?? '',
      )
      return { code, state, error }
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Returns the address if it is the provider's, by the address that it listens on or another name of this machine. One
 * with another port, path or scheme is not.
 */
function ownAddress(text: string, own: URL): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const { hostname, port, protocol, pathname, username, password } = new URL(text)
  const here = [own.hostname, 'localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const same = port === own.port && protocol === own.protocol && pathname === own.pathname
  return here && same && username === '' && password === '' ? new URL(text) : undefined
}

/** The address that a client requests; `?...` is a query that the client made. */
function addressIn(text: string, own: URL): URL | undefined {
  if (!text.startsWith('?')) return ownAddress(text, own)
  const url = new URL(text, own)
  url.searchParams.set('client_id', client.id)
  return url
}

/** @param pending pending sign-ins of browsers, by their `login_hint` */
async function responses(issuer: string, pending: ReadonlyMap<string, Grant>): Promise<RequestListener> {
  const { OAuth2Issuer, OAuth2Service } = await import('oauth2-mock-server')
  const authority = new OAuth2Issuer()
  authority.url = issuer
  await authority.keys.generate('RS256', { kid: 'k1' })
  const service = new OAuth2Service(authority)
  const grants = new Map<string, Grant>()
  const byAccessToken = new Map<string, Grant>()

  service.on(
    'beforeAuthorizeRedirect',
    ({ url }: MutableRedirectUri, request: { query: Record<string, string> }) => {
      const grant = pending.get(request.query.login_hint ?? '')
      const code = url.searchParams.get('code')
      if (!grant || !code) return
      remember(grants, code, grant)
      if (grant.wrong !== 'denied') return
      url.searchParams.delete('code')
      url.searchParams.set('error', 'access_denied')
    },
  )

  service.on('beforeTokenSigning', (token: MutableToken, request: TokenHttpRequest) => {
    const grant = grants.get(request.body.code ?? '')
    if (!grant) return
    for (const claim of ['sub', 'amr', 'scope']) delete token.payload[claim]
    Object.assign(token.payload, claimsOf(grant.account))
    if (grant.wrong === 'other-audience') token.payload.aud = 'somebody-else'
    if (grant.wrong === 'expired-id-token') token.payload.exp = token.payload.iat - 3600
  })

  service.on('beforeResponse', (response: MutableResponse, request: TokenHttpRequest) => {
    const grant = grants.get(request.body.code ?? '')
    const rejected = rejection(request, grant, client)
    if (rejected || !grant) {
      response.statusCode = rejected === 'invalid_client' ? 401 : 400
      response.body = { error: rejected ?? 'invalid_grant' }
      return
    }
    if (grant.wrong === 'token-error') {
      response.statusCode = 500
      response.body = { error: 'server_error' }
      return
    }
    grant.used = true
    if (response.body === '') return
    remember(byAccessToken, String(response.body.access_token), grant)
    if (grant.wrong === 'no-access-token') delete response.body.access_token
    if (grant.wrong === 'no-id-token') delete response.body.id_token
    if (grant.wrong === 'bad-signature')
      response.body.id_token = withBrokenSignature(String(response.body.id_token))
  })

  service.on('beforeUserinfo', (response: MutableResponse, request: TokenHttpRequest) => {
    const grant = byAccessToken.get((request.headers.authorization ?? '').replace(/^Bearer /i, ''))
    if (!grant) {
      response.statusCode = 401
      response.body = { error: 'invalid_token' }
      return
    }
    response.statusCode = grant.wrong === 'userinfo-error' ? 500 : 200
    response.body = grant.wrong === 'userinfo-error' ? { error: 'server_error' } : claimsOf(grant.account)
  })

  return service.requestHandler
}

/** A token with valid claims and an invalid signature: the first byte is changed. */
function withBrokenSignature(token: string): string {
  const [header, payload, signature = ''] = token.split('.')
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
}
