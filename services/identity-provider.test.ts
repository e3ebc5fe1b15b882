import { createHash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  type IdentityProvider,
  type Misbehaviour,
  startIdentityProvider,
} from './identity-provider.ts'

const redirectURL = 'http://app.test/callback'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const ann: Account = { sub: 'ann-1', email: 'ann@example.com', emailVerified: true, name: 'Ann' }
let idp: IdentityProvider

beforeAll(async () => {
  idp = await startIdentityProvider()
})
afterAll(() => idp.stop())

function begin(account: Account, wrong?: Misbehaviour) {
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
  test('gives the claims of the account that signed in, by user info and by id token', async () => {
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

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['another redirect', { redirect_uri: 'http://app.test/other' }],
    ['an unknown code', { code: 'nope' }],
  ])('refuses %s', async (_, change) => {
    const { code } = await begin(ann)
    expect((await redeem(code, change)).status).toBe(400)
  })

  test('refuses a code the second time, and a wrong client', async () => {
    const { code } = await begin(ann)
    expect((await redeem(code, {}, 'wrong')).status).toBe(401)
    const { code: fresh } = await begin(ann)
    expect((await redeem(fresh)).status).toBe(200)
    expect((await redeem(fresh)).status).toBe(400)
  })

  test('answers wrongly on demand', async () => {
    expect(await begin(ann, 'denied')).toMatchObject({ code: '', error: 'access_denied' })
    expect((await redeem((await begin(ann, 'token-error')).code)).status).toBe(500)
    expect((await redeem((await begin(ann, 'no-access-token')).code)).body.access_token).toBeUndefined()
    const { body } = await redeem((await begin(ann, 'bad-signature')).code)
    await expect(jwtVerify(body.id_token ?? '', createRemoteJWKSet(new URL(idp.jwksURL)))).rejects.toThrow(
      /signature/,
    )
  })
})
