/**
 * The traffic of the suite is judged by the code that judges everyone's (`validate/judge-exchange.ts`), and the names
 * and claims of its target decide how it is interpreted.
 */

import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { ExchangeReading } from '../../validate/reading/reading.ts'
import type { Target } from '../vocabulary/target.ts'
import { TrafficLog } from './traffic.ts'

const record = {
  id: 'a',
  collectionId: 'b',
  collectionName: 'plain',
  created: '2024-01-02 03:04:05.678Z',
  updated: '2024-01-02 03:04:05.678Z',
}
const page = { page: 1, perPage: 30, totalItems: 1, totalPages: 1, items: [record] }
const records = '/api/v1/collections/plain/records'
const target: Target = { baseUrl: 'http://h', binding: {}, capabilities: {}, tables: {}, credentials: {} }
const claiming: Target = { ...target, profile: 'standard' }

const list: ExchangeReading = {
  request: { method: 'GET', url: records, headers: {} },
  operation: 'listRecords',
  status: 200,
  contentType: 'application/json',
  text: undefined,
  body: page,
  utf8: true,
}

/** What differs from the list: facts of the request by their names there. */
type Changes = Partial<ExchangeReading> & { method?: string; url?: string; sent?: unknown }

/** The requirements that an exchange violates. */
function broken(
  { method = 'GET', url = records, sent, ...more }: Changes,
  of = target,
  amidWrites = false,
): readonly string[] {
  const traffic = new TrafficLog(() => of)
  const message = { headers: {}, body: '', bytes: 0 }
  const exchange: Exchange = {
    number: 1,
    actor: 'guest',
    request: { ...message, method: 'GET', url: 'http://h/' },
    ms: 1,
  }
  const body = more.body === undefined ? undefined : JSON.parse(JSON.stringify(more.body))
  traffic.judge(
    {
      ...list,
      request: { method, url, headers: {}, body: sent },
      ...more,
      ...(body !== undefined && { body }),
    },
    { exchange, during: undefined, amidWrites },
  )
  return traffic.broken()
}

describe('by the schema', () => {
  it('finds no violation in what the description allows', () => {
    expect(broken({})).toEqual([])
    expect(broken({ contentType: 'Application/JSON; charset=utf-8' })).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['a missing key', { ...page, totalPages: undefined }, 'list.total-pages'],
    ['another type', { ...page, page: '1' }, 'list.page'],
    [
      'a fault deep inside',
      { ...page, items: [{ ...record, created: '2024-02-30 00:00:00.000Z' }] },
      'record.created',
    ],
    ['a key missing deep inside', { ...page, items: [{ ...record, id: undefined }] }, 'record.id'],
  ])('%s is of the nearest requirement', (_name, body, requirement) => {
    expect(broken({ body })).toEqual([requirement])
  })

  it('distinguishes status, media type and body', () => {
    const rejected = { data: {}, message: 'No.', status: 418 }
    expect(broken({ status: 418, body: rejected })).toEqual(['wire.documented-status'])
    expect(broken({ contentType: 'text/plain' })).toEqual(['wire.json-media-type', 'wire.media-type'])
    const deleted = { operation: 'deleteRecord', method: 'DELETE', url: `${records}/a`, status: 204 } as const
    expect(broken({ ...deleted, text: '{}', body: {} })).toEqual(['wire.no-empty-success'])
    expect(broken({ ...deleted, text: '', body: undefined })).toEqual([])
  })

  it('requires no key of a record whose keys were selected, under any parameter name', () => {
    const body = { ...page, items: [{ id: 'a' }] }
    const binding = { 'list.fields': 'only' }
    expect(broken({ body })).not.toEqual([])
    expect(broken({ body, url: `${records}?fields=id` })).toEqual([])
    expect(broken({ body, url: `${records}?fields=id` }, { ...target, binding })).not.toEqual([])
    expect(broken({ body, url: `${records}?only=id` }, { ...target, binding })).toEqual([])
    expect(broken({ body, url: `${records}?x` }, { ...target, binding: { 'list.fields': '' } })).toEqual([])
  })

  it('requires no key of a batch entry whose keys were selected', () => {
    const body = [{ status: 200, body: { id: 'a', collectionId: 't', collectionName: 'plain' } }]
    const sent = (url: string) => JSON.stringify({ requests: [{ method: 'POST', url, body: {} }] })
    const batch = { method: 'POST', operation: 'batch', url: '/api/v1/batch', body } as const
    expect(broken({ ...batch, sent: sent(records) })).toEqual(['batch.entry'])
    expect(broken({ ...batch, sent: sent(`${records}?fields=id`) })).toEqual([])
    expect(broken({ ...batch, url: '/api/v1/batch?fields=body', sent: sent(records) })).toEqual([
      'fields.picks',
    ])
  })

  it('validates a path without an operation by the wire rules only', () => {
    const elsewhere = { operation: undefined, url: '/elsewhere', body: { tokenKey: 'k' } }
    expect(broken(elsewhere)).toEqual(['wire.no-secrets'])
    expect(broken({ ...elsewhere, body: undefined, text: '<html>"tokenKey": 1' })).toEqual([
      'wire.json-bodies',
      'wire.no-secrets',
    ])
    expect(broken({ ...elsewhere, method: 'OPTIONS', body: undefined, text: 'GET' })).toEqual([])
  })
})

