/** Defects of batches: transactions that are none, answers that lie, limits that do not hold. */

import {
  another,
  asSuperuser,
  dropQuery,
  forgive,
  isObject,
  type Json,
  json,
  on,
  rewriteBody,
  rewriteEntries,
  tamper,
  tamperError,
  tamperStatus,
  withHeaders,
  withoutTransaction,
} from './combinators.ts'
import { fault } from './fault.ts'
import { first, refusal, rewriteParts } from './field-combinators.ts'

const entriesOf = (text: string): Json[] => {
  try {
    const { requests } = JSON.parse(text) as { requests?: unknown }
    return Array.isArray(requests) ? (requests as Json[]) : []
  } catch {
    return []
  }
}

/** Refuses batches that have such an entry. */
const refusesEntry = (when: (entry: Json) => boolean) =>
  first('batch', (_request, text) =>
    entriesOf(text).some((entry) => isObject(entry) && when(entry)) ? refusal(400) : undefined,
  )

const failures = (change: (failures: [string, Json][]) => [string, Json][]) =>
  tamperError('batch', ({ data, ...rest }) => {
    const { requests } = data as { requests?: Record<string, Json> }
    return requests === undefined
      ? { ...rest, data }
      : { ...rest, data: { requests: Object.fromEntries(change(Object.entries(requests))) } }
  })

fault(
  'a batch is no transaction',
  { trips: ['batch.all-or-nothing', 'batch.across-tables', 'batch.parent-with-children', 'batch.isolation'] },
  withoutTransaction(),
)
fault(
  'a batch goes on after a failure',
  { trips: ['batch.all-or-nothing', 'batch.failure'] },
  withoutTransaction({ goOn: true }),
)
fault(
  'deletes of a batch are forgotten',
  { trips: ['batch.mixes-methods', 'batch.delete-recreate'] },
  rewriteEntries((entry) => (entry.method === 'DELETE' ? undefined : entry)),
)
fault(
  'the last entry of a batch is forgotten',
  {
    trips: [
      'batch.mixes-methods',
      'batch.order',
      'batch.parent-with-children',
      'batch.all-or-nothing',
      'batch.at-limit',
    ],
  },
  rewriteBody('batch', (body) => ({
    ...body,
    requests: ((body.requests as Json[]) ?? []).slice(0, Math.max(1, (body.requests as Json[]).length - 1)),
  })),
)
fault(
  'a batch runs backwards',
  { trips: ['batch.order', 'batch.delete-recreate', 'batch.swap-unique', 'batch.status'] },
  rewriteBody('batch', (body) => ({ ...body, requests: [...(body.requests as Json[])].reverse() })),
)
fault(
  'a failing batch keeps its first entry',
  { trips: ['batch.all-or-nothing', 'batch.failure'] },
  on('batch', async (request, next) => {
    const text = await request.clone().text()
    const response = await next(request.clone())
    const [entry] = entriesOf(text)
    if (response.status === 400 && entry !== undefined) {
      await (
        await next(another(request, 'POST', new URL(request.url).pathname, { requests: [entry] }))
      ).text()
    }
    return response
  }),
)

