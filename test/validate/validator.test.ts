/**
 * The validator as a library: every check is shown one response that keeps it and one that breaks it.
 */

import { describe, expect, it } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { createValidator } from '../../validate/create-validator.ts'
import { describeResult } from '../../validate/finding.ts'
import type { PlainExchange } from '../../validate/vocabulary.ts'
import { exchange, type Json, note, page, refused, time } from './exchanges.ts'

const validator = createValidator()
const list = '/api/v1/collections/notes/records'
const one = `${list}/note00000000000`
const broken = (each: PlainExchange, using = validator) =>
  using.validate(each).findings.map(({ requirement, path }) => `${requirement} ${path}`)

describe('what conforms', () => {
  it.each<[string, PlainExchange]>([
    ['a list', exchange(page())],
    ['an empty list', exchange(page({ totalPages: 0 }, 0))],
    ['a page beyond the end', exchange(page({ page: 9, items: [] }), { url: `${list}?page=9` })],
    [
      'a list without totals',
      exchange(page({ totalItems: -1, totalPages: -1 }), { url: `${list}?skipTotal=1` }),
    ],
    ['a sorted list', exchange(page(), { url: `${list}?sort=-collectionName,title` })],
    [
      'a filtered list',
      exchange(page(), {
        url: `${list}?filter=${encodeURIComponent('title ~ \'TITLE\' && rank < 3 && collectionName = "notes"')}`,
      }),
    ],
    ['a picked list', exchange(page({ items: [{ title: 'a' }] }, 1), { url: `${list}?fields=title` })],
    ['a record', exchange(note(), { url: one })],
    ['a record, by the identifier of its table', exchange(note(), { url: one.replace('notes', 'notes_id') })],
    ['a deletion', exchange(undefined, { method: 'DELETE', url: one, status: 204, contentType: '' })],
    ['a refusal', exchange(refused, { status: 400 })],
    ['a base path before the prefix', exchange(page(), { url: `http://host/base${list}` })],
    [
      'bytes',
      {
        ...exchange(page()),
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
        ...exchange(page()),
        response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: page() },
      },
    ],
  ])('%s', (_name, each) => {
    expect(validator.validate(each)).toMatchObject({ ok: true, findings: [], operation: expect.any(String) })
  })

  it('says so when a request is none of the interface', () => {
    expect(validator.validate(exchange({}, { url: '/health' }))).toEqual({
      ok: true,
      operation: undefined,
      findings: [],
    })
  })
})

describe('what every response owes', () => {
  it.each<[string, PlainExchange, string]>([
    ['a status that is not described', exchange(page(), { status: 418 }), 'wire.documented-status $'],
    ['a server error', exchange({ ...refused, status: 500 }, { status: 500 }), 'wire.no-server-error $'],
    ['no JSON', exchange('<html>'), 'wire.json-bodies $'],
    ['a refusal that is no JSON', exchange('no', { status: 400 }), 'wire.json-errors $'],
    ['another label', exchange(page(), { contentType: 'text/plain' }), 'wire.json-media-type $'],
    ['another media type', exchange(page(), { contentType: 'text/plain' }), 'wire.media-type $'],
    ['an empty success', exchange(undefined), 'wire.no-empty-success $'],
    [
      'a 204 with a body',
      exchange({}, { method: 'DELETE', url: one, status: 204 }),
      'wire.no-empty-success $',
    ],
    [
      'bytes that are not UTF-8',
      {
        ...exchange(undefined),
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: new Uint8Array([0x22, 0xff, 0x22]),
        },
      },
      'wire.json-utf8 $',
    ],
    ['a wrong type', exchange(page({ page: '1' })), 'list.page $.page'],
    [
      'a key missing deep inside',
      exchange(page({ items: [note(0, { id: undefined })] }, 1)),
      'record.id $.items[0].id',
    ],
    [
      'a moment that does not exist',
      exchange(note(0, { updated: '2024-02-30 00:00:00.000Z' }), { url: one }),
      'record.updated $.updated',
    ],
    [
      'an envelope with more',
      exchange({ ...refused, trace: 'x' }, { status: 400 }),
      'error.envelope $.trace',
    ],
  ])('%s is found', (_name, each, expected) => {
    expect(broken(each)).toContain(expected)
  })
})

