/**
 * Recorded traffic of every kind and in any state, as it is read: whole, broken, cut, packed, in small pieces.
 */

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { exchangesIn, page, plainExchange, recorded, rejected } from '../../test/validate/exchanges.ts'
import { createValidator } from '../create-validator.ts'

const validator = createValidator({ profile: 'standard' })
const good = JSON.stringify(page())
const path = '/api/v1/collections/notes/records'

interface Content {
  text?: string
  encoding?: string
  size?: number
  mimeType?: string
}

function entry(content: Content = {}, response: object = {}, request: object = {}) {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: `http://x${path}`, headers: [], ...request },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: content.text?.length ?? 0, mimeType: 'application/json', ...content },
      ...response,
    },
  }
}
const har = (...entries: object[]) => ({ log: { version: '1.2', pages: [{ id: '"entries":[{' }], entries } })
const broken = async (content: string) =>
  (await exchangesIn(content)).map((each) => {
    const { findings, unjudged } = validator.validate(each)
    return unjudged ?? findings.map(({ requirement }) => requirement).join(' ')
  })

describe('HAR', () => {
  const pseudo = [
    { name: ':method', value: 'GET' },
    { name: ':path', value: path },
  ]
  const inBase64 = { text: Buffer.from(good).toString('base64'), encoding: 'base64' }
  const packed = { headers: [...entry().response.headers, { name: 'content-encoding', value: 'br' }] }
  const partInBase64 = { text: Buffer.from(good.slice(0, 50)).toString('base64'), encoding: 'base64' }
  const zipped = { headers: [...entry().response.headers, { name: 'content-encoding', value: 'gzip' }] }
  const empty = [{ name: 'content-length', value: '0' }]
  const long = [{ name: 'content-length', value: '500' }]
  const deletion = { method: 'DELETE', url: `http://x${path}/a` }
  const socket = entry({}, { status: 101, headers: [] }, { url: 'ws://x/api/realtime' })

  it.each<[string, object, string[]]>([
    ['text', entry({ text: good }), ['']],
    ['base64', entry(inBase64), ['']],
    ['base64 in capitals', entry({ ...inBase64, encoding: 'BASE64' }), ['']],
    ['null for what is absent', entry({ text: good, encoding: null, mimeType: null } as object), ['']],
    ['a body that is unpacked already', entry({ text: good }, packed), ['']],
    ['the same in base64', entry(inBase64, packed), ['']],
    ['pseudo headers of HTTP/2', entry({ text: good }, {}, { httpVersion: 'HTTP/2', headers: pseudo }), ['']],
    ['a media type in the content alone', entry({ text: good }, { headers: [] }), ['']],
    ['a WebSocket', { ...socket, _webSocketMessages: [{ type: 'send', data: '{}' }] }, ['']],
    ['a body that was not recorded', entry({ size: 120 }), ['the recording has no body']],
    ['one of unknown size', entry({ size: -1 }), ['the recording has no body']],
    ['one that only the length tells', entry({}, { bodySize: 77 }), ['the recording has no body']],
    [
      'a body that was cut',
      entry({ text: good.slice(0, 50), size: good.length }),
      [expect.stringMatching(/beginning/)],
    ],
    ['no body where one is owed', entry(), ['wire.no-empty-success']],
    ['a deletion', entry({}, { status: 204, headers: [] }, deletion), ['']],
    ['a body without its size', entry({ size: undefined }), ['the recording has no body']],
    ['no content', entry({}, { content: undefined }), ['the recording has no body']],
    ['an empty content', entry({}, { content: {} }), ['the recording has no body']],
    [
      'an empty content, and a length of 0',
      entry({}, { content: {}, headers: empty }),
      ['wire.no-empty-success'],
    ],
    [
      'the same, with names in capitals',
      entry({}, { content: {}, headers: [{ name: 'Content-Length', value: '0' }] }),
      ['wire.no-empty-success'],
    ],
    ['a whole body that is not JSON', entry({ text: '<p>busy</p>' }), [expect.stringMatching(/json/)]],
    [
      'a length that is empty',
      entry({}, { content: {}, headers: [{ name: 'content-length', value: '' }] }),
      ['the recording has no body'],
    ],
    ['a size that is text', entry({ size: '120' as never }), ['the recording has no body']],
    [
      'a body of Chrome that was aborted after the head',
      entry({ mimeType: 'x-unknown' }, { bodySize: 0, _error: 'net::ERR_FAILED' }),
      ['the response did not arrive completely (net::ERR_FAILED)'],
    ],
    [
      'a part of a body of Playwright that was aborted',
      entry({ text: '{"page":1,' }, { _failureText: 'net::ERR_ABORTED' }),
      ['the response did not arrive completely (net::ERR_ABORTED)'],
    ],
    [
      'a whole body that ended in an error',
      entry({ text: '{}' }, { _error: 'net::X' }),
      [expect.stringMatching(/list/)],
    ],
    ['no error of mitmproxy', entry({}, { _error: null }), ['wire.no-empty-success']],
    [
      'an empty text of Firefox, which counts the headers',
      entry({ text: '' }, { bodySize: 210 }),
      ['wire.no-empty-success'],
    ],
    ['a body that mitmproxy streamed', entry({ text: '' }, { headers: long }), ['the recording has no body']],
    [
      'a body that is too large for Firefox',
      entry({ comment: 'not included' } as object),
      ['the recording has no body'],
    ],
    ['a part in base64', entry({ ...partInBase64, size: good.length }), [expect.stringMatching(/beginning/)]],
    ['packed bytes', entry({ text: gzipSync(good).toString('base64'), encoding: 'base64' }, zipped), ['']],
    ['a deletion without a content', entry({}, { status: 204, content: undefined }, deletion), ['']],
    ['a deletion of unknown size', entry({ size: -1 }, { status: 204, bodySize: 210 }, deletion), ['']],
    ['headers that are none', entry({ text: good }, { headers: null }, { headers: undefined }), ['']],
  ])('with %s', async (_name, each, expected) => {
    for (const spaces of [0, 2]) {
      expect(await broken(JSON.stringify(har(each), null, spaces))).toEqual(expected)
    }
  })

  it.each<[string, unknown, string]>([
    ['a request that is text', { request: 'GET /', response: {} }, 'request must be an object; found string'],
    ['an address that is none', entry({}, {}, { url: 5 }), 'request.url must be a string; found number'],
    ['a method that is none', entry({}, {}, { method: 5 }), 'request.method must be a string; found number'],
    ['a list for a body', entry({}, {}, { postData: [] }), 'request.postData must be an object; found array'],
    ['a status in quotes', entry({}, { status: '200' }), 'response.status must be a number; found string'],
    ['null for its content', entry({}, { content: null }), 'response.content must be an object; found null'],
    [
      'a number for its text',
      entry({ text: 5 } as object),
      'response.content.text must be a string; found number',
    ],
    [
      'a number in base64',
      entry({ text: 5, encoding: 'base64' } as object),
      'response.content.text must be a string; found number',
    ],
    [
      'a number as media type',
      entry({ mimeType: 5 } as object, { headers: [] }),
      'response.content.mimeType must be a string; found number',
    ],
  ])('names an entry with %s, and reads the others', async (_name, odd, trouble) => {
    const entries = [entry({ text: good }), odd, entry({ text: good })]
    for (const content of [{ log: { entries } }, { comment: 'x', log: { entries } }])
      for (const spaces of [0, 2]) {
        const found = await recorded(JSON.stringify(content, null, spaces))
        expect(found.map((each) => [each.number, each.trouble])).toEqual([
          [1, undefined],
          [2, `entry 2 is not one of HAR: ${trouble}`],
          [3, undefined],
        ])
      }
  })

  it.each<[string, object]>([
    ['of status 0', { status: 0 }],
    ['of status 0 and an error', { status: 0, _error: 'net::ERR_CONNECTION_REFUSED' }],
  ])('with a request that was aborted, and a response %s', async (_name, response) => {
    expect(await recorded(JSON.stringify(har(entry({}, response))))).toEqual([
      { number: 1, aborted: `http://x${path}` },
    ])
  })

  it('names an entry without a status', async () => {
    expect(await recorded(JSON.stringify(har(entry({}, { status: null }))))).toEqual([
      { number: 1, trouble: 'entry 1 has no request.url or no response.status' },
    ])
  })

  it.each([null, undefined])('with a request that was aborted, and the response %s', async (response) => {
    const entries = [entry({ text: good }), { ...entry(), response }, { ...entry({ text: good }) }]
    expect(
      (await recorded(JSON.stringify(har(...entries)))).map(({ number, aborted }) => [number, aborted]),
    ).toEqual([
      [1, undefined],
      [2, `http://x${path}`],
      [3, undefined],
    ])
  })

  it('whose log is not its first key', async () => {
    const text = JSON.stringify({ comment: 'x', ...har(entry({ text: good })) })
    expect(await broken(text)).toEqual([''])
    expect(await broken(JSON.stringify(JSON.parse(text), null, 2))).toEqual([''])
  })

  it('that was cut off gives what it has, and says where it ends', async () => {
    const text = JSON.stringify(har(entry({ text: good }), entry({ text: good }), entry({ text: good })))
    const found = await recorded(text.slice(0, -60))
    expect(found.map(({ trouble }) => trouble)).toEqual([
      undefined,
      undefined,
      'the file is incomplete after entry 2',
    ])
  })

  it.each([1, 7, 64, 1000])('in pieces of %i bytes is the same', async (piece) => {
    const odd = 'é \\" ]}{[ 😀 "entries"'
    const entries = [odd, 'b'].map((title) => entry({ text: JSON.stringify({ title }) }))
    const text = JSON.stringify(har(...entries), null, 1)
    const found = await recorded(text, {}, piece)
    expect(found.map((each) => each.exchange?.response.body)).toEqual(
      entries.map(({ response }) => response.content.text),
    )
  })
})

