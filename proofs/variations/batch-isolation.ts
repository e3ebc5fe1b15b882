/** Batches that other readers see partly applied: the document promises nothing to them (4.1, rule 1). */

import { soundEntriesOf } from '../faults/combinators/batch.ts'
import { another, type JsonValue, json, on } from '../faults/combinators/combinators.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('batch')

/** Fails in every table: at the end of a batch it undoes all of it. */
const failing = { method: 'PATCH', url: '/api/v1/collections/conf_plain/records/nosuchrecord123', body: {} }

const near = [
  'batch.all-or-nothing',
  'batch.succeeds-together',
  'batch.across-tables',
  'batch.order',
  'batch.mixes-methods',
  'batch.same-as-single',
  'record.sequences',
] as const

variation(
  'concurrent reads see a partly applied batch',
  { because: '4.1 item 1', near },
  on('batch', async (request, next) => {
    const entries = soundEntriesOf(await request.clone().text())
    if (entries.length === 0) return next(request)
    const trial = await next(
      another(request, 'POST', new URL(request.url).pathname, { requests: [...entries, failing] }),
    )
    const { data } = (await trial.json()) as { data?: { requests?: JsonValue } }
    // Nothing but the sub-request that was added fails: the others are done one by one.
    if (!(String(entries.length) in (data?.requests ?? {}))) return next(request)
    const done: JsonValue[] = []
    for (const { method, url, body } of entries) {
      const response = await next(another(request, String(method), String(url), body))
      const text = await response.text()
      done.push({ status: response.status, body: text === '' ? null : JSON.parse(text) })
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return json(200, done)
  }),
)

variation(
  'a batch that fails is undone by deleting what it created',
  { because: '4.1 item 1', near },
  on('batch', async (request, next, _match, { asSuperuser }) => {
    const response = await next(request.clone())
    if (response.ok) return response
    for (const { method, url, body } of soundEntriesOf(await request.text())) {
      if (method !== 'POST') continue
      const created = await next(another(request, 'POST', String(url), body))
      if (!created.ok) continue
      await new Promise((resolve) => setTimeout(resolve, 2))
      const { id } = (await created.json()) as JsonValue
      await asSuperuser(another(request, 'DELETE', `${String(url)}/${String(id)}`))
    }
    return json(409, { status: 409, message: 'The batch was undone.', data: {} })
  }),
)
