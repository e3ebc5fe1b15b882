/** Defects of batches as transactions: what is partly applied, skipped, or done in another order. */

import {
  hasAccountToken,
  hasImpersonationToken,
  hasMemberToken,
  recordsWhere,
  tokenIn,
} from './combinators/auth.ts'
import { noTransaction, resultsOf } from './combinators/batch.ts'
import {
  all,
  another,
  isIdentifier,
  isJsonObject,
  type JsonValue,
  json,
  listItems,
  on,
  parsedBody,
  rewriteBody,
  rewriteEntries,
  tamperRecord,
  withoutTransaction,
} from './combinators/combinators.ts'
import { rejects } from './combinators/field.ts'
import { type FaultTools, fault } from './fault.ts'

fault(
  'a batch is not a transaction',
  { trips: ['batch.all-or-nothing', 'batch.across-tables', 'batch.parent-with-children', 'batch.isolation'] },
  withoutTransaction(),
)
fault(
  'a large batch is applied ten entries at a time',
  { trips: ['batch.at-limit'] },
  on('batch', async (request, next) => {
    const entries = resultsOf(await request.clone().text())
    if (entries.length <= 10) return next(request)
    const responses: JsonValue[] = []
    for (let from = 0; from < entries.length; from += 10) {
      const requests = entries.slice(from, from + 10)
      const response = await next(another(request, 'POST', new URL(request.url).pathname, { requests }))
      if (!response.ok) return response
      responses.push(...((await response.json()) as JsonValue[]))
    }
    return json(200, responses)
  }),
)
const aboutTable = (name: string) => (entries: JsonValue[]) =>
  entries.some(({ url }) => String(url).includes(`/${name}/`))