describe('beyond the schema', () => {
  it.each<[string, PlainExchange, string]>([
    [
      'more items than perPage',
      exchange(page({ perPage: 2, totalPages: 2 }), { url: `${list}?perPage=2` }),
      'list.at-most-per-page $.items',
    ],
    ['wrong totalPages', exchange(page({ totalItems: 31 })), 'list.total-pages $.totalPages'],
    ['fewer in total than on the page', exchange(page({ totalItems: 2 })), 'list.total-items $.totalItems'],
    [
      'totals that were not wanted',
      exchange(page(), { url: `${list}?skipTotal=true` }),
      'list.skip-total $.totalItems',
    ],
    ['another page than asked', exchange(page(), { url: `${list}?page=2` }), 'list.page $.page'],
    ['another page than the first', exchange(page({ page: 2 })), 'list.default-page $.page'],
    ['another size than asked', exchange(page(), { url: `${list}?perPage=20` }), 'list.per-page $.perPage'],
    ['another size than by default', exchange(page({ perPage: 50 })), 'list.default-per-page $.perPage'],
    [
      'a size over the cap',
      exchange(page({ perPage: 5000 }), { url: `${list}?perPage=5000` }),
      'list.per-page-cap $.perPage',
    ],
    [
      'a record of another table',
      exchange(note(), { url: one.replace('notes', 'others') }),
      'record.collection-name $.collectionName',
    ],
    [
      'records of two tables',
      exchange(page({ items: [note(), note(1, { collectionId: 'x' })] }, 2)),
      'record.collection-id $.items[1].collectionId',
    ],
    ['another record than asked', exchange(note(1), { url: one }), 'view.record $.id'],
    [
      'updated before created',
      exchange(note(0, { created: '2024-01-03 00:00:00.000Z' }), { url: one }),
      'record.updated-after-created $.updated',
    ],
    [
      'the same in a list',
      exchange(page({ items: [note(), note(1, { created: '2025-01-03 00:00:00.000Z' })] }, 2)),
      'record.updated-after-created $.items[1].updated',
    ],
    [
      'the same in an expanded record',
      exchange(note(0, { expand: { parents: [note(), note(1, { created: '2025-01-03 00:00:00.000Z' })] } }), {
        url: one,
      }),
      'record.updated-after-created $.expand.parents[1].updated',
    ],
    ['a list out of order', exchange(page(), { url: `${list}?sort=-rank` }), 'sort.order $.items[1].rank'],
    [
      'out of order by the second key',
      exchange(page(), { url: `${list}?sort=collectionName,-title` }),
      'sort.order $.items[1].title',
    ],
    [
      'truth values out of order',
      exchange(page(), { url: `${list}?sort=done` }),
      'sort.order $.items[2].done',
    ],
    [
      'a record outside of the filter',
      exchange(page(), { url: `${list}?filter=rank<2` }),
      'filter.meaning $.items[2].rank',
    ],
    [
      'a text outside of the filter',
      exchange(page(), { url: `${list}?filter=${encodeURIComponent("title ~ '02'")}` }),
      'filter.meaning $.items[0].title',
    ],
    [
      'a key that was not picked',
      exchange(page({ items: [note()] }, 1), { url: `${list}?fields=id,title` }),
      'fields.picks $.items[0].collectionId',
    ],
    [
      'a nested key that was not picked',
      exchange(note(0, { expand: { a: { id: 'x', title: 'y' } } }), { url: `${one}?fields=*,expand.a.id` }),
      'none',
    ],
    [
      'a nested key beside those picked',
      exchange(
        { id: 'note00000000000', expand: { a: { id: 'x', title: 'y' } } },
        { url: `${one}?fields=id,expand.a.id` },
      ),
      'fields.picks $.expand.a.title',
    ],
    [
      'a token key',
      exchange(note(0, { nested: { tokenKey: 'abc' } }), { url: one }),
      'wire.no-secrets $.nested.tokenKey',
    ],
    [
      'a hash',
      exchange(note(0, { title: '$2a$10$abcdefghijklmnopqrstuv' }), { url: one }),
      'wire.no-secrets $.title',
    ],
    [
      'a project key',
      exchange({ ...refused, message: 'rak_abc_0123456789012345678901234567890123456789' }, { status: 400 }),
      'wire.no-secrets $.message',
    ],
    [
      'the password that was sent',
      exchange(
        { ...refused, message: 'no: hunter2hunter2' },
        {
          status: 400,
          method: 'POST',
          url: '/api/v1/collections/users/auth-with-password',
          sent: { identity: 'a', password: 'hunter2hunter2' },
        },
      ),
      'wire.no-secrets $.message',
    ],
    [
      'the token that was sent',
      exchange(note(0, { title: 'secret-token-1' }), {
        url: one,
        headers: { Authorization: 'secret-token-1' },
      }),
      'wire.no-secrets $.title',
    ],
  ])('%s is found', (_name, each, expected) => {
    if (expected === 'none') expect(broken(each)).toEqual([])
    else expect(broken(each)).toContain(expected)
  })

  it.each<[string, string]>([
    ['an alternative', "rank = 9 || title != ''"],
    ['a group', '(rank = 9)'],
    ['a macro', 'created < @now'],
    ['a path', "parent.name = 'x'"],
    ['a modifier', "title:lower = 'x'"],
    ['a field that is not shown', "secret = 'x'"],
    ['another kind of literal', "rank = 'x'"],
    ['a pattern', "title ~ 't%x'"],
  ])('leaves a filter with %s to the suite', (_name, filter) => {
    expect(broken(exchange(page(), { url: `${list}?filter=${encodeURIComponent(filter)}` }))).toEqual([])
  })

  it('judges nothing of it when asked for the schema alone', () => {
    const schemaOnly = createValidator({ checks: 'schema' })
    expect(broken(exchange(page({ totalItems: 31 })), schemaOnly)).toEqual([])
    expect(broken(exchange(page({ totalItems: '31' })), schemaOnly)).toEqual([
      'list.total-items $.totalItems',
    ])
  })
})

