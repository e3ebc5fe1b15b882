import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startTestServer } from '../test/support/test-server.ts'
import { curlLines } from './curl-lines.ts'
import type { Exchange } from './exchange.ts'

type Sent = Partial<Exchange['request']> & { status?: number; response?: string }

function exchanges(...sent: Sent[]): Exchange[] {
  return sent.map(({ status = 200, response = '', ...request }, at) => ({
    number: at + 1,
    actor: 'guest',
    ms: 1,
    request: { method: 'GET', url: 'http://h/records', headers: {}, body: '', bytes: 0, ...request },
    response: { status, headers: {}, body: response, bytes: response.length },
  }))
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

const signIn = (id: string) => ({
  ...POST,
  url: 'http://h/auth-with-password',
  body: `{"identity":"${id.slice(0, 3)}"}`,
  response: `{"token":"$TOKEN","record":{"id":"${id}"}}`,
})
const asUser = { headers: { authorization: '$TOKEN_USER' } }
const userOf = (line = '') => /authorization: '"(.*?)"/.exec(line)?.[1]

it('takes the token of the record that a request is about', () => {
  const lines = curlLines(
    exchanges(
      signIn('one4567890123'),
      signIn('two4567890123'),
      { url: 'http://h/records/one4567890123', ...asUser },
      { url: 'http://h/records/two4567890123', ...asUser },
      { url: 'http://h/records', ...asUser },
    ),
  )
  expect(lines.slice(0, 2)).toEqual([
    expect.stringContaining('TOKEN_USER=$(echo'),
    expect.stringContaining('TOKEN_USER_2=$(echo'),
  ])
  // Of the last one it is not known.
  expect(lines.slice(2).map(userOf)).toEqual(['$TOKEN_USER', '$TOKEN_USER_2', '$TOKEN_USER'])
})

it('continues with the first token after a refresh, and takes the new one if it has another name', () => {
  const url = 'http://h/records/one4567890123'
  const lines = curlLines(
    exchanges(
      signIn('one4567890123'),
      { url, ...asUser },
      { ...signIn('one4567890123'), url: 'http://h/auth-refresh', body: '', ...asUser },
      { url, ...asUser },
      { url, headers: { authorization: '$TOKEN_REFRESHED' } },
    ),
  )
  expect(lines[2]).toMatch(/^TOKEN_REFRESHED=/)
  expect([1, 3, 4].map((at) => userOf(lines[at]))).toEqual(['$TOKEN_USER', '$TOKEN_USER', '$TOKEN_REFRESHED'])
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
        },
        { url: `${server.url}/users/records/r123456789012`, headers: { authorization: '$TOKEN_USER' } },
        { url: `${server.url}/users/records/s123456789012`, headers: { authorization: '$TOKEN_USER' } },
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
