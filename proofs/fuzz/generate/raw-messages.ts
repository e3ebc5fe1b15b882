/**
 * Bytes as a client, a broken client or an attacker sends them over a connection.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'

/** How the client leaves: when it has its response, or before. */
const endings = ['wait', 'half-close', 'close', 'reset'] as const

export interface RawMessage {
  /** What it was made from. */
  name: string
  /** Latin-1: each character is a byte. */
  bytes: string
  /** Where the bytes are cut into pieces that are sent one after the other; shares from 0 to 1. */
  cuts: readonly number[]
  ending: (typeof endings)[number]
}

const list = '/api/v1/collections/conf_plain/records'
const host = 'Host: 127.0.0.1\r\n'
const json = 'Content-Type: application/json\r\n'
const body = '{"title":"raw"}'
const get = (more = '', path = list) => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`
const post = (more: string, content: string, path = list) =>
  `POST ${path} HTTP/1.1\r\n${host}${json}${more}\r\n${content}`
const chunks = 'f\r\n{"title":"raw"}\r\n0\r\n\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'
const length = (text: string) => `Content-Length: ${text.length}\r\n`

const seeds: Readonly<Record<string, readonly string[]>> = {
  plain: [
    get(),
    get('', '/'),
    get('', '/api/v1/batch'),
    get('Connection: close\r\n'),
    post(length(body), body),
    `HEAD ${list} HTTP/1.1\r\n${host}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    `OPTIONS ${list} HTTP/1.1\r\n${host}Origin: http://a\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
    `GET ${list} HTTP/1.0\r\n\r\n`,
    `GET ${list} HTTP/2.0\r\n${host}\r\n`,
    `GET http://other.example${list} HTTP/1.1\r\n${host}\r\n`,
    `TRACE ${list} HTTP/1.1\r\n${host}\r\n`,
    `DELETE ${list}/plain0000000001 HTTP/1.1\r\n${host}\r\n`,
  ],
  chunked: [
    post(chunked, chunks),
    post(chunked, '5;ext=1\r\n{"tit\r\na\r\nle":"raw"}\r\n0\r\nTrailer: x\r\n\r\n'),
    post(chunked, 'ffffffffffffffff\r\nx'),
    post(chunked, '-1\r\n\r\n'),
    post(chunked, '0\r\n\r\n'),
    post(chunked, 'f\n{"title":"raw"}\n0\n\n'),
    post('Transfer-Encoding: gzip, chunked\r\n', chunks),
    post('Transfer-Encoding: chunked, identity\r\n', chunks),
    post('Transfer-Encoding: xchunked\r\n', chunks),
    post(`${chunked}Trailer: Content-Length\r\n`, '0\r\nContent-Length: 5\r\n\r\n'),
  ],
  smuggling: [
    post(`${chunked}${length(body)}`, chunks),
    post(`${length(body)}Content-Length: 3\r\n`, body),
    post('Content-Length: +15\r\n', body),
    post('Content-Length: 15, 15\r\n', body),
    post('Content-Length: 99999999999999999999\r\n', body),
    post('Content-Length: -1\r\n', body),
    post('Content-Length: 0x0f\r\n', body),
    post('Transfer-Encoding : chunked\r\n', chunks),
    post('Transfer-Encoding:\tchunked\r\nTransfer-Encoding: identity\r\n', chunks),
    post(length(''), get()),
  ],
  pipelined: [
    get() + get(),
    get() + post(length(body), body) + get(),
    get().repeat(20),
    `${get()}garbage\r\n\r\n`,
  ],
  connect: [
    'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    'CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\nmore bytes',
    `CONNECT ${list} HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`,
  ],
  upgrade: [
    get(
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAA\r\nSec-WebSocket-Version: 13\r\n',
    ),
    get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
    post(`Connection: upgrade\r\nUpgrade: x\r\n${length(body)}`, body),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  ],
  expect: [
    post(`Expect: 100-continue\r\n${length(body)}`, body),
    post(`Expect: 200-ok\r\n${length(body)}`, body),
    post(`Expect: \r\n${chunked}`, chunks),
  ],
  host: [
    '1.2.3.256',
    '999.1.1.1',
    'xn--a',
    '[::1',
    '[::1]:99999',
    'a b',
    'a:b:c',
    '',
    '%00',
    'example.com:port',
    '0x7f.1',
    'ä.example',
    'user@host',
    '127.0.0.1/path?x#y',
    `${'a'.repeat(300)}.example`,
  ].flatMap((name) =>
    [list, '/_/', '/_conformance/state', '/'].map((path) => `GET ${path} HTTP/1.1\r\nHost: ${name}\r\n\r\n`),
  ),
  paths: [
    '/_conformance/',
    `/_conformance/${'x'.repeat(900_000)}`,
    `/_conformance/${'reset'.repeat(200)}`,
    '/_/',
    '/_/../_/api',
    '//',
    '*',
    '/%',
    '/%00',
    `/${'a/'.repeat(30_000)}`,
    `${list}?${'filter=&'.repeat(50_000)}`,
    `${list}?filter=${'('.repeat(100_000)}`,
    `/api/v1/collections/${'%41'.repeat(100_000)}/records`,
  ].map((path) => get('', path)),
  headers: [
    get('A\r\n'),
    get(': x\r\n'),
    get(' folded: x\r\n'),
    get('X: a\r\n b\r\n'),
    get('X: \0\r\n'),
    get('X: \x80\xff\r\n'),
    get('Cookie: a=b\r\nCookie: c=d\r\n'),
    get(`X: ${'y'.repeat(1_100_000)}\r\n`),
    get('X: y\r\n'.repeat(3000)),
    get('Authorization: a\r\nAuthorization: b\r\n'),
    get('Host: second.example\r\n'),
    `GET ${list} HTTP/1.1\r\n\r\n`,
    get().replaceAll('\r\n', '\n'),
    `\r\n\r\n${get()}`,
  ],
  garbage: [
    '',
    '\0',
    '\r\n',
    '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
    'x'.repeat(70_000),
    'GET',
    'GET / HTTP/9.9\r\n\r\n',
  ],
}

