import { expect, test } from 'vitest'
import { createReference, type Reference } from '../reference.ts'

const base = 'http://reference/api/v1'
const secret = '271828182845'

async function archived(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  reference: Reference = createReference({ tables: [{ name: 'members', type: 'auth' }] }),
): Promise<string> {
  await reference.fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return JSON.stringify(await reference.requests.har())
}

const signIn = '/collections/members/auth-with-password'

test.each<[string, unknown]>([
  ['a number', { password: Number(secret) }],
  ['a list', { password: [secret] }],
  ['an object', { password: { value: secret } }],
  ['another letter case', { PassWord: secret }],
  ['a longer name', { newPassword: secret }],
  ['a modifier', { 'password+': secret }],
  ['a token key', { tokenKey: secret }],
  ['the secret of a client', { clientSecret: Number(secret) }],
  ['a key', { apiKey: secret }],
  ['a provider’s code', { code: Number(secret), createData: { password: secret } }],
  ['an entry of a batch', { requests: [{ body: { tokenKey: secret }, headers: { Authorization: secret } }] }],
  ['the address of an entry', { requests: [{ url: `/api/v1/x?a=1&token=${secret}` }] }],
])('an archive holds no secret of a body that is under %s', async (_, body) => {
  expect(await archived(signIn, body)).not.toContain(secret)
})

test('an archive holds no secret of addresses and headers', async () => {
  const names = ['Authorization', 'Cookie', 'Proxy-Authorization', 'X-API-Key', 'X-Auth-Token']
  const headers = Object.fromEntries(names.map((name) => [name, secret]))
  const path = `${signIn}?Token=${secret}&mfaid=${secret}&tokenKey=${secret}&page=7`
  const text = await archived(path, {}, headers)
  expect(text).not.toContain(secret)
  expect(text).toContain('page=7')
})

test('an archive keeps what is not secret', async () => {
  const reference = createReference({ tables: [{ name: 'members', type: 'auth' }] })
  await reference.fetch(`${base}/collections/members/auth-methods`)
  const text = await archived(signIn, { identity: 'ann', password: '' }, {}, reference)
  for (const kept of ['identityFields', 'emailPassword\\":true', 'Cannot be blank.', 'identity\\":\\"ann'])
    expect(text).toContain(kept)
})

test('an archive shows which kind of secret was where', async () => {
  const text = await archived(
    `${signIn}?token=a`,
    { password: secret, mfaId: secret },
    { authorization: 'b' },
  )
  expect(text).toContain('"value":"$TOKEN"')
  expect(text).toContain('token=%24TOKEN')
  expect(text).toContain(String.raw`{\"password\":\"$PASSWORD\",\"mfaId\":\"$SECRET\"}`)
})
