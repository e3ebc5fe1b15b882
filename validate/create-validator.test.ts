/**
 * The validator as a library: what conforms, what every response owes, and what counts.
 */

import { describe, expect, it } from 'vitest'
import type { PlainExchange } from '../exchange/plain-exchange.ts'
import { broken, list, one, validator } from '../test/validate/broken.ts'
import { note, page, plainExchange, rejected } from '../test/validate/exchanges.ts'
import { createCoverage } from './coverage/create-coverage.ts'
import { createValidator } from './create-validator.ts'
import { describeResult } from './finding.ts'
import {
  assertConforms,
  conformChai,
  conformingFetch,
  conformMatchers,
  connectConform,
  type IntegrationOptions,
} from './validate.ts'
import type { ValidationResult } from './vocabulary.ts'

describe('what conforms', () => {
  it.each<[string, PlainExchange]>([
    ['a list', plainExchange(page())],
    ['an empty list', plainExchange(page({ totalPages: 0 }, 0))],
    ['a page beyond the end', plainExchange(page({ page: 9, items: [] }), { url: `${list}?page=9` })],
    [
      'a list without totals',
      plainExchange(page({ totalItems: -1, totalPages: -1 }), { url: `${list}?skipTotal=1` }),
    ],
    ['a sorted list', plainExchange(page(), { url: `${list}?sort=-collectionName,title` })],
    [
      'a filtered list',
      plainExchange(page(), {
        url: `${list}?filter=${encodeURIComponent('title ~ \'TITLE\' && rank < 3 && collectionName = "notes"')}`,
      }),
    ],
    ['a picked list', plainExchange(page({ items: [{ title: 'a' }] }, 1), { url: `${list}?fields=title` })],
    [
      'a record with a short id',
      plainExchange({ id: 'note0...' }, { url: `${one}?fields=id:excerpt(5,true)` }),
    ],
    [
      'a written record with everything short',
      plainExchange(
        { id: 'note0', collectionId: 'notes', collectionName: 'no', created: '2', updated: '1', title: 't' },
        { method: 'PATCH', url: `${one}?fields=${encodeURIComponent('title, * : excerpt(5)')}` },
      ),
    ],
    ['a record', plainExchange(note(), { url: one })],
    [
      'a record, by the identifier of its table',
      plainExchange(note(), { url: one.replace('notes', 'notes_id') }),
    ],
    ['a deletion', plainExchange(undefined, { method: 'DELETE', url: one, status: 204, contentType: '' })],
    [
      'a media type with a parameter',
      plainExchange(page(), { contentType: 'Application/JSON; charset=utf-8' }),
    ],
    ['a method in lower case', plainExchange(note(), { method: 'post', url: list })],
    ['a list whose address has a fragment', plainExchange(page(), { url: `${list}#top?page=2` })],
    [
      'a batch below a base path',
      plainExchange([], { method: 'POST', url: '/base/api/v1/batch', sent: { requests: [] } }),
    ],
    ['a refusal', plainExchange(rejected, { status: 400 })],
    ['a base path before the prefix', plainExchange(page(), { url: `http://host/base${list}` })],
    [
      'bytes',
      {
        ...plainExchange(page()),
        response: {
          status: 200,
          headers: [['Content-Type', 'application/json']] as never,
          body: Buffer.from(JSON.stringify(page())),
        },
      },
    ],
    [
      'a parsed body',
      {
        ...plainExchange(page()),
        response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: page() },
      },
    ],
  ])('%s', (_name, each) => {
    expect(validator.validate(each)).toMatchObject({ ok: true, findings: [], operation: expect.any(String) })
  })

  it('says so when a request is not part of the interface', () => {
    for (const url of ['/health', '//api/v1/batch', '/base//api/v1/collections/notes/records'])
      expect(validator.validate(plainExchange({}, { method: 'POST', status: 404, url }))).toEqual({
        ok: true,
        operation: undefined,
        findings: [],
      })
  })
})