fault(
  'a batch of more than ten entries is not a transaction',
  { trips: ['batch.all-or-nothing'] },
  noTransaction(({ length }) => length > 10),
)
fault(
  'a batch of more than forty entries is not a transaction',
  { trips: ['batch.all-or-nothing'] },
  noTransaction(({ length }) => length > 40),
)
fault(
  'a batch of a superuser is not a transaction',
  { trips: ['batch.all-or-nothing'] },
  noTransaction((_entries, request) => tokenIn(request) !== '' && !hasAccountToken(request)),
)
fault(
  'a batch of a user is not a transaction',
  { trips: ['batch.all-or-nothing'] },
  noTransaction((_entries, request) => tokenIn(request) !== ''),
)
fault(
  'a batch of an account of another auth table is not a transaction',
  { trips: ['batch.all-or-nothing'] },
  noTransaction((_entries, request) => hasAccountToken(request) && !hasMemberToken(request)),
)
fault(
  'a batch of an impersonated account is not a transaction',
  { trips: ['batch.all-or-nothing'] },
  noTransaction((_entries, request) => hasImpersonationToken(request)),
)
fault(
  'a batch with a taken address is partly applied',
  { trips: ['batch.all-or-nothing'] },
  noTransaction(
    (entries) =>
      entries.length === 2 &&
      entries.some(({ method, url }) => method === 'POST' && String(url).includes('/conf_members/')),
  ),
)
fault(
  'a batch with an update of an account by someone else is partly applied',
  { trips: ['batch.all-or-nothing'] },
  noTransaction((entries) =>
    entries.some(
      ({ method, url, body }) =>
        method === 'PATCH' &&
        String(url).includes('/conf_members/') &&
        isJsonObject(body) &&
        body.name !== undefined,
    ),
  ),
)
fault(
  'equal entries of a batch are done once',
  { trips: ['batch.succeeds-together'] },
  on('batch', async (request, next) => {
    const keys = resultsOf(await request.clone().text()).map((entry) => JSON.stringify(entry))
    const once = [...new Set(keys)]
    if (once.length === keys.length) return next(request)
    const requests = once.map((key) => JSON.parse(key) as JsonValue)
    const response = await next(another(request, 'POST', new URL(request.url).pathname, { requests }))
    if (!response.ok) return response
    const results = (await response.json()) as JsonValue[]
    return json(
      200,
      keys.map((key) => results[once.indexOf(key)]),
    )
  }),
)
fault(
  'a batch with a missing required field is partly applied',
  { trips: ['batch.all-or-nothing'] },
  noTransaction(aboutTable('conf_required')),
)
fault(
  'in a batch, values that a field does not accept are left out',
  { trips: ['batch.all-or-nothing'] },
  rewriteEntries((entry) => {
    if (!isJsonObject(entry.body)) return entry
    const { email, select: _, ...others } = entry.body
    const isWrong = typeof email === 'string' && !email.includes('@')
    return isWrong ? { ...entry, body: others } : entry
  }),
)
fault(
  'a batch with a forbidden entry is partly applied',
  { trips: ['batch.all-or-nothing'] },
  noTransaction(aboutTable('conf_locked')),
)
fault(
  'a batch with a delete of a referenced record is partly applied',
  { trips: ['batch.all-or-nothing'] },
  (tools) => {
    const oneByOne = withoutTransaction()(tools)
    return on('batch', async (request, next) => {
      const { length, 0: only } = resultsOf(await request.clone().text()).filter(
        (entry) => isJsonObject(entry) && entry.method === 'DELETE',
      )
      const id = String(only?.url).split('/').at(-1)
      const children =
        length === 1 ? await recordsWhere(tools, request, 'conf_requiring', `parent = "${id}"`) : []
      return children.length > 0 ? oneByOne(request, next) : next(request)
    })(tools)
  },
)
fault(
  'entries after the tenth are skipped',
  { trips: ['batch.succeeds-together'] },
  rewriteBody('batch', (body) => ({
    ...body,
    requests: ((body.requests as JsonValue[]) ?? []).slice(0, 10),
  })),
)
fault(
  'a concurrent batch returns the response of another and is not applied',
  { trips: ['batch.succeeds-together'] },
  (tools) => {
    let underWay: Promise<Response> | undefined
    return on('batch', async (request, next) => {
      if (underWay !== undefined) return (await underWay).clone()
      underWay = next(request)
      const response = await underWay
      await new Promise((resolve) => setTimeout(resolve, 20))
      underWay = undefined
      return response.clone()
    })(tools)
  },
)
fault(
  'a failing batch restores all titles of the table, including changes by others',
  { trips: ['batch.all-or-nothing'] },
  on('batch', async (request, next, _match, { asSuperuser, prefix }) => {
    const records = new URL(`${prefix}/collections/conf_plain/records`, request.url).href
    const list = await asSuperuser(new Request(`${records}?perPage=500&sort=-created`))
    const before = listItems((await list.json()) as JsonValue)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const response = await next(request.clone())
    if (response.ok) return response
    for (const { id, title } of before) {
      const view = await asSuperuser(new Request(`${records}/${id}`))
      if (!view.ok || ((await view.json()) as JsonValue).title === title) continue
      await asSuperuser(another(request, 'PATCH', `${records}/${id}`, { title }))
    }
    return response
  }),
)
fault(
  'a batch ignores values that are 0, false or empty',
  { trips: ['batch.same-as-single'] },
  rewriteEntries(({ body, ...entry }) => {
    if (entry.method !== 'PATCH' || !isJsonObject(body)) return { ...entry, body }
    const kept = Object.entries(body).filter(([, value]) => Boolean(value) && String(value) !== '')
    return { ...entry, body: Object.fromEntries(kept) }
  }),
)
fault(
  'a batch ignores values that are null',
  { trips: ['batch.same-as-single'] },
  rewriteEntries(({ body, ...entry }) =>
    isJsonObject(body)
      ? { ...entry, body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) }
      : { ...entry, body },
  ),
)
fault('concurrent reads see a partly applied batch', { trips: ['batch.isolation'] }, (tools) => {
  const oneByOne = withoutTransaction()(tools)
  return on('batch', async (request, next) => {
    for (const { method, url } of resultsOf(await request.clone().text())) {
      if (method === 'POST') continue
      const view = await tools.asSuperuser(new Request(new URL(String(url), request.url)))
      if (!view.ok) return next(request)
    }
    // Slow enough to be looked at: in one process all of it may be done between two reads.
    return oneByOne(request, async (entry) => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return next(entry)
    })
  })(tools)
})
fault(
  'a batch goes on after a failure',
  { trips: ['batch.all-or-nothing', 'batch.failure'] },
  withoutTransaction({ goOn: true }),
)
fault(
  'deletes in a batch are skipped',
  { trips: ['batch.mixes-methods', 'batch.delete-recreate'] },
  rewriteEntries((entry) => (entry.method === 'DELETE' ? undefined : entry)),
)
fault(
  'the last entry of a batch is skipped',
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
    requests: ((body.requests as JsonValue[]) ?? []).slice(
      0,
      Math.max(1, (body.requests as JsonValue[]).length - 1),
    ),
  })),
)
fault(
  'a batch runs backwards',
  { trips: ['batch.order', 'batch.delete-recreate', 'batch.swap-unique', 'batch.status'] },
  rewriteBody('batch', (body) => ({ ...body, requests: [...(body.requests as JsonValue[])].reverse() })),
)
const METHODS = ['POST', 'PATCH', 'DELETE']
fault(
  'a batch runs its sub-requests grouped by method',
  { trips: ['batch.order', 'batch.delete-recreate'] },
  rewriteBody('batch', (body) => ({
    ...body,
    requests: METHODS.flatMap((name) =>
      (body.requests as JsonValue[]).filter(({ method }) => method === name),
    ),
  })),
)
fault(
  'a batch runs its creates before its updates and deletes',
  { trips: ['batch.order', 'batch.delete-recreate'] },
  on('batch', async (request, next) => {
    const body = await parsedBody(request)
    if (!Array.isArray(body?.requests)) return next(request)
    const isCreate = (entry: unknown) => isJsonObject(entry) && entry.method === 'POST'
    const entries: unknown[] = body.requests
    const order = [...entries.filter(isCreate), ...entries.filter((entry) => !isCreate(entry))]
    const { pathname } = new URL(request.url)
    const response = await next(another(request, 'POST', pathname, { ...body, requests: order }))
    if (!response.ok) return response
    // The response has the order of the request.
    const results = (await response.json()) as unknown[]
    return json(
      200,
      entries.map((entry) => results[order.indexOf(entry)]),
    )
  }),
)
fault(
  'a failing batch keeps its first entry',
  { trips: ['batch.all-or-nothing', 'batch.failure'] },
  on('batch', async (request, next) => {
    const text = await request.clone().text()
    const response = await next(request.clone())
    const [entry] = resultsOf(text)
    if (response.status === 400 && entry !== undefined) {
      await (
        await next(another(request, 'POST', new URL(request.url).pathname, { requests: [entry] }))
      ).text()
    }
    return response
  }),
)