describe('beyond the schema', () => {
  const many = { ...page, page: 2, perPage: 1, totalItems: 3, totalPages: 3 }

  it.each<[string, Changes, string[], string[]]>([
    [
      'a page that was not asked for',
      { url: `${records}?page=1&perPage=1`, body: many },
      ['list.page'],
      ['list.page'],
    ],
    [
      'the last page, of pages that may count from 0',
      { url: `${records}?page=3&perPage=1`, body: many },
      ['list.page'],
      [],
    ],
    ['one of two page numbers', { url: `${records}?page=1&page=2&perPage=1`, body: many }, [], []],
    [
      'a wrong number of pages',
      { body: { ...page, totalPages: 2 } },
      ['list.total-pages'],
      ['list.total-pages'],
    ],
    [
      'an empty page, where nothing was found',
      { body: { ...page, totalItems: 0, totalPages: 1, items: [] } },
      ['list.no-match'],
      ['list.no-match'],
    ],
    [
      'a page that cannot be full',
      { url: `${records}?page=2&perPage=1`, body: { ...many, totalItems: 1, totalPages: 1 } },
      ['list.total-items'],
      [],
    ],
    [
      'another record',
      { operation: 'viewRecord', url: `${records}/bcd`, body: { ...record, id: 'xyz' } },
      ['view.record'],
      ['view.record'],
    ],
    [
      'a record under another spelling of its id',
      { operation: 'viewRecord', url: `${records}/%7BBC-D%7D`, body: { ...record, id: 'bcd' } },
      ['view.record'],
      [],
    ],
    [
      'a table under another spelling of its name',
      { operation: 'viewRecord', url: '/api/v1/collections/%20plain.json/records/a', body: record },
      ['record.collection-name'],
      [],
    ],
    [
      'another record, where an update may respond with anything',
      {
        method: 'PATCH',
        operation: 'updateRecord',
        url: `${records}/bcd`,
        body: { ...record, id: 'xyz', collectionName: 'other', updated: '2020-01-02 03:04:05.678Z' },
      },
      ['wire.schema', 'update.status'],
      ['wire.schema', 'update.status'],
    ],
  ])('%s', (_, exchange, claimed, unclaimed) => {
    expect(broken(exchange, claiming)).toEqual(claimed)
    expect(broken(exchange)).toEqual(unclaimed)
  })

  it('does not compare counts from different moments', () => {
    const body = { ...page, totalItems: 0, totalPages: 0 }
    expect(broken({ body })).toEqual(['list.total-items'])
    expect(broken({ body }, target, true)).toEqual([])
  })

  it('parses requests with the names and query languages of the target', () => {
    const binding = { 'list.page': 'p', 'list.perPage': '', 'filter.equals': '{field}={value}' }
    const named = { ...claiming, binding }
    expect(broken({ url: `${records}?page=2`, body: { ...page, perPage: 7 } }, named)).toEqual([])
    expect(broken({ url: `${records}?p=2` }, named)).toEqual(['list.page-past-end'])
    expect(broken({ url: `${records}?filter=id=true` }, named)).toEqual([])
    expect(broken({ url: `${records}?filter=id%3D"b"` }, claiming)).toEqual(['filter.meaning'])
  })

  it('knows the fields of a table with our name', () => {
    const everything = { role: 'everything', name: 'conf_everything' }
    const known = { ...target, tables: { everything } }
    const url = '/api/v1/collections/conf_everything/records'
    const body = { ...page, items: [{ ...record, collectionName: 'conf_everything', bool: 1, number: '1' }] }
    expect(broken({ url, body }, known)).toEqual(['field.zero-values', 'number.casts', 'record.table-fields'])
    expect(broken({ url, body })).toEqual([])
    const mapped = { everything: { ...everything, fields: { bool: 'done' } } }
    expect(broken({ url, body }, { ...target, tables: mapped })).toEqual([])
  })
})

it('keeps the plainest violations: of the document first, then the shortest request', () => {
  const traffic = new TrafficLog(() => target)
  const report = (url: string, operation?: Exchange['operation']) => {
    const message = { headers: {}, body: '', bytes: 0 }
    const request = { ...message, method: 'GET', url }
    const exchange: Exchange = { number: 1, actor: 'guest', request, ms: 1, ...(operation && { operation }) }
    traffic.report({
      requirement: 'wire.no-5xx',
      message: '',
      expected: '',
      received: '',
      exchange,
      during: undefined,
    })
  }
  for (const length of [9, 8, 7, 6, 5]) report('x'.repeat(length), 'listRecords')
  report('o')
  report('new', 'listRecords')
  report('old', 'listRecords')
  expect(traffic.violations('wire.no-5xx').map(({ exchange }) => exchange.request.url)).toEqual([
    'new',
    'old',
    'xxxxx',
    'xxxxxx',
    'xxxxxxx',
  ])
})