describe('what shows no body of the interface', () => {
  const empty = (status: number, method = 'GET') => plainExchange(undefined, { status, method })
  const cut = plainExchange('{"page":1,', { status: 206 })
  it.each<[string, PlainExchange, RegExp]>([
    ['a response of a cache', empty(304), /^304: .*cache/],
    ['the same with the body of the cache', plainExchange(page(), { status: 304 }), /^304: .*cache/],
    ['a part of a body', cut, /^206: .*part/],
    ['an early hint', empty(103), /^103: /],
  ])('is neither valid nor a violation: %s', (_name, each, why) => {
    for (const profile of ['standard', 'none'] as const)
      expect(createValidator({ profile }).validate(each)).toMatchObject({
        ok: true,
        findings: [],
        unjudged: expect.stringMatching(why),
      })
    expect(createValidator({ strict: true }).validate(each).ok).toBe(false)
  })

  it('is a redirect, which only the profile rules out', () => {
    const { ok, unjudged } = createValidator().validate(empty(302))
    expect([ok, unjudged]).toEqual([true, '302: a redirect without a body'])
    expect(broken(empty(302))).toEqual(['wire.documented-status $'])
  })

  it('is not a redirect with a body, which must be JSON like any other', () => {
    const { findings, unjudged } = createValidator().validate(plainExchange('<html>', { status: 302 }))
    expect([unjudged, findings.map(({ requirement }) => requirement)]).toEqual([
      undefined,
      expect.arrayContaining(['wire.json-bodies']),
    ])
  })

  it.each(['HEAD', 'head'])(
    'never is the response to %s, whatever a recording says about its body',
    (method) => {
      const recording = { ...empty(200, method), unjudged: 'the recording has no body' }
      expect(createValidator({ strict: true }).validate(recording)).toEqual({
        ok: true,
        operation: 'listRecords',
        findings: [],
      })
      expect(broken(empty(500, method))).toEqual(['wire.no-server-error $', 'wire.no-5xx $'])
    },
  )

  it('is not an empty body, whatever its encoding: that one is complete', () => {
    const none = (status: number, method: string, url: string): PlainExchange => ({
      request: { method, url },
      response: { status, headers: { 'content-encoding': 'gzip' }, body: new Uint8Array(0) },
    })
    expect(createValidator({ strict: true }).validate(none(204, 'DELETE', one)).ok).toBe(true)
    expect(broken(none(200, 'GET', list))).toContain('wire.no-empty-success $')
  })

  it('counts for no requirement in the coverage', () => {
    const coverage = createCoverage()
    for (const each of [
      empty(304),
      empty(200, 'HEAD'),
      { ...empty(200), unjudged: 'the recording has no body' },
    ])
      createValidator({ coverage }).validate(each)
    expect(coverage.report()).toMatchObject({ exchanges: 3, judged: {} })
  })
})

describe('a table that is not among the tables', () => {
  const using = createValidator({ tables: [{ id: 'pbc_2', name: 'note', fields: [] }, { name: 'users' }] })
  const said = (each: PlainExchange) => using.validate(each).note

  it('is named, with the table that was meant', () => {
    const each = plainExchange(page())
    expect(said(each)).toBe(
      '"notes" is not among the tables, so its fields are not checked. Did you mean "note"?',
    )
    expect(describeResult(using.validate(each))).toContain('note: "notes" is not among the tables')
    expect(using.validate(each).ok).toBe(true)
  })

  it.each<[string, PlainExchange]>([
    ['of a rejected request', plainExchange({ ...rejected, status: 404 }, { status: 404 })],
    [
      'of the server itself',
      plainExchange(page({ totalPages: 0 }, 0), { url: list.replace('notes', '_logs') }),
    ],
    [
      'by its identifier',
      plainExchange(page({ items: [note(0, { collectionName: 'note' })] }, 1), {
        url: list.replace('notes', 'pbc_1'),
      }),
    ],
    ['named in another case', plainExchange(page(), { url: list.replace('notes', 'NOTE') })],
    [
      'named by an identifier that the tables have',
      plainExchange(page(), { url: list.replace('notes', 'pbc_2') }),
    ],
  ])('is not named if it is %s', (_name, each) => {
    expect(said(each)).toBeUndefined()
  })
})