fault(
  'a batch is applied up to the rejected sub-request',
  { trips: ['batch.rejected-changes-nothing'] },
  on('batch', async (request, next) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request.clone())
    if (response.ok) return response
    for (const { method, url, body } of entries.filter(isJsonObject)) {
      const alone = await next(another(request, String(method), String(url), body)).catch(() => undefined)
      if (alone?.ok !== true) break
    }
    return response
  }),
)
fault(
  'forbidden entries of a batch are skipped and the rest is applied',
  { trips: ['batch.all-or-nothing'] },
  on('batch', async (request, next) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request.clone())
    const inner = (await response.clone().text()).includes('"status":403')
    if (response.ok || !inner) return response
    const responses: JsonValue[] = []
    for (const { method, url, body } of entries.filter(isJsonObject)) {
      const alone = await next(another(request, String(method), String(url), body))
      responses.push({ status: alone.status, body: null })
    }
    return json(207, responses)
  }),
)
fault(
  'entries of a batch with unknown paths are skipped and the rest is applied',
  { trips: ['batch.all-or-nothing'] },
  rewriteEntries((entry) => (/\/collections\/[^/]+\/records/.test(String(entry.url)) ? entry : undefined)),
)
fault(
  'strings in a batch are truncated to 64 KiB',
  { trips: ['batch.same-as-single'] },
  rewriteEntries((entry) => {
    if (!isJsonObject(entry.body)) return entry
    const cut = Object.entries(entry.body).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.slice(0, 65_536) : value,
    ])
    return { ...entry, body: Object.fromEntries(cut) }
  }),
)
fault(
  'a batch that fails still sets the password of its sender',
  { trips: ['batch.all-or-nothing'] },
  on('batch', async (request, next, _match, { asSuperuser }) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request.clone())
    const own = entries.filter((entry) => isJsonObject(entry?.body) && 'oldPassword' in entry.body)
    if (response.ok) return response
    for (const { method, url, body } of own)
      await (await asSuperuser(another(request, String(method), String(url), body))).arrayBuffer()
    return response
  }),
)
fault('totals count the records of batches that failed', { trips: ['batch.all-or-nothing'] }, (tools) => {
  const lost = new Map<string, number>()
  return on(['batch', 'listRecords'], async (request, next, { operation, table = '' }) => {
    const entries = operation === 'batch' ? resultsOf(await request.clone().text()) : []
    const response = await next(request)
    const creates = entries.filter((entry) => entry?.method === 'POST')
    for (const [, name = ''] of creates.flatMap(({ url }) => [
      ...String(url).matchAll(/collections\/(\w+)/g),
    ]))
      if (!response.ok) lost.set(name, (lost.get(name) ?? 0) + 1)
    if (operation === 'batch' || !response.ok || request.url.includes('filter=')) return response
    const body = (await response.json()) as JsonValue
    return json(200, { ...body, totalItems: Number(body.totalItems) + (lost.get(table) ?? 0) })
  })(tools)
})
fault(
  'a batch with a sign-up is not atomic',
  { trips: ['batch.all-or-nothing'] },
  noTransaction(aboutTable('conf_members')),
)

