/**
 * Bodies that are made to hurt, and very many of them: time and memory stay within bounds.
 */

import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { PlainExchange } from '../exchange/plain-exchange.ts'
import { inFull, inSample } from '../scripts/support/in-full.ts'
import { timed } from '../scripts/support/timed.ts'
import { expectWithin } from '../test/support/expect-within.ts'
import { note, page, plainExchange } from '../test/validate/exchanges.ts'
import { createCoverage } from './coverage/create-coverage.ts'
import { createValidator } from './create-validator.ts'
import { describeResult } from './finding.ts'
import { readTraffic } from './traffic/read-traffic.ts'

const validator = createValidator({ profile: 'standard' })
const url = '/api/v1/collections/notes/records'

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
const head = JSON.stringify(page({}, 1)).slice(0, -2)
const record = JSON.stringify(note())
const megabytes50 = 50 * 1024 * 1024

describe('a body', () => {
  it('of more values than fit into memory is not read', () => {
    const body = `${head}${',[]'.repeat(2_500_000)}]}`
    const { unjudged } = validator.validate(plainExchange(body, { status: 200, url }))
    expect(unjudged).toBe('the body has more than 4194304 JSON values')
  })

  it.each<[string, string]>([
    ['of a hundred thousand arrays in each other', nested(100_000, '[', ']')],
    ['of a hundred thousand objects in each other', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    [
      'with deep expansions',
      record.replace(
        '}',
        `,"expand":${`{"a":${record.slice(0, -1)},"expand":`.repeat(20_000)}{}${'}}'.repeat(20_000)}}`,
      ),
    ],
    [
      'with deep errors',
      `{"status":400,"message":"x","data":${'{"a":'.repeat(20_000)}{}${'}'.repeat(20_000)}}`,
    ],
    ['of a hundred thousand broken records', `${head}${',{"id":1}'.repeat(100_000)}]}`],
    [
      'of a hundred thousand wrong errors',
      `{"status":400,"message":"x","data":{${Array.from({ length: 100_000 }, (_, at) => `"f${at}":{"code":"A","message":""}`).join(',')}}}`,
    ],
    ['with 200,000 keys', `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
    ['with one very long text', `{"id":"${'x'.repeat(20_000_000)}"}`],
    ['that is cut off', `${head},{"id":"${'x'.repeat(1_000_000)}`],
  ])(
    '%s is judged soon, and reported briefly',
    (_name, body) => {
      for (const [status, path] of [
        [200, url],
        [200, `${url}/note00000000000`],
        [400, url],
      ] as const) {
        const [result, ms] = timed(() => validator.validate(plainExchange(body, { status, url: path })))
        expect(result.ok).toBe(false)
        expect(result.findings.length).toBeLessThanOrEqual(50)
        expect(result.findings.join('\n').length).toBeLessThan(50_000)
        expectWithin(ms, 5_000)
      }
    },
    60_000,
  )

  it('over the limit is not looked into, and says so', () => {
    const [result, ms] = timed(() => validator.validate(plainExchange(`[${' '.repeat(megabytes50)}]`)))
    expect(result).toMatchObject({
      ok: true,
      unjudged: expect.stringMatching(/^the body is larger than the limit of /),
    })
    expectWithin(ms, 500)
    expect(
      createValidator({ profile: 'standard', strict: true }).validate(plainExchange('x'.repeat(megabytes50)))
        .ok,
    ).toBe(false)
  })

  it('of 50 MB is judged when the limit allows', () => {
    const large = createValidator({ profile: 'standard', limit: 64 * 1024 * 1024 })
    const items = `${record},`.repeat(Math.floor(megabytes50 / record.length))
    const body = `{"page":1,"perPage":30,"totalItems":3,"totalPages":1,"items":[${items}${record}]}`
    const [result, ms] = timed(() => large.validate(plainExchange(body)))
    expect(result.findings.map(({ requirement }) => requirement)).toContain('list.at-most-per-page')
    expectWithin(ms, 15_000)
  }, 60_000)

  it('with keys that mean something to the language is a body like any other', () => {
    const text = record.replace(
      '{',
      '{"__proto__":{"tokenKey":"x"},"constructor":{"prototype":1},"hasOwnProperty":1,',
    )
    const { findings } = validator.validate(plainExchange(text, { url: `${url}/note00000000000` }))
    expect(findings.map(({ requirement }) => requirement)).toEqual(['wire.no-secrets'])
    expect(({} as { tokenKey?: string }).tokenKey).toBeUndefined()
    const bare = validator.validate(plainExchange('{"__proto__":{"id":"a"}}', { url: `${url}/a` }))
    expect(bare.findings.map(({ requirement }) => requirement)).toContain('record.id')
  })

  it('with lone surrogates, or a key twice, is read as the language reads it', () => {
    const surrogate = record.replace('title 00', '\\ud800 \\udc00')
    expect(validator.validate(plainExchange(surrogate, { url: `${url}/note00000000000` })).ok).toBe(true)
    const twice = record.replace('{', '{"id":7,')
    expect(validator.validate(plainExchange(twice, { url: `${url}/note00000000000` })).ok).toBe(true)
  })

  it('packed to a thousandth of its size is not unpacked beyond the limit', async () => {
    const { gzipSync } = await import('node:zlib')
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const [result, ms] = timed(() =>
      validator.validate({ request: { url }, response: { status: 200, headers, body: bomb } }),
    )
    expect(result.unjudged).toMatch(/gzip/)
    expectWithin(ms, 3_000)
  })
})

describe('JSON of 200,000 levels', () => {
  const lists = nested(200_000, '[', ']')
  const objects = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
  const into = (key: string, value: string) => `${record.slice(0, -1)},"${key}":${value}}`
  const bodies: Readonly<Record<string, string>> = {
    lists,
    objects,
    'a field of lists': into('json', lists),
    'a field of objects': into('json', objects),
    'expanded records': into('expand', objects),
    'an item': `${head},${lists}]}`,
    'a field of an item': `${head},${into('json', objects)}]}`,
    'the data of an error': `{"status":400,"message":"x","data":${objects}}`,
  }
  const paths = [
    url,
    `${url}?fields=id,a.b&sort=json&filter=json.a=1`,
    `${url}/note00000000000?fields=*`,
    '/api/v1/batch',
  ]

  it.each(Object.entries(bodies).filter(inSample(16, 3)))(
    'is judged without an exception, as a string and as a value: %s',
    (_, text) => {
      for (const status of [200, 400])
        for (const path of paths)
          for (const body of [text, JSON.parse(text)]) {
            const request = { method: path === '/api/v1/batch' ? 'POST' : 'GET', url: path, body }
            const response = { status, headers: { 'content-type': 'application/json' }, body }
            expect(
              describeResult(validator.validate({ request, response } as PlainExchange)).length,
            ).toBeLessThan(20_000)
          }
    },
  )

  it('is read from a recording, and judged there', async () => {
    const recorded = Object.values(bodies).filter(inSample(8, 2))
    const lines = recorded.map(
      (body) => `{"request":{"url":"${url}","body":${body}},"response":{"status":200,"body":${body}}}`,
    )
    const entries = recorded.map((text) => ({
      request: { url: `http://host${url}`, postData: { text } },
      response: { status: 200, content: { text } },
    }))
    for (const text of [lines.join('\n'), JSON.stringify({ log: { entries } }), lists, objects]) {
      let judged = 0
      for await (const { exchange: found } of readTraffic(Readable.from([Buffer.from(text)]))) {
        if (found !== undefined) judged += validator.validate(found).operation === undefined ? 0 : 1
      }
      expect(judged).toBe(text === lists || text === objects ? 0 : recorded.length)
    }
  })
})

describe('a query', () => {
  it.each([
    ['filter', `${"a='x' && ".repeat(5_000)}a='`],
    ['filter', `a='${'\\'.repeat(50_001)}`],
    ['sort', ','.repeat(100_000)],
    ['sort', `${' '.repeat(100_000)}x`],
    ['fields', `${'a.'.repeat(50_000)}b`],
    ['fields', `${':a('.repeat(50_000)}`],
    ['page', '9'.repeat(100_000)],
  ])('%s that is long takes no long time', (name, value) => {
    const each = plainExchange(page(), { url: `${url}?${name}=${encodeURIComponent(value)}` })
    const [, ms] = timed(() => validator.validate(each))
    expectWithin(ms, 1_000)
  })
})

/** A hundred thousand of them take half a minute. */
const manyUrls = inFull ? 100_000 : 5_000

it(`${manyUrls} URLs leave nothing behind`, () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const own = createValidator({ profile: 'standard', coverage: createCoverage() })
  const body = page()
  const run = (from: number, count: number) => {
    for (let at = from; at < from + count; at++) {
      const target = `http://host${at % 50}/api/v1/collections/table${at}/records?page=1&filter=a${at}%3D${at}&sort=s${at}`
      own.validate({
        request: { method: 'GET', url: target },
        response: {
          status: at % 7 === 0 ? 200 : 600 + (at % 300),
          headers: { 'content-type': 'application/json' },
          body,
        },
      })
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = run(0, manyUrls / 5)
  const after = run(manyUrls / 5, manyUrls)
  expect((after - before) / 1024 / 1024).toBeLessThan(3)
}, 120_000)