describe('what every response owes', () => {
  it.each<[string, PlainExchange, string]>([
    ['a status that is not described', plainExchange(page(), { status: 418 }), 'wire.documented-status $'],
    [
      'a server error',
      plainExchange({ ...rejected, status: 500 }, { status: 500 }),
      'wire.no-server-error $',
    ],
    ['no JSON', plainExchange('<html>'), 'wire.json-bodies $'],
    ['a refusal that is no JSON', plainExchange('no', { status: 400 }), 'wire.json-errors $'],
    ['a refusal without a body', plainExchange(undefined, { status: 404 }), 'error.envelope $'],
    ['another label', plainExchange(page(), { contentType: 'text/plain' }), 'wire.json-media-type $'],
    ['another media type', plainExchange(page(), { contentType: 'text/plain' }), 'wire.media-type $'],
    ['an empty success', plainExchange(undefined), 'wire.no-empty-success $'],
    ['a write answered with nothing', plainExchange(undefined, { method: 'POST' }), 'wire.schema $'],
    [
      'a 204 with a body',
      plainExchange({}, { method: 'DELETE', url: one, status: 204 }),
      'wire.no-empty-success $',
    ],
    ['the same where 204 is not described', plainExchange({}, { status: 204 }), 'wire.no-empty-success $'],
    ['a 503', plainExchange({ ...rejected, status: 503 }, { status: 503 }), 'wire.no-5xx $'],
    ...[`\ufeff${JSON.stringify(page())}`, '\ufeff"\xff'].map((text): [string, PlainExchange, string] => [
      `a byte order mark, in ${text.length} characters,`,
      {
        ...plainExchange(undefined),
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(text.slice(-1), 'latin1')]),
        },
      },
      'wire.json-bodies $',
    ]),
    [
      'bytes that are not UTF-8',
      {
        ...plainExchange(undefined),
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: new Uint8Array([0x22, 0xff, 0x22]),
        },
      },
      'wire.json-utf8 $',
    ],
    ['a wrong type', plainExchange(page({ page: '1' })), 'list.page $.page'],
    ['a page below the first', plainExchange(page({ page: 0 })), 'wire.schema $.page'],
    [
      'something else under expand',
      plainExchange(note(0, { expand: { parent: null } }), { url: one }),
      'wire.schema $.expand.parent',
    ],
    [
      'a written record without its id',
      plainExchange(note(0, { id: undefined }), { method: 'PATCH', url: one }),
      'wire.schema $.id',
    ],
    [
      'a secret in what is left open',
      plainExchange(
        note(0, { expand: { by: note(1, { verified: true, emailVisibility: true, tokenKey: 'k' }) } }),
        {
          url: one,
        },
      ),
      'wire.no-secrets $.expand.by.tokenKey',
    ],
    [
      'a key missing deep inside',
      plainExchange(page({ items: [note(0, { id: undefined })] }, 1)),
      'record.id $.items[0].id',
    ],
    [
      'a moment that does not exist',
      plainExchange(note(0, { updated: '2024-02-30 00:00:00.000Z' }), { url: one }),
      'record.updated $.updated',
    ],
    [
      'an envelope with more',
      plainExchange({ ...rejected, trace: 'x' }, { status: 400 }),
      'error.envelope $.trace',
    ],
  ])('%s is found', (_name, each, expected) => {
    expect(broken(each)).toContain(expected)
  })
})

describe('what a response may do', () => {
  it.each<[string, PlainExchange, string]>([
    [
      'say that it is not implemented',
      plainExchange({ ...rejected, status: 501 }, { status: 501 }),
      'wire.no-5xx',
    ],
    [
      'have JSON of another media type',
      plainExchange(rejected, { status: 400, contentType: 'application/problem+json' }),
      'wire.json-media-type',
    ],
    ['be a 204 without a body', plainExchange(undefined, { url: one, status: 204 }), 'wire.no-empty-success'],
  ])('is to %s', (_name, each, requirement) => {
    expect(broken(each).join()).not.toContain(requirement)
  })
})

