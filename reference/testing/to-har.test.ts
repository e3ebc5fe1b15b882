import { expect, test } from 'vitest'
import { faultsOfHar } from '../../test/validate/har-structure.ts'
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

test('an archive has the parts of HAR 1.2, with the sizes of the bodies and the fault that was set', async () => {
  const reference = createReference({ tables: [{ name: 'members', type: 'auth' }] })
  reference.fault({ match: 'authWithPassword', delay: 1 })
  const [sent, mark] = [JSON.stringify({ identity: 'ann', password: '' }), { name: 'x-mark', value: 'a' }]
  await archived(`${signIn}?page=7`, JSON.parse(sent), { 'x-mark': 'a' }, reference)
  const har = await reference.requests.har()
  expect(faultsOfHar(har)).toEqual([])
  const mimeType = 'application/json'
  const { request, response } = har.log.entries[0] ?? {}
  expect(request).toMatchObject({
    method: 'POST',
    url: `${base}${signIn}?page=7`,
    headers: expect.arrayContaining([mark]),
    queryString: [{ name: 'page', value: '7' }],
    bodySize: sent.length,
    postData: { mimeType, text: sent },
  })
  const { bodySize, content, ...rest } = response ?? {}
  expect(rest).toMatchObject({ status: 400, comment: expect.stringContaining('delay') })
  expect(content).toMatchObject({
    size: bodySize,
    mimeType,
    text: expect.stringContaining('validation_required'),
  })
  expect(content?.text).toHaveLength(Number(bodySize) - '\n'.length)
})