describe('a batch', () => {
  const requests = [
    { method: 'POST', url: list, body: { title: 'a' } },
    { method: 'POST', url: list, body: { title: 'b' } },
    { method: 'PATCH', url: one, body: { title: 'c' } },
    { method: 'DELETE', url: one },
  ]
  const results: Json[] = [
    { status: 200, body: note(1, { title: 'a' }) },
    { status: 200, body: note(2, { title: 'b' }) },
    { status: 200, body: note(0, { title: 'c' }) },
    { status: 204, body: null },
  ]
  const batch = (body: unknown, sent: unknown = { requests }) =>
    exchange(body, { method: 'POST', url: '/api/v1/batch', sent })

  it('conforms', () => {
    expect(broken(batch(results))).toEqual([])
    expect(broken(batch(results, JSON.stringify({ requests })))).toEqual([])
  })

  const at = (index: number) => results[index] as Json
  it.each<[string, unknown, string]>([
    ['too few results', results.slice(1), 'batch.entry $'],
    ['results out of order', [at(1), at(0), at(2), at(3)], 'batch.order $[0].body'],
    ['a deletion in another place', [at(3), at(0), at(1), at(2)], 'batch.entry $[0].status'],
    ['another record', [at(0), at(1), { status: 200, body: note(7) }, at(3)], 'batch.order $[2].body.id'],
    [
      'another table',
      [{ status: 200, body: note(1, { collectionName: 'x', collectionId: 'y' }) }, ...results.slice(1)],
      'batch.order $[0].body.collectionName',
    ],
    ['a status of its own', [{ status: 201, body: note(1) }, ...results.slice(1)], 'batch.entry $[0].status'],
    [
      'times of a record',
      [
        { status: 200, body: note(1, { title: 'a', created: '2030-01-01 00:00:00.000Z' }) },
        ...results.slice(1),
      ],
      'record.updated-after-created $[0].body.updated',
    ],
  ])('%s is found', (_name, body, expected) => {
    expect(broken(batch(body))).toContain(expected)
  })

  it('reads a form as the official client sends it', () => {
    const form = new FormData()
    form.set('@jsonPayload', JSON.stringify({ requests }))
    expect(broken(batch(results.slice(1), form))).toEqual(['batch.entry $'])
    const text = `--x\r\nContent-Disposition: form-data; name="@jsonPayload"\r\n\r\n${JSON.stringify({ requests })}\r\n--x--\r\n`
    expect(broken(batch(results.slice(1), text))).toEqual(['batch.entry $'])
    expect(broken(batch(results, text))).toEqual([])
  })
})