describe('what counts', () => {
  it('leaves the profile out if it is not claimed', () => {
    const none = createValidator({ profile: 'none' })
    const { ok, findings } = none.validate(plainExchange(page({ perPage: 50 })))
    expect([ok, findings[0]?.status]).toEqual([true, 'observed'])
    expect(none.validate(plainExchange(page({ page: 'x' }))).ok).toBe(false)
  })

  it('counts a broken SHOULD only when strict', () => {
    const each = plainExchange(page(), { contentType: 'application/vnd.api' })
    expect(createValidator({ profile: 'none' }).validate(each).ok).toBe(true)
    expect(createValidator({ profile: 'none', strict: true }).validate(each).ok).toBe(false)
  })

  it.each(['/api', 'api/', '', '/'])('knows the prefix %j', (prefix) => {
    const other = createValidator({ profile: 'standard', prefix })
    const url = `${prefix.includes('api') ? '/api' : ''}/collections/notes/records`
    const result = other.validate(plainExchange(page({ page: 0 }), { url }))
    expect([result.operation, result.ok]).toEqual(['listRecords', false])
  })

  it('rejects a prefix that is a URL', () => {
    expect(() => createValidator({ prefix: 'http://x.test/api' })).toThrow(
      'The option "prefix" of the validator is "http://x.test/api": expected a path such as "/api/v1", or "" for none.',
    )
  })

  it('describes a finding in at most ten lines', () => {
    const result = validator.validate(
      plainExchange(page({ items: [note(0, { created: 'x\n'.repeat(5000) })] }, 1)),
    )
    for (const finding of result.findings) expect(String(finding).split('\n').length).toBeLessThanOrEqual(10)
    expect(describeResult(result)).toMatchInlineSnapshot(`
      "The response to listRecords does not conform
        fail  record.created  MUST  (stated, section 2.1)
          The \`created\` of a record MUST be a valid timestamp in the form of the date, one space, the time to the millisecond and a final Z.
          at        $.items[0].created
          expected  an instant as YYYY-MM-DD HH:MM:SS.mmmZ
          received  "x\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\…"
    `)
  })

  it('takes an operation that the request does not tell', () => {
    const { request, response } = plainExchange(note(), { url: list })
    const { method: _method, ...rest } = request
    expect(validator.validate({ request: rest, response, operation: 'createRecord' })).toEqual({
      ok: true,
      operation: 'createRecord',
      findings: [],
    })
    expect(validator.validate({ request: rest, response })).toMatchObject({ operation: 'listRecords' })
  })

  it.each<[string, unknown, string]>([
    ['a status in quotes', { response: { status: '200' } }, 'response.status must be a number; found "200"'],
    ['no status', { response: {} }, 'response.status must be a number; found nothing'],
    [
      'a status of no response',
      { response: { status: 0 } },
      'response.status must be the status of a response; found 0',
    ],
    [
      'a status that is none',
      { response: { status: Number.NaN } },
      'response.status must be the status of a response; found NaN',
    ],
    [
      'headers that are a string',
      { response: { status: 200, headers: 'a: b' } },
      'response.headers must be an object; found "a: b"',
    ],
    [
      'no response',
      { response: undefined },
      'response must be an object with status, headers and body; found nothing',
    ],
    ['no request', { request: undefined }, 'request must be an object with method and url; found nothing'],
    ['another name for the url', { request: { uri: list } }, 'request.url must be a string; found nothing'],
    [
      'an object for the url',
      { request: { url: new URL('http://x/') } },
      'request.url must be a string; found an object',
    ],
    [
      'a method that is none',
      { request: { url: list, method: 5 } },
      'request.method must be a string; found 5',
    ],
    [
      'headers of the request that are none',
      { request: { url: list, headers: 5 } },
      'request.headers must be an object; found 5',
    ],
  ])('names what is wrong in an exchange: %s', (_name, part, message) => {
    const exchange = { ...plainExchange(page()), ...(part as object) }
    expect(() => validator.validate(exchange as PlainExchange)).toThrow(
      `This exchange cannot be validated: ${message}.`,
    )
  })

  it.each<[string, unknown]>([
    ['a promise', Promise.resolve('{}')],
    ['a stream', new Response('{}').body],
    ['a Blob', new Blob(['{}'])],
    ['a bigint', 5n],
    ['a function', () => '{}'],
  ])('says that a body must be read first: %s', (_name, body) => {
    const exchange = plainExchange(undefined)
    expect(() => validator.validate({ ...exchange, response: { ...exchange.response, body } })).toThrow(
      'response.body must be a string, bytes or parsed JSON',
    )
  })

  it('reads bytes of every kind', () => {
    const text = JSON.stringify(page())
    const { buffer } = new TextEncoder().encode(text)
    const { buffer: longer } = new TextEncoder().encode(`{${text}}`)
    for (const body of [
      buffer,
      new DataView(longer, 1, text.length),
      new Int8Array(longer, 1, text.length),
    ]) {
      const exchange = plainExchange(undefined)
      expect(validator.validate({ ...exchange, response: { ...exchange.response, body } }).ok).toBe(true)
    }
  })

  it('reads a body of exactly as many bytes as the limit', () => {
    const text = JSON.stringify(page())
    const unjudged = (limit: number, body: string | Uint8Array) =>
      createValidator({ limit }).validate({
        request: { method: 'GET', url: list },
        response: { status: 200, headers: { 'content-type': 'application/json' }, body },
      }).unjudged
    for (const body of [text, Buffer.from(text)]) {
      expect(unjudged(text.length, body)).toBeUndefined()
      expect(unjudged(text.length - 1, body)).toBe(
        `the body is larger than the limit of ${text.length - 1} bytes`,
      )
    }
  })

  it('names what is wrong in a response', () => {
    const known = { method: 'GET', url: list }
    expect(() => validator.validate({ status: '200', headers: {}, body: '' } as never, known)).toThrow(
      'This exchange cannot be validated: status must be a number; found "200".',
    )
  })

  it('says what to pass instead of the error of a client', () => {
    const response = { status: 404, headers: {}, data: {}, config: {} }
    const errorWith = (more: object) => Object.assign(new Error('failed'), more)
    const axios = { isAxiosError: true, name: 'AxiosError', config: {}, request: {} }
    expect(() => validator.validate(errorWith({ ...axios, response, status: 404 }))).toThrow(
      'This is an error of axios: pass error.response.',
    )
    expect(() => validator.validate(errorWith({ ...axios, response: undefined }))).toThrow(
      'This is an error of axios without a response, so there is nothing to validate: failed',
    )
    const request = new Request(`http://x${list}`, { method: 'POST' })
    for (const more of [{ request }, { request: list, status: 404, statusCode: 404 }, { status: 404 }])
      expect(() =>
        validator.validate(errorWith({ name: 'HTTPError', response: new Response(), ...more })),
      ).toThrow('This is an error (HTTPError): pass error.response.')
  })

  it.each<[object, string]>([
    [{ methd: 'POST' }, 'There is no fact of the request "methd". Did you mean "method"?'],
    [
      { operation: 'listRecord', url: list },
      'There is no operation "listRecord". Did you mean "listRecords"?',
    ],
  ])('rejects a request %j of a response', (known, message) => {
    expect(() => validator.validate(plainExchange(page()).response, known)).toThrow(message)
  })

  it('takes a Request as what is known', () => {
    const coverage = createCoverage()
    const { response } = plainExchange(note())
    const request = new Request(`http://x${list}`, { method: 'POST', body: '{}' })
    const using = createValidator({ coverage })
    expect(using.validate(response, request as never).operation).toBe('createRecord')
    expect(coverage.report().seen.createRecord).toMatchObject([{ actor: 'guest' }])
  })

  it('takes what is passed next to an exchange, but not what is undefined in it', () => {
    const exchange = plainExchange(note(), { url: list })
    const known = { method: 'POST', url: undefined } as object
    expect(validator.validate(exchange, known)).toMatchObject({ ok: true, operation: 'createRecord' })
  })

  it('rejects an unknown operation in an exchange, and takes null for none', () => {
    const exchange = plainExchange(page())
    expect(() => validator.validate({ ...exchange, operation: 'x' as never })).toThrow(
      'There is no operation "x".',
    )
    expect(validator.validate({ ...exchange, operation: null as never }).operation).toBe('listRecords')
  })

  it('rejects what is not a response', () => {
    expect(() => validator.validate(7)).toThrow(/not a response of a known kind/)
    expect(() => validator.validate(Promise.resolve())).toThrow('This is a promise, not its response: await')
    expect(() => validator.validate({ status: 200, body: '' }, {})).toThrow(
      /no information about its request/,
    )
  })
})

