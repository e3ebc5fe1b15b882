/** What is believed of an id token: only what the provider signed, for this client, with a key that it publishes. */

import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchProviderUser, type ProviderUser } from './provider-user.ts'

const clientId = 'the-client'
const now = () => Math.floor(Date.now() / 1000)

let server: Server
let base: string
let idToken: unknown
let own: { publicKey: CryptoKey; privateKey: CryptoKey }
let foreign: CryptoKey

beforeAll(async () => {
  own = await generateKeyPair('RS256', { extractable: true })
  foreign = (await generateKeyPair('RS256')).privateKey
  const published = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  server = createServer((request, response) => {
    const responses: Record<string, unknown> = {
      '/token': { access_token: 'a', token_type: 'Bearer', id_token: idToken },
      '/jwks': { keys: [published] },
      '/.well-known/openid-configuration': { issuer: base, jwks_uri: `${base}/jwks` },
    }
    request.resume()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(responses[request.url ?? '']))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const claims = (more: JWTPayload = {}): JWTPayload => ({
  sub: 'ann',
  email: 'ann@example.com',
  email_verified: true,
  aud: clientId,
  iss: base,
  exp: now() + 60,
  ...more,
})

const signed = (payload: JWTPayload, key: CryptoKey = own.privateKey, kid = 'k1') =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key)

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token that claims another algorithm than the provider's. */
async function forged(alg: 'none' | 'HS256'): Promise<string> {
  const text = `${part({ alg, kid: 'k1', typ: 'JWT' })}.${part(claims())}`
  if (alg === 'none') return `${text}.`
  const secret = await exportSPKI(own.publicKey)
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Comes back from the provider with this id token. `extra` is the configuration of the provider. */
function redeem(
  token: unknown,
  extra: object = { jwksURL: `${base}/jwks`, issuers: [base] },
): Promise<ProviderUser> {
  idToken = token
  const provider = {
    name: 'oidc',
    clientId,
    clientSecret: 's',
    tokenURL: `${base}/token`,
    userInfoURL: '',
    extra,
  }
  return fetchProviderUser(provider, { code: 'c', codeVerifier: '', redirectURL: '' }, Date.now())
}

describe('an id token', () => {
  test('is believed when the provider signed it for this client', async () => {
    expect(await redeem(await signed(claims()))).toMatchObject({ id: 'ann', email: 'ann@example.com' })
    expect((await redeem(await signed(claims({ aud: ['another', clientId] })))).id).toBe('ann')
    expect((await redeem(await signed(claims({ exp: now() - 200 })))).id).toBe('ann')
  })

  test.each<[string, () => Promise<unknown>]>([
    ['without a signature', () => forged('none')],
    ['with the public key as secret', () => forged('HS256')],
    ['signed by somebody else', () => signed(claims(), foreign)],
    ['with an unknown key id', () => signed(claims(), own.privateKey, 'k2')],
    ['for another client', () => signed(claims({ aud: 'another' }))],
    ['for nobody', () => signed(claims({ aud: undefined }))],
    ['by another issuer', () => signed(claims({ iss: 'https://evil.example' }))],
    ['by no issuer', () => signed(claims({ iss: undefined }))],
    ['that is over', () => signed(claims({ exp: now() - 400 }))],
    ['that never ends', () => signed(claims({ exp: undefined }))],
    ['of tomorrow', () => signed(claims({ nbf: now() + 86_400 }))],
    ['with a number as subject', () => signed({ ...claims(), sub: 7 as never })],
    ['that is no text', async () => 7],
    ['that is no token', async () => 'x.y.z'],
    ['that is missing', async () => undefined],
  ])('is rejected %s', async (_, make) => {
    const token = await make()
    await expect(redeem(token)).rejects.toMatchObject({ name: 'ProviderError', step: 'user' })
  })

  test('is checked with the keys of its issuer if none are configured, unless the issuer is a stranger', async () => {
    expect((await redeem(await signed(claims()), {})).id).toBe('ann')
    const stranger = await signed(claims({ iss: 'http://127.0.0.1:9' }))
    await expect(redeem(stranger, {})).rejects.toThrow(/issuer is none of/)
    await expect(redeem(await signed(claims(), foreign), {})).rejects.toMatchObject({ step: 'user' })
  })
})
