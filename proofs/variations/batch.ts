/** Batches: their responses, what they accept, and how they fail. */

import type { Target } from '../../harness/vocabulary/target.ts'
import { rejectsEntry, resultsOf, soundEntriesOf } from '../faults/combinators/batch.ts'
import {
  all,
  forgive,
  isJsonObject,
  type JsonValue,
  json,
  on,
  rewriteEntries,
  tamperStatus,
  wordless,
} from '../faults/combinators/combinators.ts'
import { fieldRejection, first, forgets, rejects, withObject } from '../faults/combinators/field.ts'
import type { FaultTools } from '../faults/fault.ts'
import { forgivesDelete } from './combinators/forgives-delete.ts'
import { refusesWith, responses } from './combinators/responses.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('batch')

/** All that the document says of batches. */
const everything = [
  'record.sequences',
  'batch.all-or-nothing',
  'batch.succeeds-together',
  'batch.failure-refused',
  'batch.parent-with-children',
  'batch.across-tables',
  'batch.mixes-methods',
  'batch.order',
  'batch.url',
  'batch.body',
  'batch.delete-without-body',
  'batch.same-as-single',
  'batch.caller',
  'batch.caller-user',
] as const
const because = 'batch.response'
/** Checks that expect a batch to succeed. */
const succeeding = [
  'record.sequences',
  'batch.succeeds-together',
  'batch.mixes-methods',
  'batch.order',
  'batch.body',
  'batch.parent-with-children',
] as const
/** Checks that expect it to fail. */
const failing = [
  'record.sequences',
  'batch.all-or-nothing',
  'batch.failure-refused',
  'batch.rejected-changes-nothing',
  'batch.across-tables',
  'batch.order',
] as const

const asEntries = (body: JsonValue): JsonValue[] => (Array.isArray(body) ? (body as JsonValue[]) : [])
const responded = (status: number, body: (entries: JsonValue[]) => unknown) =>
  responses('batch', status, (entries) => body(asEntries(entries)))

variation('a batch returns 201', { because, near: everything }, tamperStatus('batch', 200, 201))
variation('a batch returns 202', { because, near: succeeding }, tamperStatus('batch', 200, 202))
variation('a batch returns 207', { because, near: succeeding }, tamperStatus('batch', 200, 207))
variation('a batch returns 204', { because, near: everything }, wordless('batch', 204))
variation('a batch returns 200 and no body', { because, near: succeeding }, wordless('batch', 200))
variation(
  'a batch returns an empty object',
  { because, near: succeeding },
  responded(200, () => ({})),
)
variation(
  'a batch returns an empty list',
  { because, near: succeeding },
  responded(200, () => []),
)
variation(
  'a batch returns null',
  { because, near: succeeding },
  responded(200, () => null),
)
variation(
  'a batch returns true',
  { because, near: succeeding },
  responded(200, () => true),
)
variation(
  'a batch returns a count',
  { because, near: succeeding },
  responded(200, (entries) => ({ done: entries.length })),
)
variation(
  'a batch returns results in an object',
  { because, near: succeeding },
  responded(200, (results) => ({ results })),
)
variation(
  'a batch returns an object of responses by number',
  { because, near: succeeding },
  responded(200, (entries) => Object.fromEntries(entries.map((entry, at) => [at, entry]))),
)
variation(
  'a batch returns its records',
  { because, near: succeeding },
  responded(200, (entries) => entries.map(({ body }) => body)),
)
variation(
  'a batch returns statuses only',
  { because, near: succeeding },
  responded(200, (entries) => entries.map(({ status }) => status)),
)
variation(
  'a batch returns entries without bodies',
  { because, near: succeeding },
  responded(200, (entries) => entries.map(({ status }) => ({ status }))),
)
variation(
  'a batch returns ids',
  { because, near: succeeding },
  responded(200, (entries) => entries.map(({ body }) => (isJsonObject(body) ? body.id : null))),
)
variation(
  'a batch returns statuses and ids',
  { because, near: succeeding },
  responded(200, (entries) =>
    entries.map(({ status, body }) => ({ status, body: isJsonObject(body) ? { id: body.id } : null })),
  ),
)
variation(
  'a batch returns headers of each sub-request',
  { because, near: succeeding },
  responded(200, (entries) =>
    entries.map((entry) => ({ ...entry, headers: { 'content-type': 'application/json' }, statusText: 'OK' })),
  ),
)
variation(
  'a batch returns its entries from the last to the first',
  { because, near: succeeding },
  responded(200, (entries) => entries.toReversed()),
)
variation(
  'a batch returns its creates only',
  { because, near: succeeding },
  responded(200, (entries) => entries.filter(({ status }) => status === 200)),
)
variation(
  'a batch wraps its records in data',
  { because, near: succeeding },
  responded(200, (entries) =>
    entries.map(({ status, body }) => ({ status, body: body === null ? null : { data: body } })),
  ),
)