describe('options', () => {
  const tableWith = (field: object) => ({ tables: [{ name: 'x', fields: [field] }] })

  it.each<[object, string]>([
    [{ profil: 'standard' }, 'There is no option of the validator "profil". Did you mean "profile"?'],
    [
      { profile: 'standart' },
      'The option "profile" of the validator is "standart": expected "standard" or "none".',
    ],
    [{ strict: 'yes' }, 'The option "strict" of the validator is "yes": expected true or false.'],
    [{ tables: 'notes' }, 'The option "tables" of the validator is "notes": expected a list.'],
    [{ limit: [] }, 'The option "limit" of the validator is an object: expected a number.'],
    [{ limit: -1 }, 'The option "limit" of the validator is -1: expected a number of bytes, at least 1.'],
    [{ limit: Number.NaN }, 'The option "limit" of the validator is NaN: expected a number of bytes'],
    [
      { coverage: createCoverage },
      'The option "coverage" of the validator is a function: expected an object.',
    ],
    [{ coverage: {} }, 'The option "coverage" of the validator is not a collector: pass createCoverage().'],
    [{ tables: [{ nam: 'x' }] }, 'Table definition 0 has no "name": "nam" is probably a misspelling of it.'],
    [
      tableWith({ name: 'rank', type: 'nmber' }),
      '"type" of field "rank" of table "x" is "nmber": there is no such type. Did you mean "number"?',
    ],
    [
      tableWith({ name: 'rank' }),
      '"type" of field "rank" of table "x" is missing. Types: text, number, bool',
    ],
    [tableWith({ type: 'text' }), '"name" of field 0 of table "x" is missing.'],
    [
      tableWith({ name: 'rank', type: 'number', max: '2' }),
      '"max" of field "rank" of table "x" must be a number; found a string.',
    ],
    [tableWith({ name: 'kind', type: 'select' }), '"values" of field "kind" of table "x" is missing: a list'],
    [{ tables: [{ name: 'x', fieldz: [] }] }, '"fieldz" of table "x" is unknown. Did you mean "fields"?'],
  ])('%j is rejected', (options, message) => {
    expect(() => createValidator(options)).toThrow(message)
    const integrations = [
      conformMatchers,
      assertConforms,
      conformChai,
      connectConform,
      (given: IntegrationOptions) => conformingFetch(fetch, given),
    ]
    for (const integrate of integrations) expect(() => integrate(options)).toThrow(message)
  })

  it('an option next to an existing validator is rejected, because it would have no effect', () => {
    for (const integrate of [conformMatchers, connectConform])
      expect(() => integrate({ validator, profile: 'standard' })).toThrow(
        'The option "profile" has no effect on an existing validator: pass it to createValidator().',
      )
  })

  it('a mode that an integration does not have is rejected', () => {
    const modes = { mode: 'fail' } as object
    expect(() => conformingFetch(fetch, modes)).toThrow('"mode" is "fail": expected "throw" or "report".')
    expect(() => connectConform({ modee: 'mark' } as object)).toThrow(
      'There is no option of the validator "modee". Did you mean "mode"?',
    )
    expect(() => connectConform({ mode: 'throw' } as object)).toThrow(
      '"mode" is "throw": expected "fail" or "mark" or "report".',
    )
  })
})