fault(
  'the next batch writes what the last one that failed created first',
  { trips: ['batch.rejected-changes-nothing'] },
  (tools) => {
    let kept: JsonValue | undefined
    return on('batch', async (request, next) => {
      const [first] = resultsOf(await request.clone().text())
      const response = await next(request.clone())
      const due = kept
      kept = response.ok ? undefined : isJsonObject(first) && first.method === 'POST' ? first : due
      if (response.ok && due !== undefined)
        await (await next(another(request, 'POST', String(due.url), due.body))).text()
      return response
    })(tools)
  },
)

/** Passes what batches that failed would have created to `keep`. */
const remembersFailed = (keep: (body: JsonValue) => void) =>
  on('batch', async (request, next) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request)
    for (const entry of response.ok ? [] : entries)
      if (isJsonObject(entry) && entry.method === 'POST' && isJsonObject(entry.body)) keep(entry.body)
    return response
  })
fault('the unique values of a batch that failed stay taken', { trips: ['batch.all-or-nothing'] }, (tools) => {
  const taken = new Set<unknown>()
  const keep = remembersFailed(({ code }) => {
    if (code !== undefined) taken.add(code)
  })
  const reject = rejects('createRecord', ({ code }) => taken.has(code))
  return all(keep, reject)(tools)
})
fault(
  'the record after a batch that failed has the references of what was not created',
  { trips: ['batch.all-or-nothing'] },
  (tools) => {
    let lost: unknown
    const referring = new Map<unknown, unknown>()
    const keep = remembersFailed(({ parent }) => {
      lost = parent ?? lost
    })
    const inherit = on(['createRecord', 'deleteRecord'], async (request, next, { operation, id }) => {
      const response = await next(request.clone())
      if (operation === 'createRecord' && response.ok && lost !== undefined) {
        referring.set(lost, ((await response.clone().json()) as JsonValue).id)
        lost = undefined
      }
      const record = operation === 'deleteRecord' ? referring.get(id) : undefined
      const path = `${tools.prefix}/collections/conf_related/records/${record}`
      if (record !== undefined)
        await (await tools.asSuperuser(another(request, 'PATCH', path, { parent: '' }))).arrayBuffer()
      return response
    })
    return all(keep, inherit)(tools)
  },
)