/** The response to an empty batch does not show that the server has batches: its tester says so. */
const claimsBatch = (target: Target): Target => ({
  ...target,
  capabilities: { ...target.capabilities, batch: true },
})
for (const status of [404, 409, 412, 422, 424, 500])
  variation(
    `a batch that fails returns ${status}`,
    {
      because,
      near: failing,
      target: claimsBatch,
      declares: status < 500 ? {} : { 'wire.no-5xx': 'an error of the server is always reported' },
    },
    refusesWith('batch', [400], status),
  )
variation(
  'a batch that fails names no sub-request',
  { because, near: failing },
  on('batch', async (request, next) => {
    const response = await next(request)
    return response.ok ? response : json(response.status, { error: 'rolled back' })
  }),
)
variation(
  'a batch that fails returns a list',
  { because, near: failing },
  on('batch', async (request, next) => {
    const response = await next(request)
    return response.ok ? response : json(400, [{ status: 200 }, { status: 404 }])
  }),
)
variation(
  'a batch that fails returns 200 and what failed in it',
  {
    because,
    near: failing.filter((id) => id !== 'batch.failure-refused'),
    declares: {
      'batch.rejected-changes-nothing': 'no batch is rejected',
      'batch.failure-refused': 'the status does not show that it failed',
    },
  },
  forgive('batch', 400, 200, [{ outcome: 'rolled back', body: null }]),
)

variation(
  'an empty batch is rejected',
  { because: 'batch.limits', near: everything },
  first('batch', (_request, text) => (resultsOf(text).length === 0 ? fieldRejection(422) : undefined)),
)
variation(
  'a batch accepts each record once',
  {
    because: 'batch.limits',
    near: [
      'batch.all-or-nothing',
      'batch.succeeds-together',
      'batch.across-tables',
      'batch.mixes-methods',
      'batch.body',
      'batch.parent-with-children',
      'batch.order',
    ],
    declares: { 'batch.order': 'no record shows which of two writes came last' },
  },
  first('batch', (_request, text) => {
    const urls = soundEntriesOf(text)
      .filter(({ method }) => method !== 'POST')
      .map(({ url }) => url)
    return new Set(urls).size < urls.length ? fieldRejection(409) : undefined
  }),
)
const limitedTo = (most: number) =>
  first('batch', (_request, text) => (resultsOf(text).length > most ? fieldRejection(413) : undefined))
for (const most of [2, 3, 4, 10])
  variation(
    `a batch is limited to ${most} sub-requests`,
    { because: 'batch.limits', near: everything },
    limitedTo(most),
  )
const single = 'one sub-request shows nothing of several'
variation(
  'a batch is limited to 1 sub-request',
  {
    because: 'batch.limits',
    near: everything,
    declares: {
      'batch.all-or-nothing': single,
      'batch.succeeds-together': single,
      'batch.across-tables': single,
      'batch.mixes-methods': single,
      'batch.parent-with-children': single,
      'batch.order': single,
      'derived.batch': single,
    },
  },
  limitedTo(1),
)
variation(
  'a batch is limited to 1,000 bytes',
  { because: 'batch.limits', near: [...everything, 'derived.batch'] },
  first('batch', (_request, text) => (text.length > 1_000 ? fieldRejection(413) : undefined)),
)

const givesId = ({ method, body }: JsonValue) => method === 'POST' && isJsonObject(body) && 'id' in body
const noGivenIds = { 'batch.parent-with-children': 'a client may not give the id of the parent' }
variation(
  'an id that a client gives is rejected',
  { because: 'records.bodies', near: [...everything, 'create.only-one'], declares: noGivenIds },
  all(
    rejects('createRecord', (body) => 'id' in body),
    rejectsEntry(givesId),
  ),
)
variation(
  'an id that a client gives is ignored',
  { because: 'records.bodies', near: [...everything, 'create.only-one'], declares: noGivenIds },
  all(
    forgets('createRecord', (key) => key === 'id'),
    rewriteEntries((entry) =>
      givesId(entry) ? { ...entry, body: { ...(entry.body as JsonValue), id: undefined } } : entry,
    ),
  ),
)