const named = Object.entries(seeds).flatMap(([name, all]) => all.map((bytes) => ({ name, bytes })))
const pieces = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  ':',
  '\xff',
  'HTTP/1.1',
  '0',
  'chunked',
  'Content-Length: 5\r\n',
  get(),
]
const share = fc.integer({ min: 0, max: 1000 }).map((each) => each / 1000)

type Edit = (text: string, at: number) => string
const edits: Arbitrary<Edit> = fc.oneof(
  fc.constantFrom(...pieces).map(
    (piece): Edit =>
      (text, at) =>
        text.slice(0, at) + piece + text.slice(at),
  ),
  fc.nat({ max: 255 }).map(
    (byte): Edit =>
      (text, at) =>
        text.slice(0, at) + String.fromCharCode(byte) + text.slice(at + 1),
  ),
  fc.nat({ max: 20 }).map(
    (count): Edit =>
      (text, at) =>
        text.slice(0, at) + text.slice(at + count),
  ),
  fc.constant<Edit>((text, at) => text.slice(0, at)),
  fc.nat({ max: 40 }).map(
    (count): Edit =>
      (text, at) =>
        text.slice(0, at + count) + text.slice(at),
  ),
)

const messages: Arbitrary<RawMessage> = fc
  .record({
    seed: fc.oneof(
      ...Object.keys(seeds).map((name) => fc.constantFrom(...named.filter((each) => each.name === name))),
    ),
    changes: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(fc.tuple(edits, share), { minLength: 1, maxLength: 3 }) },
    ),
    cuts: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(share, { maxLength: 3 })),
    ending: fc.oneof(
      { weight: 4, arbitrary: fc.constant<RawMessage['ending']>('wait') },
      { weight: 4, arbitrary: fc.constantFrom(...endings) },
    ),
  })
  .map(({ seed: { name, bytes }, changes, cuts, ending }) => {
    let text = bytes
    for (const [edit, place] of changes) text = edit(text, Math.floor(place * text.length))
    return { name, bytes: text, cuts, ending }
  })

/** Connections that are opened concurrently. */
export const rawGroups: Arbitrary<RawMessage[]> = fc.array(messages, { minLength: 1, maxLength: 16 })
