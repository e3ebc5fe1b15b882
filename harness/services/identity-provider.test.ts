import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderAccount } from '../vocabulary/target.ts'
import { type IdentityProvider, type Misbehavior, startIdentityProvider } from './identity-provider.ts'

const redirectURL = 'http://app.test/callback'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const ann: ProviderAccount = { sub: 'ann-1', email: 'ann@example.com', emailVerified: true, name: 'Ann' }
let idp: IdentityProvider

beforeAll(async () => {
  idp = await startIdentityProvider()
})
afterAll(() => idp.stop())

function begin(account: ProviderAccount, wrong?: Misbehavior) {
  const query = `client_id=${idp.clientId}&response_type=code&scope=openid&state=s1&code_challenge=${challenge}&code_challenge_method=S256`
  return idp.authorize(`${idp.authURL}?${query}&redirect_uri=`, redirectURL, account, wrong)
}

async function redeem(
  code: string,
  change: Record<string, string | undefined> = {},
  secret = idp.clientSecret,
) {
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectURL,
    ...change,
  }
  const response = await fetch(idp.tokenURL, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${idp.clientId}:${secret}`).toString('base64')}` },
    body: new URLSearchParams(
      Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  })
  return {
    status: response.status,
    body: (await response.json().catch(() => ({}))) as Record<string, string>,
  }
}

describe('identity provider', () => {
  test('returns the claims of the account that signed in, by user info and by id token', async () => {
    const { code, state } = await begin(ann)
    expect(state).toBe('s1')
    const { status, body } = await redeem(code)
    expect(status).toBe(200)
    const info = await fetch(idp.userInfoURL, { headers: { authorization: `Bearer ${body.access_token}` } })
    expect(await info.json()).toEqual({
      sub: 'ann-1',
      email: 'ann@example.com',
      email_verified: true,
      name: 'Ann',
    })
    const { payload } = await jwtVerify(body.id_token ?? '', createRemoteJWKSet(new URL(idp.jwksURL)), {
      audience: idp.clientId,
      issuer: idp.issuer,
    })
    expect(payload).toMatchObject({ sub: 'ann-1', email: 'ann@example.com' })
  })

  test('rejects a client whose secret is not percent-encoded as it must be', async () => {
    const { code } = await begin(ann)
    expect(await redeem(code, {}, '%zz')).toEqual({ status: 401, body: { error: 'invalid_client' } })
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['another redirect', { redirect_uri: 'http://app.test/other' }],
    ['an unknown code', { code: 'nope' }],
  ])('rejects %s', async (_, change) => {
    const { code } = await begin(ann)
    expect((await redeem(code, change)).status).toBe(400)
  })

  test('rejects a code the second time, and a wrong client', async () => {
    const { code } = await begin(ann)
    expect((await redeem(code, {}, 'wrong')).status).toBe(401)
    const { code: fresh } = await begin(ann)
    expect((await redeem(fresh)).status).toBe(200)
    expect((await redeem(fresh)).status).toBe(400)
  })

  test('misbehaves on demand', async () => {
    expect(await begin(ann, 'denied')).toMatchObject({ code: '', error: 'access_denied' })
    expect((await redeem((await begin(ann, 'token-error')).code)).status).toBe(500)
    expect((await redeem((await begin(ann, 'no-access-token')).code)).body.access_token).toBeUndefined()
    const { body } = await redeem((await begin(ann, 'bad-signature')).code)
    await expect(jwtVerify(body.id_token ?? '', createRemoteJWKSet(new URL(idp.jwksURL)))).rejects.toThrow(
      /signature/,
    )
  })
})

describe('an authorization URL from the server under test', () => {
  /** Counts the requests that reach another server. */
  async function foreign() {
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.writeHead(302, { location: 'http://app.test/callback?code=foreign' }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    return { port, requests: () => requests, close }
  }

  test.each<[string, (own: URL, other: number) => unknown]>([
    ['of another port', (own, other) => own.href.replace(own.port, String(other))],
    ['of another host', (own, other) => own.href.replace(own.host, `foreign.localhost:${other}`)],
    ['of another scheme', (own) => own.href.replace('http', 'https')],
    ['of another path', (own) => own.href.replace('/authorize', '/token')],
    ['below the path', (own) => own.href.replace('/authorize', '/authorize/x')],
    ['with credentials', (own) => own.href.replace('://', '://user:password@')],
    ['that begins alike', (own, other) => `${own.origin}@127.0.0.1:${other}/authorize`],
    ['without a scheme', (own) => `//${own.host}/authorize`],
    ['that is a path', () => '/authorize?redirect_uri='],
    ['that is a file', () => 'file:///etc/passwd'],
    ['that is empty', () => ''],
    ['that is no string', () => 7],
    ['that is missing', () => undefined],
  ])('%s is reported, and nothing is requested', async (_, make) => {
    const other = await foreign()
    try {
      const given = make(new URL(`${idp.authURL}?redirect_uri=`), other.port)
      expect(await idp.authorize(given, redirectURL, ann)).toEqual({
        code: '',
        state: '',
        error: '',
        wrongAddress: {
          fact: expect.stringMatching(/not that of the identity provider/),
          expected: `${idp.authURL} with a query`,
          received: typeof given === 'string' ? given : (JSON.stringify(given) ?? 'nothing'),
        },
      })
      expect(other.requests()).toBe(0)
    } finally {
      other.close()
    }
  })

  test('may use the host name of this machine', async () => {
    const { code } = await idp.authorize(
      `${idp.authURL.replace('127.0.0.1', 'localhost')}?client_id=${idp.clientId}&response_type=code&scope=openid&redirect_uri=`,
      redirectURL,
      ann,
    )
    expect(code).not.toBe('')
  })

  test.each([
    ['code_challenge=x&code_challenge_method=S1024', 400],
    ['state=one&state=two', 400],
  ])('with an invalid query is reported with the error of the provider: %s', async (query, status) => {
    const address = `${idp.authURL}?response_type=code&scope=openid&${query}`
    const { wrongAddress } = await idp.authorize(address, redirectURL, ann)
    expect(wrongAddress).toMatchObject({
      fact: `the identity provider rejects the authorization URL with ${status}`,
      received: address,
    })
  })
})