/** What a failed batch was to change is changed afterwards, as far as it is picked. */
const keepsOfFailed = (pick: (body: JsonValue) => JsonValue | undefined) =>
  on('batch', async (request, next, _match, tools) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request)
    if (response.ok) return response
    for (const { method, url, body } of entries.filter(isJsonObject)) {
      const kept = method === 'PATCH' && isJsonObject(body) ? pick(body) : undefined
      if (kept !== undefined) await tools.asSuperuser(another(request, 'PATCH', String(url), kept))
    }
    return response
  })
for (const field of ['json', 'geo', 'selects', 'verified'])
  fault(
    `a failed batch keeps the ${field} that it was to set`,
    { trips: ['batch.all-or-nothing'] },
    keepsOfFailed((body) => (field in body ? { [field]: body[field] } : undefined)),
  )
fault(
  'a failed batch clears the relations to a record that it was to delete',
  { trips: ['batch.all-or-nothing'] },
  on('batch', async (request, next, _match, tools) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request)
    const deleted = entries.filter(({ method }) => !response.ok && method === 'DELETE')
    for (const { url } of deleted)
      for (const { id } of await recordsWhere(
        tools,
        request,
        'conf_loose',
        `one = "${String(url).split('/').at(-1)}"`,
      ))
        await tools.asSuperuser(
          another(request, 'PATCH', `${tools.prefix}/collections/conf_loose/records/${id}`, { one: '' }),
        )
    return response
  }),
)

/** Views show another time for records that a batch wrote, until they are updated alone. */
const showsInBatch =
  (method: 'POST' | 'PATCH', shown: (record: JsonValue) => JsonValue) => (tools: FaultTools) => {
    const written = new Map<string, JsonValue>()
    return all(
      on('batch', async (request, next) => {
        const entries = resultsOf(await request.clone().text())
        const response = await next(request)
        if (!response.ok) return response
        const results = (await response.clone().json()) as JsonValue[]
        for (const [at, entry] of entries.entries()) {
          const { body } = results[at] ?? {}
          if (entry.method === method && isJsonObject(body)) written.set(String(body.id), shown(body))
        }
        return response
      }),
      on('updateRecord', (request, next, { id = '' }) => {
        written.delete(id)
        return next(request)
      }),
      tamperRecord('viewRecord', (record) => ({ ...record, ...written.get(String(record.id)) })),
    )(tools)
  }
fault(
  'an update in a batch does not advance `updated`',
  { trips: ['record.updated-moves'] },
  showsInBatch('PATCH', ({ created }) => ({ updated: created })),
)
fault(
  'records that a batch creates are of 1970',
  { trips: ['record.updated-utc'] },
  showsInBatch('POST', () => ({ created: '1970-01-01 00:00:00.000Z', updated: '1970-01-01 00:00:00.000Z' })),
)
fault(
  'a batch whose first path names its table by the identifier is not a transaction',
  { trips: ['batch.all-or-nothing'] },
  noTransaction(([first]) => isIdentifier(/collections\/(\w+)/.exec(String(first?.url))?.[1] ?? '')),
)
