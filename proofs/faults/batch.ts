/** Defects of batches: false responses, URLs and methods, limits that do not apply. */

import { rejectsEntry, resultsOf } from './combinators/batch.ts'
import {
  dropQuery,
  isJsonObject,
  type JsonValue,
  json,
  rewriteBody,
  rewriteEntries,
  tamper,
  tamperError,
  tamperStatus,
} from './combinators/combinators.ts'
import { fieldRejection, first } from './combinators/field.ts'
import { fault } from './fault.ts'

const failures = (change: (failures: [string, JsonValue][]) => [string, JsonValue][]) =>
  tamperError('batch', ({ data, ...rest }) => {
    const { requests } = data as { requests?: Record<string, JsonValue> }
    return requests === undefined
      ? { ...rest, data }
      : { ...rest, data: { requests: Object.fromEntries(change(Object.entries(requests))) } }
  })

fault(
  'a batch returns 201',
  { trips: ['batch.status', 'batch.outer-fields'] },
  tamperStatus('batch', 200, 201),
)
fault(
  'batch results are bare records',
  { trips: ['batch.entry', 'batch.status'] },
  tamper('batch', (body) => (body as unknown as JsonValue[]).map((entry) => entry.body ?? entry)),
)
fault(
  'a delete in a batch has status 200',
  { trips: ['batch.entry', 'batch.delete-body'] },
  tamper('batch', (body) => (body as unknown as JsonValue[]).map((entry) => ({ ...entry, status: 200 }))),
)
fault(
  'a failing batch returns 422',
  { trips: ['batch.failure', 'batch.first-failure', 'batch.too-many'] },
  tamperStatus('batch', 400, 422),
)
fault(
  'a failed batch omits the inner response',
  { trips: ['batch.failure', 'batch.inner-status'] },
  failures((all) => all.map(([index, { response: _, ...rest }]) => [index, rest])),
)
fault(
  'every entry after a failure is reported',
  { trips: ['batch.first-failure', 'batch.failure'] },
  failures((all) =>
    all.flatMap(([index, failure]) =>
      /^\d+$/.test(index)
        ? [
            [index, failure],
            [String(Number(index) + 1), failure],
          ]
        : [[index, failure]],
    ),
  ),
)
fault(
  'inner responses have status 400',
  { trips: ['batch.inner-status'] },
  failures((all) =>
    all.map(([index, failure]) => [
      index,
      { ...failure, response: { ...(failure.response as JsonValue), status: 400 } },
    ]),
  ),
)
fault(
  'reads in a batch are skipped',
  { trips: ['batch.unknown-action'] },
  rewriteEntries((entry) => (entry.method === 'GET' ? undefined : entry)),
)
fault(
  'a batch accepts any URL',
  { trips: ['batch.url-forms'] },
  rewriteEntries((entry) => ({ ...entry, url: String(entry.url).replace(/^https?:\/\/[^/]+/, '') })),
)
fault(
  'URLs in a batch are normalized',
  { trips: ['batch.url-forms'] },
  rewriteEntries((entry) => ({ ...entry, url: String(entry.url).trim().replace(/\/$/, '') })),
)
fault(
  'query strings in a batch are ignored',
  { trips: ['batch.sub-query'] },
  rewriteEntries((entry) => ({ ...entry, url: String(entry.url).split('?')[0] })),
)
fault('fields is ignored in a batch', { trips: ['batch.outer-fields'] }, dropQuery('batch', 'fields'))
fault(
  'a batch accepts tables by name only',
  { trips: ['batch.url'] },
  rejectsEntry(({ url }) => String(url).includes('_0001/')),
)
fault(
  'table names in a batch are case-sensitive',
  { trips: ['batch.table-id'] },
  rejectsEntry(({ url }) => /CONF/.test(String(url))),
)

fault(
  'PUT in a batch is POST without the id',
  { trips: ['batch.upsert-creates', 'batch.upsert-updates'] },
  rewriteEntries((entry) =>
    entry.method === 'PUT'
      ? { ...entry, method: 'POST', body: { ...(entry.body as JsonValue), id: '' } }
      : entry,
  ),
)
fault(
  'PUT in a batch replaces the record',
  { trips: ['batch.upsert-updates'] },
  rewriteEntries((entry) =>
    entry.method === 'PUT' ? { ...entry, body: { number: 0, ...(entry.body as JsonValue) } } : entry,
  ),
)
fault(
  'PUT is rejected in a batch',
  { trips: ['batch.upsert-creates', 'batch.upsert-updates'] },
  rejectsEntry(({ method }) => method === 'PUT'),
)

fault(
  'an empty batch succeeds',
  { trips: ['batch.empty'] },
  first('batch', (request, text) =>
    (request.headers.get('content-type') ?? '').startsWith('application/json') && resultsOf(text).length === 0
      ? json(200, [])
      : undefined,
  ),
)
fault(
  'incomplete entries are skipped',
  { trips: ['batch.entry-incomplete'] },
  rewriteEntries((entry) => (entry.method && entry.url ? entry : undefined)),
)
fault(
  'methods in a batch are case-insensitive',
  { trips: ['batch.method-unknown'] },
  rewriteEntries((entry) => ({
    ...entry,
    method: typeof entry.method === 'string' ? entry.method.toUpperCase() : entry.method,
  })),
)
fault(
  'null entries are skipped',
  { trips: ['batch.null-entry'] },
  rewriteBody('batch', ({ requests, ...body }) => ({
    ...body,
    requests: Array.isArray(requests) ? requests.filter((entry) => entry !== null) : requests,
  })),
)
fault(
  'a null entry returns 500',
  { trips: ['batch.null-entry'] },
  first('batch', (_request, text) =>
    resultsOf(text).includes(null as never) ? fieldRejection(500) : undefined,
  ),
)
fault(
  'bodies that are not objects are read as empty',
  { trips: ['batch.wrong-types'] },
  rewriteEntries((entry) =>
    isJsonObject(entry) && 'body' in entry && !isJsonObject(entry.body) ? { ...entry, body: {} } : entry,
  ),
)
fault(
  'entries beyond the limit of a batch are skipped',
  { trips: ['batch.too-many'] },
  rewriteBody('batch', (body) =>
    Array.isArray(body.requests) ? { ...body, requests: body.requests.slice(0, 50) } : body,
  ),
)
fault(
  'the limit of a batch is too low',
  { trips: ['batch.at-limit'] },
  first('batch', (_request, text) => (resultsOf(text).length === 50 ? fieldRejection(400) : undefined)),
)
fault(
  'long URLs in a batch are truncated',
  { trips: ['batch.url-too-long'] },
  rewriteEntries((entry) => ({
    ...entry,
    url: typeof entry.url === 'string' ? entry.url.slice(0, 2000) : entry.url,
  })),
)
