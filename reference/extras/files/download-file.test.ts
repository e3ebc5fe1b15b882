/** Downloads, request by request. Statuses and headers are the living family's, unless noted. */

import { request } from 'undici'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AnyReference, createReference } from '../../reference.ts'

const moment = '2026-03-04T05:06:07.890Z'
const lastModified = 'Wed, 04 Mar 2026 05:06:07 GMT'
const png = Buffer.from('89504e470d0a1a0a', 'hex')
const uploads: [name: string, content: string | Buffer, type: string, disposition: string][] = [
  ['text.txt', 'hello world', 'text/plain; charset=utf-8', 'attachment'],
  ['page.html', '<html>hi</html>', 'text/html; charset=utf-8', 'attachment'],
  ['data.json', '{"a":1}', 'application/json', 'attachment'],
  ['draw.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>', 'image/svg+xml', 'attachment'],
  ['style.css', 'a{}', 'text/css', 'attachment'],
  ['code.mjs', 'x', 'text/javascript', 'attachment'],
  ['image.png', png, 'image/png', 'inline'],
  ['paper.pdf', '%PDF-1.4', 'application/pdf', 'inline'],
  ['empty.txt', '', 'text/plain', 'attachment'],
  ['odd.constructor', 'odd', 'text/plain; charset=utf-8', 'attachment'],
]

let reference: AnyReference
let names: string[]
let safe: string
let base: string

beforeEach(async () => {
  const docs = {
    name: 'docs',
    viewRule: '@request.auth.id != "" && @request.context = "protectedFile"',
    createRule: '',
    updateRule: '',
    fields: [
      { name: 'open', type: 'file', maxSelect: 20 },
      { name: 'safe', type: 'file', protected: true },
    ],
  } as const
  reference = createReference({
    tables: [docs, { name: 'users', type: 'auth' }],
    records: { users: [{ id: 'user00000000001', email: 'ann@example.com', password: 'password1' }] },
    superusers: [{ email: 'root@example.com', password: 'rootpass123' }],
    passwordCost: 4,
  })
  reference.clock.freeze(moment)
  const form = new FormData()
  for (const [name, content] of uploads) form.append('open', new File([content], name))
  form.append('safe', new File(['secret'], 'safe.txt'))
  const made = await reference.fetch('/api/v1/collections/docs/records', { method: 'POST', body: form })
  const record = (await made.json()) as { id: string; open: string[]; safe: string }
  names = record.open
  safe = record.safe
  base = `/api/v1/files/docs/${record.id}`
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  reference.fetch(path, { headers, method })

describe('a download', () => {
  test('has the living family’s headers, by what the file is', async () => {
    for (const [at, [, content, type, disposition]] of uploads.entries()) {
      const response = await get(`${base}/${names[at]}`)
      expect(response.status).toBe(200)
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content))
      expect(Object.fromEntries(response.headers)).toEqual({
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
        'cache-control': 'max-age=2592000, stale-while-revalidate=86400',
        'content-disposition': `${disposition}; filename=${names[at]}`,
        'content-length': String(content.length),
        'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
        'content-type': type,
        etag: expect.stringMatching(/^"[\w-]{27}"$/),
        'last-modified': lastModified,
        vary: 'Origin',
        'x-content-type-options': 'nosniff',
        'x-xss-protection': '1; mode=block',
      })
    }
  })

  test.each([
    ['?download=1', 'attachment'],
    ['?download=true', 'attachment'],
    ['?download=0', 'inline'],
    ['?download=', 'inline'],
    ['?thumb=100x100', 'inline'],
  ])('%s of an image', async (query, disposition) => {
    const response = await get(`${base}/${names[6]}${query}`)
    expect(response.headers.get('content-disposition')).toBe(`${disposition}; filename=${names[6]}`)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png)
  })

  test('has no body for HEAD', async () => {
    const response = await get(`${base}/${names[0]}`, {}, 'HEAD')
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '11'])
    expect(await response.text()).toBe('')
  })

  test('of an empty file is whole, whatever range of it is requested', async () => {
    for (const range of ['bytes=0-', 'bytes=100-']) {
      const response = await get(`${base}/${names[8]}`, { range })
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
  })

  test('is gone with its name: missing tables, records and names, and what was replaced', async () => {
    const record = base.split('/').at(-1) ?? ''
    for (const path of [`${base}/none.txt`, '/api/v1/files/docs/none/a.txt'])
      expect(await (await get(path)).json()).toMatchObject({
        status: 404,
        message: "The requested resource wasn't found.",
      })
    expect(await (await get('/api/v1/files/none/none/a.txt')).json()).toMatchObject({
      status: 404,
      message: 'Missing or invalid collection context.',
    })
    await reference.records.update('docs', record, { 'open-': names[0] })
    expect((await get(`${base}/${names[0]}`)).status).toBe(404)
    expect((await get(`${base}/${names[1]}`)).status).toBe(200)
  })

  test('survives an export, with the moment it was stored', async () => {
    const state = JSON.parse(JSON.stringify(await reference.exportState()))
    const other = createReference()
    await other.importState(state)
    const response = await other.fetch(`${base}/${names[0]}`)
    expect([await response.text(), response.headers.get('last-modified')]).toEqual([
      'hello world',
      lastModified,
    ])
    for (const files of Object.values(state.files) as { modified?: number }[][])
      for (const file of Object.values(files)) delete file.modified
    await other.importState(state)
    expect((await other.fetch(`${base}/${names[0]}`)).headers.has('last-modified')).toBe(false)
  })
})