it('reads the body of plain data in the form of a supertest response', () => {
  const { response } = plainExchange(note(), { url: list })
  const plain = { ...response, req: { method: 'GET', path: list } }
  const wrong = { ...plain, body: { page: 1 } }
  const results = [plain, wrong].map((each) => validator.validate(each as unknown as PlainExchange))
  const requirements = (results[1] as ValidationResult).findings.map(({ requirement }) => requirement)
  expect(requirements).toContain('list.items')
  expect((results[0] as ValidationResult).findings.map(({ received }) => received)).not.toContain('no body')
})

describe('a method that nothing names', () => {
  const { request, response } = plainExchange(note(), { url: list })
  const { method: _, ...unnamed } = request

  it('is assumed, and the result says so', () => {
    const exchange: PlainExchange = { request: unnamed, response }
    const result = validator.validate(exchange)
    expect(result).toMatchObject({ ok: false, operation: 'listRecords', assumedMethod: 'GET' })
    expect(describeResult(result)).toContain(
      "GET was assumed. If it was another one, pass it: { method: 'POST' }.",
    )
    expect(validator.validate({ request: { ...unnamed, method: 'POST' }, response })).not.toHaveProperty(
      'assumedMethod',
    )
  })

  it.each<[string, number, string, string]>([
    ['DELETE for a 204', 204, one, 'deleteRecord'],
    ['POST for a 201', 201, list, 'createRecord'],
    ['the only one of the path', 400, '/api/v1/collections/notes/auth-refresh', 'authRefresh'],
  ])('is %s', (_name, status, url, operation) => {
    expect(validator.validate({ request: { url }, response: { status } }).operation).toBe(operation)
  })

  it('is not assumed where it is another one than those of the path', () => {
    const asked: PlainExchange = { request: { method: 'PUT', url: list }, response }
    expect(validator.validate(asked).operation).toBeUndefined()
  })
})