fault(
  'a batch answers 201',
  { trips: ['batch.status', 'batch.outer-fields'] },
  tamperStatus('batch', 200, 201),
)
fault(
  'entries are bare records',
  { trips: ['batch.entry', 'batch.status'] },
  tamper('batch', (body) => (body as unknown as Json[]).map((entry) => entry.body ?? entry)),
)
fault(
  'a deleted entry has status 200',
  { trips: ['batch.entry', 'batch.delete-body'] },
  tamper('batch', (body) => (body as unknown as Json[]).map((entry) => ({ ...entry, status: 200 }))),
)
fault(
  'a failing batch answers 422',
  { trips: ['batch.failure', 'batch.first-failure', 'batch.too-many'] },
  tamperStatus('batch', 400, 422),
)
fault(
  'a failure is told without the inner answer',
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
  'inner answers have status 400',
  { trips: ['batch.inner-status'] },
  failures((all) =>
    all.map(([index, failure]) => [
      index,
      { ...failure, response: { ...(failure.response as Json), status: 400 } },
    ]),
  ),
)
fault(
  'reads in a batch are skipped',
  { trips: ['batch.unknown-action'] },
  rewriteEntries((entry) => (entry.method === 'GET' ? undefined : entry)),
)
fault(
  'a batch calls any address',
  { trips: ['batch.url-forms'] },
  rewriteEntries((entry) => ({ ...entry, url: String(entry.url).replace(/^https?:\/\/[^/]+/, '') })),
)
fault(
  'urls in a batch are cleaned up',
  { trips: ['batch.url-forms'] },
  rewriteEntries((entry) => ({ ...entry, url: String(entry.url).trim().replace(/\/$/, '') })),
)
fault(
  'queries in a batch are dropped',
  { trips: ['batch.sub-query'] },
  rewriteEntries((entry) => ({ ...entry, url: String(entry.url).split('?')[0] })),
)
fault('fields of a batch is dropped', { trips: ['batch.outer-fields'] }, dropQuery('batch', 'fields'))
fault(
  'table names in a batch have one letter case',
  { trips: ['batch.table-id'] },
  refusesEntry(({ url }) => /CONF/.test(String(url))),
)

fault(
  'PUT in a batch is POST without the id',
  { trips: ['batch.upsert-creates', 'batch.upsert-updates'] },
  rewriteEntries((entry) =>
    entry.method === 'PUT' ? { ...entry, method: 'POST', body: { ...(entry.body as Json), id: '' } } : entry,
  ),
)
fault(
  'PUT in a batch replaces the record',
  { trips: ['batch.upsert-updates'] },
  rewriteEntries((entry) =>
    entry.method === 'PUT' ? { ...entry, body: { number: 0, ...(entry.body as Json) } } : entry,
  ),
)
fault(
  'PUT in a batch is unknown',
  { trips: ['batch.upsert-creates', 'batch.upsert-updates'] },
  refusesEntry(({ method }) => method === 'PUT'),
)

