/** What responses look like on the wire: JSON formatting, media types, headers, codings. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { on, tamperHeaders } from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { traffic } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('wire')

const near = [...traffic, 'view.record', 'create.persists', 'list.items'] as const

/** Another text for every body that there is. */
const writes = (text: (body: unknown) => string) =>
  on('*', async (request, next) => {
    const response = await next(request)
    const before = await response.text()
    if (before === '') return new Response(null, response)
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(text(JSON.parse(before)), { status: response.status, headers })
  })

const json = { because: '1', near }

/** Strings and numbers of a JSON text. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const isWhole = (token: string) => /^-?\d+$/.test(token)

variation(
  'JSON is indented',
  json,
  writes((body) => `${JSON.stringify(body, null, 2)}\n`),
)
variation(
  'JSON is indented with tabs and ends its lines as Windows does',
  json,
  writes((body) => JSON.stringify(body, null, '\t').replaceAll('\n', '\r\n')),
)
variation(
  'JSON has white space around it',
  json,
  writes((body) => ` \r\n\t${JSON.stringify(body)}\n\n`),
)
variation(
  'JSON escapes non-ASCII characters',
  json,
  writes((body) => escaped(body, /[^ -~]/g)),
)
variation(
  'JSON escapes slashes and angle brackets',
  json,
  writes((body) => escaped(body, /[<>&]/g).replaceAll('/', '\\/')),
)
variation(
  'JSON writes whole numbers with a fraction',
  json,
  writes((body) => JSON.stringify(body).replace(tokens, fraction)),
)
variation(
  'JSON writes numbers with an exponent',
  json,
  writes((body) => JSON.stringify(body).replace(tokens, exponent)),
)
variation(
  'the keys of all objects are in reverse order',
  json,
  writes((body) => JSON.stringify(reversed(body))),
)
variation('the keys of all objects are in another order each time', json, (tools) => {
  let turn = 0
  return writes((body) => JSON.stringify(turn++ % 2 === 0 ? body : reversed(body)))(tools)
})

function escaped(body: unknown, what: RegExp): string {
  return JSON.stringify(body).replace(
    what,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function fraction(token: string): string {
  return isWhole(token) ? `${token}.0` : token
}

function exponent(token: string): string {
  return isWhole(token) ? `${token}e0` : token
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

variation(
  'JSON is accepted with the media type application/json alone',
  { because: '4.1 paragraph 1', near: ['create.json', 'auth.password-json'] },
  on('*', async (request, next) => {
    const type = request.headers.get('content-type') ?? ''
    return /json/.test(type) && type !== 'application/json' ? fieldRejection(415) : next(request)
  }),
)
for (const type of [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON; Charset="utf-8"',
  'application/json; profile="records"; v=1',
  'application/vnd.api+json',
  'application/hal+json',
])
  variation(
    `JSON has the media type ${type}`,
    { because: '1', near: traffic },
    tamperHeaders('*', (headers) => {
      if (headers.has('content-type')) headers.set('content-type', type)
    }),
  )
variation(
  'errors have the media type application/problem+json',
  { because: '7', near: traffic },
  on('*', async (request, next) => {
    const response = await next(request)
    if (response.ok) return response
    const headers = new Headers(response.headers)
    headers.set('content-type', 'application/problem+json')
    return new Response(await response.text(), { status: response.status, headers })
  }),
)

for (const [words, headers] of [
  [
    'a tag and the time of the last change',
    { etag: 'W/"1"', 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' },
  ],
  ['links', { link: '</api/v1/x?page=2>; rel="next", </api/v1/x?page=9>; rel="last"' }],
  ['a cookie', { 'set-cookie': 'session=abc; Path=/; HttpOnly' }],
  [
    'the remaining rate limit',
    { 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' },
  ],
  ['how long to wait', { 'retry-after': '120' }],
  ['Cache-Control: no-store', { 'cache-control': 'no-store', pragma: 'no-cache', expires: '0' }],
  ['Cache-Control: immutable for a year', { 'cache-control': 'public, max-age=31536000, immutable' }],
  ['the allowed origins', { 'access-control-allow-origin': '*', vary: 'Origin, Accept-Encoding' }],
  ['the number of records', { 'x-total-count': '5', 'content-range': 'items 0-4/5' }],
  [
    'security headers for browsers',
    { 'x-content-type-options': 'nosniff', 'strict-transport-security': 'max-age=1' },
  ],
  ['how long the response took', { 'server-timing': 'db;dur=53', 'x-request-id': '7f3c' }],
  [
    'that the API is deprecated',
    { deprecation: '@1688169599', sunset: 'Sun, 30 Jun 2030 23:59:59 GMT', warning: '299' },
  ],
  [
    'a language and a file name',
    { 'content-language': 'de', 'content-disposition': 'inline; filename="a.json"' },
  ],
  ['Content-Location', { 'content-location': '/api/v1/elsewhere' }],
  ['four kilobytes of data', { 'x-something': 'x'.repeat(4_096) }],
  ['Connection: close', { connection: 'close' }],
  ['no date', { date: '' }],
  ['how to sign in', { 'www-authenticate': 'Bearer realm="records", charset="UTF-8"' }],
] as const satisfies readonly (readonly [string, Record<string, string>])[])
  variation(
    `every response has a header: ${words}`,
    { because: '1', near: [...traffic, 'record.created-utc'] },
    tamperHeaders('*', (all) => {
      for (const [name, value] of Object.entries(headers)) all.set(name, value)
    }),
  )

for (const [coding, pack] of [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const)
  variation(
    `every body is compressed with ${coding}`,
    { because: '1', near },
    on('*', async (request, next) => {
      const response = await next(request)
      const body = await response.text()
      if (body === '') return new Response(null, response)
      const headers = new Headers(response.headers)
      headers.delete('content-length')
      headers.set('content-encoding', coding)
      return new Response(new Uint8Array(pack(body)), { status: response.status, headers })
    }),
  )
