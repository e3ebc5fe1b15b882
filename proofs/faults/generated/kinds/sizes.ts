/**
 * Wrong from a size on: from the n-th page, record, entry, character or byte.
 *
 * @module
 */

import type { OperationId } from '../../../../spec/vocabulary.ts'
import { isJsonObject, type JsonValue, json, listItems } from '../../combinators/combinators.ts'
import type { Breach, Seen } from '../breach.ts'
import { changesResponse, type ResponseChange } from '../changes-response.ts'
import { fromCopy } from '../from-copy.ts'
import { insteadOf } from '../instead-of.ts'
import type { RecordedTraffic } from '../recording.ts'

const lengths = [10, 50, 255, 1_000, 5_000, 65_536] as const
const kibibytes = [1, 10, 64, 256] as const
const READERS = [
  'listRecords',
  'viewRecord',
  'createRecord',
  'updateRecord',
  'batch',
  'authWithPassword',
] as const
const WRITERS = ['createRecord', 'updateRecord', 'batch', 'authWithPassword'] as const

export function sizeBreaches(_recording: RecordedTraffic): Breach[] {
  return [
    ...[2, 3, 5, 10, 50].flatMap(fromPage),
    ...[2, 5, 10, 50, 100, 200].flatMap(fromItem),
    ...[10, 50, 100, 1_000].flatMap(fromTotal),
    ...[2, 5, 10, 25, 50].flatMap(fromEntry),
    ...READERS.flatMap((operation) => lengths.flatMap((length) => fromCharacter(operation, length))),
    ...READERS.flatMap((operation) => kibibytes.flatMap((size) => fromByteOfResponse(operation, size))),
    ...WRITERS.flatMap((operation) => kibibytes.flatMap((size) => fromSentByte(operation, size))),
    ...[8, 16, 31, 32, 53].flatMap(fromBit),
  ]
}

function breach(
  operation: OperationId,
  part: string,
  mutation: string,
  make: Pick<Breach, 'watch' | 'make'>,
): Breach {
  return { ...make, name: `${operation} · ${part} · ${mutation}`, kind: 'size', operation }
}

/** A response that is changed by itself, whatever came before it. */
function changing(operation: OperationId, part: string, mutation: string, change: ResponseChange): Breach {
  return breach(
    operation,
    part,
    mutation,
    changesResponse(operation, () => change),
  )
}

function ofLists(
  part: string,
  mutation: string,
  when: (body: JsonValue, seen: Seen) => boolean,
  change: (body: JsonValue) => JsonValue,
) {
  const changed: ResponseChange = (seen) =>
    seen.operation === 'listRecords' &&
    seen.status === 200 &&
    isJsonObject(seen.body) &&
    when(seen.body, seen)
      ? { status: 200, body: change(seen.body) }
      : undefined
  return changing('listRecords', part, mutation, changed)
}

function fromPage(page: number): Breach[] {
  const when = (body: JsonValue) => Number(body.page) >= page && listItems(body).length > 0
  const part = `from page ${page}`
  return [
    breach(
      'listRecords',
      part,
      'the records of page 1',
      insteadOf(
        ({ operation, url }) => operation === 'listRecords' && Number(url.searchParams.get('page')) >= page,
        (seen) => seen.status === 200 && isJsonObject(seen.body) && when(seen.body),
        async (request, seen, { reference }) => {
          const url = new URL(request.url)
          const real = (await (await reference.fetch(request.clone())).json()) as JsonValue
          url.searchParams.set('page', '1')
          const response = await reference.fetch(new Request(url, { headers: request.headers }))
          if (!response.ok || seen.method !== 'GET') return undefined
          return json(200, { ...((await response.json()) as JsonValue), page: real.page })
        },
      ),
    ),
    ofLists(part, 'no records', when, (body) => ({ ...body, items: [] })),
    ofLists(part, 'without the last record', when, (body) => ({
      ...body,
      items: listItems(body).slice(0, -1),
    })),
    ofLists(part, 'page says 1', when, (body) => ({ ...body, page: 1 })),
    ofLists(part, 'totalItems one less', when, (body) => ({
      ...body,
      totalItems: Number(body.totalItems) - 1,
    })),
    ofLists(part, 'totalPages one less', when, (body) => ({
      ...body,
      totalPages: Number(body.totalPages) - 1,
    })),
  ]
}

function fromItem(position: number): Breach[] {
  const when = (body: JsonValue) => listItems(body).length >= position
  const before = (body: JsonValue) => listItems(body).slice(0, position - 1)
  const rest = (body: JsonValue) => listItems(body).slice(position - 1)
  const part = `from record ${position} of a page`
  const items = (mutation: string, change: (body: JsonValue) => JsonValue[]) =>
    ofLists(part, mutation, when, (body) => ({ ...body, items: [...before(body), ...change(body)] }))
  return [
    items('left out', () => []),
    items('the first one again', (body) => rest(body).map(() => listItems(body)[0] ?? {})),
    items('ids alone', (body) => rest(body).map(({ id }) => ({ id }))),
    ofLists(
      part,
      'not expanded',
      (body) => rest(body).some(({ expand }) => expand !== undefined),
      (body) => ({
        ...body,
        items: [...before(body), ...rest(body).map(({ expand: _expand, ...record }) => record)],
      }),
    ),
    ofLists(
      part,
      'in reverse order',
      (body) => rest(body).length > 1,
      (body) => ({ ...body, items: [...before(body), ...rest(body).reverse()] }),
    ),
  ]
}