describe('ranges and preconditions', () => {
  test.each([
    [{ range: 'bytes=0-4' }, 206, 'hello', 'bytes 0-4/11'],
    [{ range: 'bytes=-3' }, 206, 'rld', 'bytes 8-10/11'],
    [{ range: 'bytes=0-1,200-' }, 206, 'he', 'bytes 0-1/11'],
    [{ range: 'bytes=-0' }, 206, '', 'bytes 11-10/11'],
    [{ range: 'bytes=0-5,5-10' }, 200, 'hello world', null],
    [{ range: 'bytes=0-1', 'if-range': '"other"' }, 200, 'hello world', null],
    [{ range: 'bytes=0-1', 'if-range': lastModified }, 206, 'he', 'bytes 0-1/11'],
    [{ range: 'bytes=0-1', 'if-range': '' }, 206, 'he', 'bytes 0-1/11'],
    [{ 'if-modified-since': lastModified }, 304, '', null],
    [{ 'if-modified-since': 'Wed, 04 Mar 2026 05:06:06 GMT' }, 200, 'hello world', null],
    [{ 'if-modified-since': 'yesterday' }, 200, 'hello world', null],
    [{ 'if-modified-since': '2035-01-01' }, 200, 'hello world', null],
    [{ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 412, '', null],
    [{ 'if-unmodified-since': lastModified }, 200, 'hello world', null],
    [{ 'if-none-match': '*' }, 304, '', null],
    [{ 'if-none-match': '"other", *' }, 304, '', null],
    [{ 'if-none-match': 'other, *' }, 200, 'hello world', null],
    [{ 'if-none-match': '', 'if-modified-since': lastModified }, 304, '', null],
    [{ 'if-none-match': '"other"', 'if-modified-since': lastModified }, 200, 'hello world', null],
    [{ 'if-match': '"other"' }, 412, '', null],
    [{ 'if-match': '' }, 200, 'hello world', null],
  ])('%o', async (headers, status, body, range) => {
    const response = await get(`${base}/${names[0]}`, headers as Record<string, string>)
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      status,
      body,
      range,
    ])
  })

  test('know the entity tag', async () => {
    const path = `${base}/${names[0]}`
    const etag = (await get(path)).headers.get('etag') ?? ''
    const status = async (headers: Record<string, string>) => (await get(path, headers)).status
    expect(await status({ 'if-none-match': `"other", W/${etag}` })).toBe(304)
    expect(await status({ 'if-match': etag, range: 'bytes=0-1', 'if-range': etag })).toBe(206)
    expect(await status({ 'if-match': `W/${etag}` })).toBe(412)
  })

  const kept = {
    'access-control-allow-origin': '*',
    'content-disposition': expect.stringMatching(/^attachment; filename=/),
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
    'x-xss-protection': '1; mode=block',
  }

  test.each([
    ['bytes=50-', 'invalid range: failed to overlap\n', { 'content-range': 'bytes */11' }],
    ['bytes=5-2', 'invalid range\n', {}],
    ['items=0-1', 'invalid range\n', {}],
  ])('%s is rejected in plain text', async (range, body, headers) => {
    const response = await get(`${base}/${names[0]}`, { range })
    expect([response.status, await response.text()]).toEqual([416, body])
    expect(Object.fromEntries(response.headers)).toEqual({
      ...kept,
      ...headers,
      'content-length': String(body.length),
      'content-type': 'text/plain; charset=utf-8',
    })
  })

  test('several ranges are the parts of one body', async () => {
    const headers = { range: 'bytes=0-1, 200-, -1' }
    const response = await get(`${base}/${names[0]}`, headers)
    const text = await response.text()
    const boundary = /^multipart\/byteranges; boundary=([0-9a-f]{60})$/.exec(
      response.headers.get('content-type') ?? '',
    )?.[1]
    const part = (range: string, content: string) =>
      `--${boundary}\r\nContent-Range: bytes ${range}/11\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${content}\r\n`
    expect([response.status, text]).toEqual([
      206,
      `${part('0-1', 'he')}${part('10-10', 'd')}--${boundary}--\r\n`,
    ])
    expect(response.headers.has('content-range')).toBe(false)
    const head = await get(`${base}/${names[0]}`, headers, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([206, String(text.length)])
  })

  test.each([
    [{ 'if-modified-since': lastModified }, 304, {}],
    [{ 'if-match': '"other"' }, 412, { 'content-length': '0', 'content-type': 'text/plain; charset=utf-8' }],
  ])('the headers of an empty response to %o', async (headers, status, added) => {
    const response = await get(`${base}/${names[0]}`, headers as Record<string, string>)
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      status,
      {
        ...kept,
        ...added,
        'cache-control': 'max-age=2592000, stale-while-revalidate=86400',
        etag: expect.any(String),
        'last-modified': lastModified,
      },
    ])
  })

  test('a repeated header counts once', async () => {
    const { url } = await reference.listen()
    const { statusCode, body } = await request(`${url}${base}/${names[0]}`, {
      headers: ['range', 'bytes=0-4', 'range', 'bytes=6-'],
    })
    expect([statusCode, await body.text()]).toEqual([206, 'hello'])
    await reference.close()
  })
})

