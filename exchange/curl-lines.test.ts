import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startTestServer } from '../test/support/test-server.ts'
import { curlLines, lastWithIssuers } from './curl-lines.ts'
import type { Exchange } from './exchange.ts'
import { keepPassedSecrets, type Unredacted } from './secrets/passed-secrets.ts'

type Sent = Partial<Exchange['request']> & {
  status?: number
  response?: string
  operation?: Exchange['operation']
  /** What the exchange contained before its redaction. */
  secrets?: Unredacted
}

function exchanges(...sent: Sent[]): Exchange[] {
  return sent.map(({ status = 200, response = '', operation, secrets, ...request }, at) => {
    const exchange: Exchange = {
      number: at + 1,
      actor: 'guest',
      ms: 1,
      request: { method: 'GET', url: 'http://h/records', headers: {}, body: '', bytes: 0, ...request },
      response: { status, headers: {}, body: response, bytes: response.length },
      ...(operation && { operation }),
    }
    if (secrets !== undefined) keepPassedSecrets(exchange, secrets)
    return exchange
  })
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } }
const create = { ...POST, body: '{"title":"a"}', response: '{"id":"r123456789012","title":"a"}' }

it('takes an id from the response that first shows it', () => {
  const [first, second, third] = curlLines(
    exchanges(create, { url: 'http://h/records/r123456789012' }, { ...POST, body: '{"of":"r123456789012"}' }),
  )
  expect(first).toBe(
    `ID=$(curl -sS -X POST http://h/records -H 'content-type: application/json' --data-raw '{"title":"a"}' | tee /dev/stderr | grep -o '"id": *"[^"]*"' | head -1 | cut -d'"' -f4)`,
  )
  expect(second).toBe(`curl -sS 'http://h/records/'"$ID"`)
  expect(third).toContain(`--data-raw '{"of":"'"$ID"'"}'`)
})

it('shows the last requests with what they build on, however long ago it was created', () => {
  const parent = { ...create, response: '{"id":"parent000000000"}' }
  const child = { ...POST, body: '{"of":"parent000000000"}', response: '{"id":"child0000000000"}' }
  const between = Array.from({ length: 5 }, () => create)
  const signIn = { ...POST, secrets: { response: '{"token":"secret"}' } }
  const all = exchanges(
    parent,
    create,
    child,
    signIn,
    ...between,
    { url: 'http://h/records/child0000000000', secrets: { authorization: 'secret' } },
    { url: 'http://h/records' },
  )
  expect(lastWithIssuers(all, 3).map(({ number }) => number)).toEqual([1, 3, 4, 9, 10, 11])
  expect(lastWithIssuers(all, 2).map(({ number }) => number)).toEqual([3, 4, 10, 11])
  expect(lastWithIssuers(all, 11)).toEqual(all)
})

it('leaves a request alone whose response nothing needs', () => {
  expect(curlLines(exchanges(create, { url: 'http://h/records' }))[0]).toMatch(/^curl /)
  expect(curlLines(exchanges({ ...create, status: 400 }, { url: 'http://h/records/r123456789012' }))).toEqual(
    [expect.stringMatching(/^curl /), 'curl -sS http://h/records/r123456789012'],
  )
})

it('keeps an id that the client chose', () => {
  const [first, second] = curlLines(
    exchanges({ ...create, body: '{"id":"r123456789012"}' }, { url: 'http://h/records/r123456789012' }),
  )
  expect(first).toMatch(/^curl /)
  expect(second).toBe('curl -sS http://h/records/r123456789012')
})

it('takes a short id only for what can be nothing else', () => {
  const short = { ...create, response: '{"id":"17"}' }
  const [, view, list, update] = curlLines(
    exchanges(
      short,
      { url: 'http://h/records/17?page=17' },
      { url: 'http://h/records?page=17' },
      { ...POST, body: '{"of":"17","rank":17}' },
    ),
  )
  expect(view).toBe(`curl -sS 'http://h/records/'"$ID"'?page=17'`)
  expect(list).toBe(`curl -sS 'http://h/records?page=17'`)
  expect(update).toContain(`'{"of":"'"$ID"'","rank":17}'`)
})

/** A response that issues a token to a record. */
const signIn = (
  id: string,
  token: string,
  url = 'http://h/auth-with-password',
  secrets: Unredacted = {},
) => ({
  ...POST,
  url,
  body: `{"identity":"${id.slice(0, 3)}"}`,
  response: `{"token":"$TOKEN","record":{"id":"${id}"}}`,
  secrets: { ...secrets, response: `{"token":"${token}"}` },
})
const as = (token: string, name = '$TOKEN_USER') => ({
  headers: { authorization: name },
  secrets: { authorization: token },
})
const userOf = (line = '') => /authorization: '"(.*?)"/.exec(line)?.[1]

it('takes a short id for an impersonation as well', () => {
  const [, impersonation] = curlLines(
    exchanges({ ...create, response: '{"id":"24"}' }, { ...POST, url: 'http://h/people/impersonate/24' }),
  )
  expect(impersonation).toContain(`'http://h/people/impersonate/'"$ID"`)
})

it('sends the token that the request had, by whichever response it was issued', () => {
  const lines = curlLines(
    exchanges(
      signIn('one4567890123', 'first'),
      signIn('two4567890123', 'second'),
      { url: 'http://h/records/two4567890123', ...as('first') },
      { url: 'http://h/records', ...as('second') },
      { url: 'http://h/records', ...as('third') },
    ),
  )
  expect(lines[0]).toContain('TOKEN_USER_2=$(')
  expect(lines[1]).toContain('TOKEN_USER_3=$(')
  // The last one was issued by no line: the name is the reader's.
  expect(lines.slice(2).map(userOf)).toEqual(['$TOKEN_USER_2', '$TOKEN_USER_3', '$TOKEN_USER'])
})