function fromTotal(total: number): Breach[] {
  const when = (body: JsonValue) => Number(body.totalItems) >= total
  const part = `from ${total} matching records`
  return [
    ofLists(part, `totalItems says ${total - 1}`, when, (body) => ({ ...body, totalItems: total - 1 })),
    ofLists(
      part,
      'totalPages says 1',
      (body) => when(body) && Number(body.totalPages) > 1,
      (body) => ({ ...body, totalPages: 1 }),
    ),
    ofLists(part, 'no records', when, (body) => ({ ...body, items: [] })),
  ]
}

function fromEntry(position: number): Breach[] {
  const entries = ({ sent }: Seen): unknown[] =>
    isJsonObject(sent) && Array.isArray(sent.requests) ? sent.requests : []
  const concerns = (seen: Seen) => seen.operation === 'batch' && entries(seen).length >= position
  const succeeds = ({ status }: Seen) => status === 200
  const part = `from entry ${position}`
  const sends = (mutation: string, change: (all: unknown[]) => unknown[]) =>
    breach(
      'batch',
      part,
      mutation,
      insteadOf(concerns, succeeds, async (request, seen, { reference }) => {
        const response = await fromCopy(reference, request.clone())
        if (!response.ok) return undefined
        const headers = new Headers(request.headers)
        headers.delete('content-length')
        const body = JSON.stringify({ requests: change(entries(seen)) })
        await reference.fetch(new Request(request.url, { method: 'POST', headers, body }))
        return response
      }),
    )
  const results = (mutation: string, change: (all: unknown[]) => unknown[]) => {
    const changed: ResponseChange = ({ status, body }) =>
      status === 200 && Array.isArray(body) && body.length >= position
        ? { status, body: change(body) }
        : undefined
    return changing('batch', part, mutation, changed)
  }
  return [
    sends('not done', (all) => all.slice(0, position - 1)),
    sends('the entry before, again', (all) =>
      all.map((each, at) => (at < position - 1 ? each : all[position - 2])),
    ),
    results('results left out', (all) => all.slice(0, position - 1)),
    results('results in reverse order', (all) => [
      ...all.slice(0, position - 2),
      ...all.slice(position - 2).reverse(),
    ]),
    breach(
      'batch',
      part,
      'rejected',
      insteadOf(concerns, succeeds, async () => json(400, { data: {}, message: 'Too many.', status: 400 })),
    ),
  ]
}

/** Strings of a body that are long enough are cut. */
function fromCharacter(operation: OperationId, length: number): Breach[] {
  const part = `strings from character ${length}`
  const shortened = (mutation: string, shorten: (text: string) => string) => {
    const changed: ResponseChange = ({ status, body, bytes }) => {
      if (status >= 300 || bytes < length) return undefined
      const text = JSON.stringify(body)
      const other = JSON.stringify(body, (key, value: unknown) =>
        typeof value === 'string' && value.length >= length && key !== 'token' ? shorten(value) : value,
      )
      return other === text ? undefined : { status, body: JSON.parse(other) as unknown }
    }
    return changing(operation, part, mutation, changed)
  }
  return [
    shortened('cut', (text) => text.slice(0, length - 1)),
    shortened('the last character altered', (text) => `${text.slice(0, -1)}~`),
    shortened('empty', () => ''),
  ]
}

function fromByteOfResponse(operation: OperationId, kibibyte: number): Breach[] {
  const part = `responses from ${kibibyte} KiB`
  const responding = (mutation: string, change: (body: unknown) => { status: number; body: unknown }) => {
    const changed: ResponseChange = ({ status, body, bytes }) =>
      status < 300 && bytes >= kibibyte * 1024 ? change(body) : undefined
    return changing(operation, part, mutation, changed)
  }
  return [
    responding('500', () => ({ status: 500, body: { data: {}, message: 'Too large.', status: 500 } })),
    responding('an empty object', () => ({ status: 200, body: {} })),
    responding('cut to half', (body) => ({
      status: 200,
      // JSON that is cut in the middle is not JSON any more.
      body: JSON.stringify(body).slice(0, kibibyte * 512),
    })),
  ]
}

function fromSentByte(operation: OperationId, kibibyte: number): Breach[] {
  const concerns = (seen: Seen) => seen.operation === operation && seen.text.length >= kibibyte * 1024
  const succeeds = ({ status }: Seen) => status < 300
  const part = `requests from ${kibibyte} KiB`
  return [
    breach(
      operation,
      part,
      'rejected with 413',
      insteadOf(concerns, succeeds, async () => json(413, { data: {}, message: 'Too large.', status: 413 })),
    ),
    breach(
      operation,
      part,
      'reported as done, but not done',
      insteadOf(concerns, succeeds, async (request, _seen, { reference }) => {
        const response = await fromCopy(reference, request)
        return response.ok ? response : undefined
      }),
    ),
  ]
}

/** Whole numbers that need more bits are cut off, as by a narrower type. */
function fromBit(bits: number): Breach[] {
  const most = 2 ** (bits - 1)
  return (['listRecords', 'viewRecord', 'createRecord', 'updateRecord'] as const).map((operation) => {
    const changed: ResponseChange = ({ status, body }) => {
      if (status >= 300) return undefined
      const text = JSON.stringify(body)
      const other = JSON.stringify(body, (_key, value: unknown) =>
        typeof value === 'number' && Math.abs(value) >= most ? most - 1 : value,
      )
      return text === other ? undefined : { status, body: JSON.parse(other) as unknown }
    }
    return changing(operation, `numbers from ${bits} bits`, 'cut off', changed)
  })
}