/** `{{0.id}}` is the id of the record that the first sub-request creates. */
const resolvesReferences = (tools: FaultTools) => {
  let made = 0
  return on('batch', async (request, next) => {
    const entries = soundEntriesOf(await request.clone().text())
    if (entries.length === 0) return next(request)
    const ids = entries.map(({ method }) => {
      made += 1
      return method === 'POST' ? `made${String(made).padStart(11, '0')}` : undefined
    })
    const resolved = (value: unknown) => {
      const index = /^\{\{(\d+)\.id\}\}$/.exec(String(value))?.[1]
      return index === undefined ? value : ids[Number(index)]
    }
    const requests = entries.map((entry, index) => {
      if (!isJsonObject(entry.body)) return entry
      const body = Object.entries(entry.body).map(([key, value]) => [key, resolved(value)])
      return { ...entry, body: { ...Object.fromEntries(body), id: ids[index] } }
    })
    return next(withObject(request, { requests }))
  })(tools)
}
variation(
  'a batch refers to a record that it creates by the number of its entry',
  {
    because: 'batch.response',
    near: everything,
    target: (target) => ({
      ...target,
      binding: { ...target.binding, 'batch.reference': '{{{index}.id}}' },
    }),
  },
  all(
    rejects('createRecord', (body) => 'id' in body),
    rejectsEntry(givesId),
    resolvesReferences,
  ),
)

variation(
  'passwords are not changed in a batch',
  { because: 'rules.access', near: ['batch.all-or-nothing'] },
  rejectsEntry(({ method, body }) => method === 'PATCH' && isJsonObject(body) && 'password' in body),
)

const gone = () => ({ status: 204, body: null })
/** In a batch, deleting a missing record succeeds. */
const forgivesDeleteInBatch = on('batch', async (request, next, _match, { asSuperuser }) => {
  const entries = soundEntriesOf(await request.clone().text())
  if (entries.length === 0) return next(request)
  const absent = new Set<number>()
  for (const [index, { method, url }] of entries.entries()) {
    if (method !== 'DELETE') continue
    const view = await asSuperuser(new Request(new URL(String(url), request.url)))
    if (!view.ok) absent.add(index)
  }
  const present = entries.filter((_, index) => !absent.has(index))
  if (present.length === 0) return json(200, entries.map(gone))
  const response = await next(withObject(request, { requests: present }))
  if (!response.ok) return response
  const bodies = (await response.json()) as JsonValue[]
  return json(
    200,
    entries.map((_, index) => (absent.has(index) ? gone() : bodies.shift())),
  )
})
const forgiving = { because: 'records.statuses', near: [...everything, 'delete.final'] } as const
variation(
  'deleting a missing record succeeds, also in a batch',
  forgiving,
  all(forgivesDelete, forgivesDeleteInBatch),
)
variation('deleting a missing record succeeds in a batch only', forgiving, forgivesDeleteInBatch)
variation(
  'a batch that repeats a create fails with 200',
  {
    because: 'batch.response',
    near: ['batch.succeeds-together', 'batch.all-or-nothing'],
    declares: { 'batch.failure-refused': 'a warning: a batch that fails should not return 2xx' },
  },
  on('batch', async (request, next) => {
    const keys = resultsOf(await request.clone().text()).map((entry) => JSON.stringify(entry))
    if (new Set(keys).size < keys.length) return json(200, { failed: true, message: 'titles are unique' })
    const response = await next(request)
    return response.ok ? response : json(200, { failed: true, body: await response.json() })
  }),
)
variation(
  'a batch that fails returns 207 and a status for each entry',
  { because: 'batch.response', near: ['batch.failure-refused', 'batch.all-or-nothing', 'batch.caller'] },
  on('batch', async (request, next) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request)
    if (response.ok || entries.length === 0) return response
    return json(
      207,
      entries.map((_, at) => ({ status: at === entries.length - 1 ? response.status : 424 })),
    )
  }),
)
const tooLong = (entries: readonly JsonValue[]) => JSON.stringify(entries).length > 50_000
for (const [how, status, body] of [
  ['207 and the statuses of its entries', 207, { responses: [{ status: 413 }, { status: 424 }] }],
  ['207 and words of its own', 207, { outcome: 'nothing' }],
  ['200 and that it is not committed', 200, { committed: false, reason: 'too long' }],
] as const)
  variation(
    `a batch that is too long returns ${how}`,
    { because: 'batch.response', near: ['batch.same-as-single'] },
    first('batch', (_request, text) => (tooLong(resultsOf(text)) ? json(status, body) : undefined)),
  )