describe('a protected file', () => {
  const tokenOf = async (authorization: string) => {
    const response = await reference.fetch('/api/v1/files/token', {
      method: 'POST',
      headers: { authorization },
    })
    return ((await response.json()) as { token: string }).token
  }
  const status = async (token: string, headers = {}) =>
    (await get(`${base}/${safe}?token=${token}`, headers)).status

  test('opens with the file token of someone who may view its record', async () => {
    const session = await reference.tokenFor('users', 'user00000000001')
    const token = await tokenOf(session)
    const response = await get(`${base}/${safe}?token=${token}`)
    expect([response.status, await response.text()]).toEqual([200, 'secret'])
    expect(await status('', { authorization: session })).toBe(404)
    expect(await status(session)).toBe(404)
    reference.clock.advance(181_000)
    expect(await status(token)).toBe(404)
  })

  test('stays closed once the session of the token has ended', async () => {
    const token = await tokenOf(await reference.tokenFor('users', 'user00000000001'))
    await reference.records.update('users', 'user00000000001', { password: 'password2' })
    expect(await status(token)).toBe(404)
  })

  test('opens for superusers, from addresses that they may come from', async () => {
    const root = await reference.records.find('_superusers', { email: 'root@example.com' })
    const token = await tokenOf(await reference.tokenFor('_superusers', String(root?.id)))
    expect(await status(token)).toBe(200)
    const guarded = createReference({ superuserIPs: ['10.0.0.1'], clock: moment })
    await guarded.importState(await reference.exportState())
    const path = `${base}/${safe}?token=${token}`
    expect((await guarded.fetch(path)).status).toBe(404)
    expect((await guarded.fetch(path, undefined, '10.0.0.1')).status).toBe(200)
  })

  test('tokens are for those who are signed in', async () => {
    const response = await reference.fetch('/api/v1/files/token', { method: 'POST' })
    expect([response.status, await response.json()]).toEqual([
      401,
      { status: 401, message: 'The request requires valid record authorization token.', data: {} },
    ])
  })
})

test('downloads count for rate limits', async () => {
  const rules = [{ label: '*:file', duration: 10, maxRequests: 1 }]
  const limited = createReference({ rateLimits: { enabled: true, rules } })
  await limited.importState(await reference.exportState())
  const statuses = [await limited.fetch(`${base}/${names[0]}`), await limited.fetch(`${base}/${names[0]}`)]
  expect(statuses.map(({ status }) => status)).toEqual([200, 429])
})