describe('the fields of a table', () => {
  const tables: TableDefinition[] = [
    {
      id: 'notes_id',
      name: 'notes',
      fields: [
        { type: 'text', name: 'title' },
        { type: 'number', name: 'rank', onlyInt: true },
        { type: 'bool', name: 'done' },
        { type: 'email', name: 'mail' },
        { type: 'url', name: 'link' },
        { type: 'editor', name: 'html' },
        { type: 'date', name: 'due' },
        { type: 'autodate', name: 'stamp' },
        { type: 'select', name: 'kind', values: ['a', 'b'] },
        { type: 'select', name: 'kinds', values: ['a', 'b'], maxSelect: 2 },
        { type: 'json', name: 'data' },
        { type: 'file', name: 'file' },
        { type: 'file', name: 'files', maxSelect: 3 },
        { type: 'relation', name: 'parent', collectionId: 'x' },
        { type: 'relation', name: 'parents', collectionId: 'x', maxSelect: 3 },
        { type: 'password', name: 'pin' },
        { type: 'geoPoint', name: 'place' },
        { type: 'text', name: 'secret', hidden: true },
      ],
    },
  ]
  const whole = {
    mail: 'a@b.c',
    link: 'https://x.y',
    html: '<p>',
    due: '',
    stamp: time,
    kind: 'a',
    kinds: ['a', 'b'],
    data: [1],
    file: '',
    files: ['a.png'],
    parent: 'id',
    parents: [],
    pin: '',
    place: { lon: 1, lat: 2 },
  }
  const knowing = createValidator({ tables })
  const strict = createValidator({ tables, strict: true })
  const view = (more: Json) => exchange(note(0, { ...whole, ...more }), { url: one })

  it('conform, hidden ones shown or not', () => {
    expect(broken(view({}), strict)).toEqual([])
    expect(broken(view({ secret: 's' }), strict)).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['title', 1, 'record.table-fields'],
    ['title', undefined, 'record.table-fields'],
    ['rank', '1', 'field-types.all'],
    ['rank', 1.5, 'field-types.all'],
    ['done', 1, 'record.table-fields'],
    ['mail', 'nobody', 'field-types.all'],
    ['link', 'nowhere', 'field-types.all'],
    ['html', null, 'field-types.all'],
    ['due', '2024-01-01', 'field-types.all'],
    ['stamp', 5, 'field-types.all'],
    ['kind', 'c', 'field-types.all'],
    ['kinds', 'a', 'field-types.all'],
    ['kinds', ['a', 'b', 'a'], 'field-types.all'],
    ['file', [], 'field-types.all'],
    ['files', [''], 'field-types.all'],
    ['parent', ['id'], 'relation.single-id'],
    ['parents', [1], 'field-types.all'],
    ['pin', '1234', 'password.never-shown'],
    ['place', { lon: '1', lat: 2 }, 'field-types.all'],
  ])('%s as %j is found', (name, value, requirement) => {
    expect(broken(view({ [name]: value }), knowing)).toEqual([`${requirement} $.${name}`])
  })

  it('tells a key of no definition when strict', () => {
    expect(broken(view({ extra: 1 }), knowing)).toEqual([])
    expect(broken(view({ extra: 1 }), strict)).toEqual(['record.table-fields $.extra'])
  })

  it('asks for no field that was not picked, nor for the half of a place', () => {
    expect(broken(exchange({ title: 'a' }, { url: `${one}?fields=title` }), knowing)).toEqual([])
    const lat = (place: unknown) => exchange({ place }, { url: `${one}?fields=place.lat` })
    expect(broken(lat({ lat: 2 }), knowing)).toEqual([])
    expect(broken(lat({}), knowing)).toEqual([])
    expect(broken(lat({ lat: '2' }), knowing)).toEqual(['field-types.all $.place'])
  })

  it.each(['example.com', 'a.bc', 'mailto:a@b.c', 'localhost:80', ''])('%j is a URL to it', (link) => {
    expect(broken(view({ link }), knowing)).toEqual([])
  })
})

describe('what counts', () => {
  it('leaves the profile out where it is not claimed', () => {
    const none = createValidator({ profile: 'none' })
    const { ok, findings } = none.validate(exchange(page({ perPage: 50 })))
    expect([ok, findings[0]?.status]).toEqual([true, 'observed'])
    expect(none.validate(exchange(page({ page: 'x' }))).ok).toBe(false)
  })

  it('counts a broken SHOULD only when strict', () => {
    const each = exchange(page(), { contentType: 'application/vnd.api' })
    expect(createValidator({ profile: 'none' }).validate(each).ok).toBe(true)
    expect(createValidator({ profile: 'none', strict: true }).validate(each).ok).toBe(false)
  })

  it('knows another prefix', () => {
    const other = createValidator({ prefix: '/api' })
    expect(other.validate(exchange(page({ page: 0 }), { url: '/api/collections/notes/records' })).ok).toBe(
      false,
    )
  })

  it('tells a finding in at most ten lines', () => {
    const result = validator.validate(
      exchange(page({ items: [note(0, { created: 'x\n'.repeat(5000) })] }, 1)),
    )
    for (const finding of result.findings) expect(String(finding).split('\n').length).toBeLessThanOrEqual(10)
    expect(describeResult(result)).toMatchInlineSnapshot(`
      "listRecords: does not conform
        fail  record.created  MUST  (stated, section 2.1)
          A record MUST have in \`created\` an existing moment written as date, one space, time to the millisecond and a final Z.
          at        $.items[0].created
          expected  an instant as YYYY-MM-DD HH:MM:SS.mmmZ
          received  "x\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\nx\\…"
    `)
  })

  it('takes an operation that the request does not tell', () => {
    const { request, response } = exchange(note(), { url: list })
    const { method: _method, ...rest } = request
    expect(validator.validate({ request: rest, response, operation: 'createRecord' })).toMatchObject({
      ok: true,
      operation: 'createRecord',
    })
    expect(validator.validate({ request: rest, response })).toMatchObject({ operation: 'listRecords' })
  })

  it('refuses what is no response', () => {
    expect(() => validator.validate(7)).toThrow(/no response of a known kind/)
    expect(() => validator.validate({ status: 200, body: '' }, {})).toThrow(/does not tell which request/)
  })
})
