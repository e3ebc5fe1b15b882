/**
 * Dumps as curl 7.88 and later write them, with everything between the lines of a response.
 */

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { note, page, recorded } from '../../test/validate/exchanges.ts'
import { createValidator } from '../create-validator.ts'

const validator = createValidator({ profile: 'standard' })
const path = '/api/v1/collections/notes/records'
const known = { method: 'GET', url: path }
/** Lines of a body may look like notes of curl, which begin with a brace as well. */
const body = JSON.stringify(page({ items: [note(0, { title: 'é' })], totalItems: 1 }), null, 1).replace(
  '{\n "page"',
  '{ "page"',
)
const meter = `  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0`
const head = (status = '200 OK', more = '') =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${more}Keep-Alive: timeout=5\r\n\r\n`
const asked = (method: string) =>
  `> ${method} ${path} HTTP/1.1\r\n> Host: x\r\n> Authorization: secret-of-mine\r\n> \r\n`
const reported = (text: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => `< ${line}\r\n`)
    .join('')
const verbose = (method: string, response: string) =>
  `${meter}*   Trying 127.0.0.1:80...\n* Connected to 127.0.0.1 (127.0.0.1) port 80 (#0)\n${asked(method)}${reported(response)}< \r\n{ [36 bytes data]\n\r100    25    0    25    0     0   5468      0 --:--:-- --:--:-- --:--:--  6250\n* Connection #0 to host 127.0.0.1 left intact\n`

async function judged(dump: string | Buffer, request: object = known) {
  return (await recorded(dump, request)).map(({ exchange, trouble }) => {
    if (exchange === undefined) return trouble
    const { findings, unjudged } = validator.validate(exchange)
    const found = findings.map(({ requirement }) => requirement).join(' ')
    return `${exchange.request.method} ${exchange.response.status} ${unjudged ?? found}`.trim()
  })
}

describe('curl -i', () => {
  it.each<[string, string, string[]]>([
    ['one answer', `${head()}${body}`, ['GET 200']],
    ['with a line feed behind', `${head()}${body}\n`, ['GET 200']],
    ['with line feeds alone', `${head()}${body}`.replaceAll('\r\n', '\n'), ['GET 200']],
    [
      'cut off',
      `${head('200 OK', 'Content-Length: 500\r\n')}{"page":1,`,
      ['GET 200 the dump has only the beginning of the body'],
    ],
    ['without its body', head('200 OK', 'Content-Length: 500\r\n'), ['GET 200 the dump has no body']],
    [
      'whole, but no JSON',
      `${head('400 No', 'Content-Length: 3\r\n')}no\n`,
      [expect.stringMatching(/wire.json-bodies/)],
    ],
    ['over HTTP/2', `${head()}${body}`.replace('HTTP/1.1 200 OK', 'HTTP/2 200 '), ['GET 200']],
    ['over HTTP/3', `${head()}${body}`.replace('HTTP/1.1 200 OK', 'HTTP/3 200'), ['GET 200']],
    ['100 Continue first', `HTTP/1.1 100 Continue\r\n\r\n${head()}${body}`, ['GET 200']],
    ['early hints first', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head()}${body}`, ['GET 200']],
    ['a tunnel first', `HTTP/1.1 200 Connection established\r\n\r\n${head()}${body}`, ['GET 200']],
    [
      'a redirection that was followed',
      `${head('301 Moved', 'location: /ok\r\n')}${head()}${body}`,
      ['GET 200'],
    ],
    ['one that was not', head('301 Moved', 'location: /ok\r\n'), ['GET 301 301: a redirect without a body']],
    ['two answers', `${head()}${body}\n${head()}${body}\n`, ['GET 200', 'GET 200']],
    ['two in one line', `${head()}${body}${head()}${body}`, ['GET 200', 'GET 200']],
    [
      'with the meter',
      `${meter}\r100    25\n${head()}${body}${meter}\n${head()}${body}`,
      ['GET 200', 'GET 200'],
    ],
    ['a body that quotes a status line', `${head()}${body.replace('é', 'HTTP/1.1 200 OK')}`, ['GET 200']],
    ['unpacked by --compressed', `${head('200 OK', 'Content-Encoding: gzip\r\n')}${body}`, ['GET 200']],
    [
      'broken',
      `${head()}${body.replace('"totalPages": 1', '"totalPages": 7')}`,
      ['GET 200 list.total-pages'],
    ],
    ['no JSON', `${head()}<html>`, ['GET 200 wire.json-bodies']],
    ['nothing', head(), ['GET 200 wire.no-empty-success']],
  ])('%s', async (_name, dump, expected) => {
    expect(await judged(dump)).toEqual(expected)
  })

  it('packed, as it came', async () => {
    const packed = head('200 OK', 'Content-Encoding: gzip\r\n')
    expect(await judged(Buffer.concat([Buffer.from(packed), gzipSync(body)]))).toEqual(['GET 200'])
    expect(await judged(Buffer.concat([Buffer.from(packed), Buffer.from('garbage')]))).toEqual([
      expect.stringMatching(/^GET 200 a body in gzip cannot be decoded/),
    ])
  })

  it('sees bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(`${head()}${body}`, 'latin1')
    expect(await judged(bytes)).toEqual(['GET 200 wire.json-utf8'])
  })

  it('a deletion, with the line feed of those who made the file', async () => {
    const deletion = { method: 'DELETE', url: `${path}/a` }
    expect(await judged('HTTP/1.1 204 No Content\r\n\r\n\n', deletion)).toEqual(['DELETE 204'])
  })

  it('without its request, which it says how to name', async () => {
    expect(await judged(`${head()}${body}`, {})).toEqual([
      expect.stringMatching(/response 1 .* --request "GET/),
    ])
  })
})

describe('curl -v', () => {
  it.each<[string, string, string[]]>([
    ['both streams', `${verbose('GET', head())}${body}`, ['GET 200']],
    [
      'body before the last words',
      `${asked('GET')}${reported(head())}< \r\n${body}* Connection #0 to host x left intact`,
      ['GET 200'],
    ],
    ['and -i', `${verbose('GET', head())}${head()}${body}`, ['GET 200']],
    [
      'a deletion',
      `${verbose('DELETE', head('204 No Content'))}\n`.replaceAll(`${path} `, `${path}/a `),
      ['DELETE 204'],
    ],
    [
      'a redirection that was followed',
      `${asked('GET')}${reported(head('301 Moved', 'Location: /ok\r\n'))}< \r\n* Ignoring the response-body\n${verbose('GET', head())}${body}`,
      ['GET 200'],
    ],
    ['two requests', `${verbose('GET', head())}${body}\n${verbose('HEAD', head())}`, ['GET 200', 'HEAD 200']],
    ['broken', `${verbose('GET', head())}[]`, ['GET 200 list.shape']],
  ])('%s', async (_name, dump, expected) => {
    expect(await judged(dump, {})).toEqual(expected)
  })

  it('reads what was sent', async () => {
    const [first] = await recorded(`${verbose('GET', head())}${body}`, {})
    expect(first?.exchange?.request).toMatchObject({
      method: 'GET',
      url: path,
      headers: { authorization: 'secret-of-mine' },
    })
  })
})