it('names a refreshed token after the refresh, and continues with the first where the check did', () => {
  const url = 'http://h/records/one4567890123'
  const lines = curlLines(
    exchanges(
      signIn('one4567890123', 'first'),
      { url, ...as('first') },
      {
        ...signIn('one4567890123', 'second', 'http://h/auth-refresh', { authorization: 'first' }),
        body: '',
        headers: as('first').headers,
      },
      { url, ...as('first') },
      { url, ...as('second') },
    ),
  )
  expect(lines[2]).toMatch(/^TOKEN_REFRESHED=/)
  expect([1, 3, 4].map((at) => userOf(lines[at]))).toEqual(['$TOKEN_USER', '$TOKEN_USER', '$TOKEN_REFRESHED'])
})

it('keeps the credential of the superuser, whose request an impersonation is', () => {
  const root = as('root', '$TOKEN_SUPERUSER')
  const url = 'http://h/users/impersonate/one4567890123'
  const impersonation = {
    ...signIn('one4567890123', 'theirs', url, root.secrets),
    headers: root.headers,
  }
  const [first, second] = curlLines(exchanges(impersonation, impersonation))
  expect([first, second].map(userOf)).toEqual(['$TOKEN_SUPERUSER', '$TOKEN_SUPERUSER'])
  expect(first).toMatch(/^curl /)
  const used = curlLines(exchanges(impersonation, { url: 'http://h/records', ...as('theirs') }))
  expect(used[0]).toMatch(/^TOKEN_IMPERSONATED=/)
  expect(used.map(userOf)).toEqual(['$TOKEN_SUPERUSER', '$TOKEN_IMPERSONATED'])
  // A check may send an issued token under the name of a credential.
  const renamed = curlLines(
    exchanges(signIn('one4567890123', 'first'), { ...as('first', '$TOKEN_SUPERUSER') }),
  )
  expect(renamed[0]).toMatch(/^TOKEN_SIGNED_IN=/)
})

it('takes the id of a code from the response, and leaves the code to the reader of the email', () => {
  const requested = { ...POST, response: '{"otpId":"o_123456789"}', body: '{"email":"a@b.c"}' }
  const withCode = (code: string) => ({
    ...POST,
    operation: 'authWithOtp' as const,
    body: '{"otpId":"o_123456789","password":"$CODE"}',
    secrets: { body: `{"otpId":"o_123456789","password":"${code}"}` },
  })
  const [request, once, again, other] = curlLines(
    exchanges(requested, withCode('111111'), withCode('111111'), withCode('222222')),
  )
  expect(request).toMatch(/^OTP_ID=\$\(.*grep -o '"otpId"/)
  const sent = (name: string) =>
    `'{"otpId":"'"$OTP_ID"'","password":"'"\${${name}:?read it from the email}"'"}'`
  expect(once).toContain(sent('CODE'))
  expect(again).toBe(once)
  expect(other).toContain(sent('CODE_2'))
})

it('takes the id of a second factor from a rejection', () => {
  const [first, second] = curlLines(
    exchanges(
      { ...POST, status: 401, response: '{"mfaId":"m_123456789"}', body: '{"identity":"a"}' },
      { ...POST, body: '{"mfaId":"m_123456789"}' },
    ),
  )
  expect(first).toMatch(/^MFA_ID=/)
  expect(second).toContain(`'{"mfaId":"'"$MFA_ID"'"}'`)
})

it('leaves the proof of an email to its reader, and never the code of a provider', () => {
  const confirm = { ...POST, body: '{"token":"$PROOF"}', secrets: { body: '{"token":"abcdefgh"}' } }
  expect(curlLines(exchanges(confirm))[0]).toMatch(/"\$\{PROOF:\?read it from the email}"/)
  const provider = { ...POST, operation: 'authWithOAuth2' as const, body: '{"code":"$CODE"}' }
  expect(curlLines(exchanges(provider))[0]).toContain('"$CODE"')
})

it('trusts the certificate that the run trusts', () => {
  const caFile = '$NODE_EXTRA_CA_CERTS'
  expect(curlLines(exchanges({ url: 'https://h/records' }), { caFile })).toEqual([
    'curl -sS --cacert "$NODE_EXTRA_CA_CERTS" https://h/records',
  ])
  expect(curlLines(exchanges({ url: 'http://h/records' }), { caFile })).toEqual(['curl -sS http://h/records'])
})

it('runs in a shell, against a server that gives other ids and tokens', async () => {
  const seen: string[] = []
  let count = 0
  const server = await startTestServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`)
    count += 1
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(`{"token":"fresh-${count}", "record": {"collectionId":"c", "id": "fresh-id-${count}"}}`)
  })
  try {
    const lines = curlLines(
      exchanges(
        { ...create, url: `${server.url}/users/records` },
        {
          ...POST,
          url: `${server.url}/users/auth-with-password`,
          body: '{"identity":"a"}',
          response: '{"token":"$TOKEN","record":{"id":"s123456789012"}}',
          secrets: { response: '{"token":"old-token"}' },
        },
        { url: `${server.url}/users/records/r123456789012`, ...as('old-token') },
        { url: `${server.url}/users/records/s123456789012`, ...as('old-token') },
      ),
    )
    await promisify(execFile)('sh', ['-c', lines.join('\n')])
    expect(seen).toEqual([
      'POST /users/records -',
      'POST /users/auth-with-password -',
      'GET /users/records/fresh-id-1 fresh-2',
      'GET /users/records/fresh-id-2 fresh-2',
    ])
  } finally {
    server.close()
  }
})