describe('JSON', () => {
  const two = [plainExchange(page()), plainExchange(page({ totalPages: 9 }))]
  const places = async (content: string | Uint8Array) =>
    (await recorded(content)).map(({ number, trouble }) => [number, trouble])

  it.each<[string, string, number[]]>([
    ['one exchange a line', two.map((each) => JSON.stringify(each)).join('\n\n'), [1, 3]],
    ['with carriage returns', `${two.map((each) => JSON.stringify(each)).join('\r\n')}\r\n`, [1, 2]],
    ['a list', JSON.stringify(two, null, 2), [1, 2]],
    ['one exchange', JSON.stringify(plainExchange(rejected, { status: 400 })), [1]],
    ['one exchange in many lines', JSON.stringify(two[0], null, 2), [1]],
    ['nothing', ' \n', []],
    ['an empty file', '', []],
    ['with a mark of the byte order', `\ufeff${JSON.stringify(two[0])}`, [1]],
  ])('%s', async (_name, content, numbers) => {
    expect(await places(content)).toEqual(numbers.map((number) => [number, undefined]))
    expect(await places(gzipSync(content))).toEqual(await places(content))
    expect(await places(Buffer.from(`\ufeff${content.replace(/^\ufeff/, '')}`, 'utf16le'))).toEqual(
      await places(content),
    )
  })

  it('reports broken lines and reads on', async () => {
    const line = JSON.stringify(two[0])
    expect(await places([line, 'nonsense', line.slice(0, 40), '{}', line].join('\n'))).toEqual([
      [1, undefined],
      [2, 'line 2 is not JSON, and the file is neither HAR nor output of curl -i'],
      [3, 'line 3 is not JSON, and the file is neither HAR nor output of curl -i'],
      [4, 'line 4 is not an exchange: it needs request.url and response.status'],
      [5, undefined],
    ])
    expect(await places(`${line.slice(0, 40)}\n${line}\n`)).toEqual([
      [1, expect.stringMatching(/^line 1/)],
      [2, undefined],
    ])
    expect(await places('hello\nworld')).toEqual([
      [1, expect.stringMatching(/^line 1/)],
      [2, expect.anything()],
    ])
  })

  it('takes the request from the caller if it names none, and only there', async () => {
    const known = { method: 'DELETE', url: `${path}/a` }
    const reported = async (request: object) => {
      const [first] = await recorded(JSON.stringify({ request, response: { status: 204 } }), known)
      const { method, url } = first?.exchange?.request ?? {}
      return [method, url]
    }
    expect(await reported({})).toEqual(['DELETE', `${path}/a`])
    expect(await reported({ method: 'GET', url: path })).toEqual(['GET', path])
  })

  it('reads bytes that a program wrote as JSON', async () => {
    const [first] = two
    const body: unknown = JSON.parse(JSON.stringify(Buffer.from(good)))
    expect(await broken(JSON.stringify({ ...first, response: { ...first?.response, body } }))).toEqual([''])
  })

  it.each([{ status: 0 }, null])('skips the response %j, which is none', async (response) => {
    const aborted = { request: { url: path }, response }
    expect(await recorded(JSON.stringify(aborted))).toEqual([{ number: 1, aborted: path }])
  })

  it('names a zip archive for what it is', async () => {
    await expect(recorded(Buffer.from('PK\x03\x04 and so on'))).rejects.toThrow(/zip archive: extract it/)
  })
})

it.runIf(inFull)(
  'a recording of 300 MB takes the memory of a piece of it',
  async () => {
    const text = JSON.stringify(entry({ text: JSON.stringify(page({}, 30)) }))
    const block = Buffer.from(`${text},\n`.repeat(Math.ceil((1024 * 1024) / text.length)))
    async function* source() {
      yield Buffer.from('{"log":{"entries":[\n')
      for (let at = 0; at < 300; at++) yield block
      yield Buffer.from(`${text}]}}`)
    }
    const { readTraffic } = await import('./read-traffic.ts')
    const before = process.memoryUsage().rss
    let entries = 0
    let most = 0
    for await (const { exchange: each } of readTraffic(source())) {
      entries += Number(each !== undefined)
      if (entries % 5000 === 0) most = Math.max(most, process.memoryUsage().rss - before)
    }
    expect(entries).toBeGreaterThan(30_000)
    expect(most / 1024 / 1024).toBeLessThan(200)
  },
  60_000,
)