fault(
  'an empty batch succeeds',
  { trips: ['batch.empty'] },
  first('batch', (request, text) =>
    (request.headers.get('content-type') ?? '').startsWith('application/json') && entriesOf(text).length === 0
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
  'methods in a batch have no letter case',
  { trips: ['batch.method-unknown'] },
  rewriteEntries((entry) => ({
    ...entry,
    method: typeof entry.method === 'string' ? entry.method.toUpperCase() : entry.method,
  })),
)
fault(
  'null entries are skipped',
  { trips: ['batch.null-entry'] },
  rewriteEntries((entry) => (entry === null ? undefined : entry)),
)
fault(
  'a null entry is a server fault',
  { trips: ['batch.null-entry'] },
  first('batch', (_request, text) => (entriesOf(text).includes(null as never) ? refusal(500) : undefined)),
)
fault(
  'bodies that are no object are empty',
  { trips: ['batch.wrong-types'] },
  rewriteEntries((entry) =>
    isObject(entry) && 'body' in entry && !isObject(entry.body) ? { ...entry, body: {} } : entry,
  ),
)
fault(
  'a batch is cut at its limit',
  { trips: ['batch.too-many'] },
  rewriteBody('batch', (body) =>
    Array.isArray(body.requests) ? { ...body, requests: body.requests.slice(0, 50) } : body,
  ),
)
fault(
  'a batch ends below its limit',
  { trips: ['batch.at-limit'] },
  first('batch', (_request, text) => (entriesOf(text).length === 50 ? refusal(400) : undefined)),
)
fault(
  'long urls in a batch are cut',
  { trips: ['batch.url-too-long'] },
  rewriteEntries((entry) => ({
    ...entry,
    url: typeof entry.url === 'string' ? entry.url.slice(0, 2000) : entry.url,
  })),
)

fault(
  'rules are forgotten in a batch',
  { trips: ['batch.caller', 'batch.sub-rules', 'batch.sub-headers', 'batch.hidden', 'batch.inner-status'] },
  asSuperuser('batch'),
)
fault(
  'an entry brings its own Authorization',
  { trips: ['batch.sub-authorization'] },
  on('batch', async (request, next) => {
    const [entry] = entriesOf(await request.clone().text())
    const own = (entry?.headers as Record<string, string> | undefined)?.Authorization
    if (own === undefined) return next(request)
    const headers = new Headers(request.headers)
    headers.set('authorization', own)
    return next(await withHeaders(request, headers))
  }),
)
fault(
  'a delete in a batch must have no body',
  { trips: ['batch.delete-body'] },
  refusesEntry(({ method, body }) => method === 'DELETE' && isObject(body)),
)
fault(
  'an entry must have a body',
  { trips: ['batch.body-absent'] },
  refusesEntry(({ method, body }) => method !== 'DELETE' && !isObject(body)),
)
fault(
  'unique values are checked before anything is written',
  { trips: ['batch.swap-unique'] },
  refusesEntry(({ method, body }) => method === 'PATCH' && isObject(body) && body.code === ''),
)

fault(
  'a batch is JSON only',
  { trips: ['batch.multipart-payload', 'batch.multipart-files'] },
  first('batch', (request) =>
    (request.headers.get('content-type') ?? '').startsWith('multipart/') ? refusal(400) : undefined,
  ),
)
fault(
  'bracketed names of files are unknown',
  { trips: ['batch.multipart-files'] },
  rewriteParts('batch', (key) => (key.includes('[') ? undefined : key)),
)
fault(
  'files are lost with a failing batch',
  { trips: ['batch.files-rolled-back'] },
  on('batch', async (request, next, _match, { asSuperuser: healthy }) => {
    const copy = request.clone()
    const response = await next(request)
    if (
      response.status !== 400 ||
      !(copy.headers.get('content-type') ?? '').startsWith('multipart/form-data')
    )
      return response
    const [entry] = entriesOf(String((await copy.formData()).get('@jsonPayload')))
    if (entry?.method === 'PATCH')
      await (await healthy(another(copy, 'PATCH', String(entry.url), { files: [] }))).text()
    return response
  }),
)
fault(
  'a batch shows passwords',
  { trips: ['password.never-shown'] },
  on('batch', async (request, next) => {
    const entries = entriesOf(await request.clone().text())
    const response = await next(request)
    if (!response.ok) return response
    const answers = (await response.json()) as Json[]
    return json(
      200,
      answers.map((answer, index) => ({
        ...answer,
        body: isObject(answer.body)
          ? { ...answer.body, ...((entries[index]?.body as Json | undefined) ?? {}) }
          : answer.body,
      })),
    )
  }),
)

fault(
  'a failing batch is answered with success',
  { trips: ['batch.failure-refused', 'batch.failure', 'batch.parent-with-children'] },
  forgive('batch', 400, 200, []),
)
fault(
  'record paths in a batch have no prefix',
  { trips: ['batch.url', 'batch.mixes-methods'] },
  refusesEntry(({ url }) => String(url).startsWith('/api/v1/')),
)
fault(
  'bodies of creates in a batch are dropped',
  { trips: ['batch.body', 'batch.url'] },
  rewriteEntries((entry) => (entry.method === 'POST' ? { ...entry, body: {} } : entry)),
)
fault(
  'a delete in a batch must have a body',
  { trips: ['batch.delete-without-body', 'batch.mixes-methods'] },
  refusesEntry(({ method, body }) => method === 'DELETE' && !isObject(body)),
)
fault(
  'updates of a batch come last',
  { trips: ['batch.same-as-single'] },
  rewriteBody('batch', (body) => ({
    ...body,
    requests: [...(body.requests as Json[])].sort(
      (a, b) => Number(a.method === 'PATCH') - Number(b.method === 'PATCH'),
    ),
  })),
)
