/** Defects of how sub-requests run: in whose name, with what body, with which files. */

import { claimsIn, readsTokens, tokenIn } from './combinators/auth.ts'
import { rejectsEntry, resultsOf } from './combinators/batch.ts'
import {
  all,
  another,
  asSuperuser,
  forgive,
  isJsonObject,
  type JsonValue,
  json,
  on,
  ownFieldsOf,
  rewriteEntries,
  withHeaders,
} from './combinators/combinators.ts'
import { fieldRejection, first, rewriteParts, withObject } from './combinators/field.ts'
import { fault } from './fault.ts'

fault(
  'rules are not applied in a batch',
  { trips: ['batch.caller', 'batch.sub-rules', 'batch.sub-headers', 'batch.hidden', 'batch.inner-status'] },
  asSuperuser('batch'),
)
fault(
  'Authorization headers of entries are used',
  { trips: ['batch.sub-authorization'] },
  on('batch', async (request, next) => {
    const [entry] = resultsOf(await request.clone().text())
    const own = (entry?.headers as Record<string, string> | undefined)?.Authorization
    if (own === undefined) return next(request)
    const headers = new Headers(request.headers)
    headers.set('authorization', own)
    return next(await withHeaders(request, headers))
  }),
)
fault(
  'a delete with a body is rejected in a batch',
  { trips: ['batch.delete-body'] },
  rejectsEntry(({ method, body }) => method === 'DELETE' && isJsonObject(body)),
)
fault(
  'an entry must have a body',
  { trips: ['batch.body-absent'] },
  rejectsEntry(({ method, body }) => method !== 'DELETE' && !isJsonObject(body)),
)
fault(
  'unique values are checked before the batch writes anything',
  { trips: ['batch.swap-unique'] },
  rejectsEntry(({ method, body }) => method === 'PATCH' && isJsonObject(body) && body.code === ''),
)

fault(
  'a batch must be JSON',
  { trips: ['batch.multipart-payload', 'batch.multipart-files'] },
  first('batch', (request) =>
    (request.headers.get('content-type') ?? '').startsWith('multipart/') ? fieldRejection(400) : undefined,
  ),
)
fault(
  'file names with brackets are unknown in a batch',
  { trips: ['batch.multipart-files'] },
  rewriteParts('batch', (key) => (key.includes('[') ? undefined : key)),
)
fault(
  'a failing batch deletes files',
  { trips: ['batch.files-rolled-back'] },
  on('batch', async (request, next, _match, { asSuperuser: healthy }) => {
    const copy = request.clone()
    const response = await next(request)
    if (
      response.status !== 400 ||
      !(copy.headers.get('content-type') ?? '').startsWith('multipart/form-data')
    )
      return response
    const [entry] = resultsOf(String((await copy.formData()).get('@jsonPayload')))
    if (entry?.method === 'PATCH')
      await (await healthy(another(copy, 'PATCH', String(entry.url), { files: [] }))).text()
    return response
  }),
)
fault(
  'a batch shows passwords',
  { trips: ['password.never-shown'] },
  on('batch', async (request, next) => {
    const entries = resultsOf(await request.clone().text())
    const response = await next(request)
    if (!response.ok) return response
    const responses = (await response.json()) as JsonValue[]
    return json(
      200,
      responses.map((answer, index) => ({
        ...answer,
        body: isJsonObject(answer.body)
          ? { ...answer.body, ...((entries[index]?.body as JsonValue | undefined) ?? {}) }
          : answer.body,
      })),
    )
  }),
)

fault(
  'a failing batch returns a success status',
  { trips: ['batch.failure-refused', 'batch.failure'] },
  forgive('batch', 400, 200, []),
)
fault(
  'a record that a batch creates cannot be updated in it',
  { trips: ['batch.order'] },
  first('batch', (_request, text) => {
    const born: unknown[] = []
    for (const { method, url, body } of resultsOf(text)) {
      if (method === 'PATCH' && born.includes(String(url).split('/').at(-1))) return fieldRejection(400)
      if (method === 'POST' && isJsonObject(body)) born.push(body.id)
    }
    return undefined
  }),
)
fault(
  'record paths in a batch have no prefix',
  { trips: ['batch.url', 'batch.mixes-methods'] },
  rejectsEntry(({ url }) => String(url).startsWith('/api/v1/')),
)
fault(
  'bodies of creates in a batch are dropped',
  { trips: ['batch.body', 'batch.url'] },
  rewriteEntries((entry) => (entry.method === 'POST' ? { ...entry, body: {} } : entry)),
)
fault(
  'the passwords of accounts that a batch creates are not stored as they were sent',
  { trips: ['batch.body'] },
  rewriteEntries((entry) => {
    const { method, url, body } = entry
    const isSignUp = method === 'POST' && String(url).includes('/conf_members/') && isJsonObject(body)
    const other = { password: 'Other-Newt-No.3', passwordConfirm: 'Other-Newt-No.3' }
    return isSignUp ? { ...entry, body: { ...body, ...other } } : entry
  }),
)
fault(
  'a delete in a batch must have a body',
  { trips: ['batch.delete-without-body', 'batch.mixes-methods'] },
  rejectsEntry(({ method, body }) => method === 'DELETE' && !isJsonObject(body)),
)
fault(
  'the first of several entries is skipped',
  { trips: ['batch.same-as-single'] },
  rewriteEntries((entry, index, all) => (index === 0 && all.length > 1 ? undefined : entry)),
)
fault(
  'the second entry of a batch is skipped',
  { trips: ['batch.succeeds-together'] },
  rewriteEntries((entry, index) => (index === 1 ? undefined : entry)),
)
fault(
  'numbers in a batch lose their decimals',
  { trips: ['batch.same-as-single'] },
  rewriteEntries((entry) => {
    if (!isJsonObject(entry.body)) return entry
    const whole = Object.entries(entry.body).map(([key, value]) => [
      key,
      typeof value === 'number' ? Math.trunc(value) : value,
    ])
    return { ...entry, body: Object.fromEntries(whole) }
  }),
)
const withoutNumbers = (body: JsonValue) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value !== 'number'))
fault(
  'numbers are not stored by a batch',
  { trips: ['batch.same-as-single'] },
  rewriteEntries((entry) =>
    isJsonObject(entry.body) ? { ...entry, body: withoutNumbers(entry.body) } : entry,
  ),
)
fault(
  'numbers are not stored by the creates of a batch in a table with many fields',
  { trips: ['batch.same-as-single'] },
  rewriteEntries((entry) => {
    const { method, url, body } = entry
    const creates = method === 'POST' && String(url).includes('/conf_everything/')
    return creates && isJsonObject(body) ? { ...entry, body: withoutNumbers(body) } : entry
  }),
)
fault(
  'every batch runs as a guest',
  { trips: ['batch.caller', 'batch.caller-user', 'batch.sub-authorization'] },
  readsTokens('batch', () => undefined),
)
fault(
  'signed-in users have full access in a batch',
  { trips: ['batch.caller-user'] },
  on('batch', (request, next, _match, tools) =>
    tokenIn(request) === '' ? next(request) : tools.asSuperuser(request),
  ),
)
/** Batches whose entries are like this run with a superuser's rights. */
const fullAccess = (when: (entries: JsonValue[], request: Request) => boolean) =>
  on('batch', async (request, next, _match, tools) =>
    when(resultsOf(await request.clone().text()), request) ? tools.asSuperuser(request) : next(request),
  )
fault(
  'rules are not applied in a batch by the identifier of a table',
  { trips: ['batch.caller', 'batch.caller-user'] },
  fullAccess((entries) => entries.some(({ url }) => /_\d{4}\//.test(String(url)))),
)
fault(
  'rules are not applied to the deletes of a user in a batch',
  { trips: ['batch.caller-user'] },
  fullAccess(
    (entries, request) => tokenIn(request) !== '' && entries.every(({ method }) => method === 'DELETE'),
  ),
)
fault(
  'rules are not applied to the creates of a user in a batch',
  { trips: ['batch.caller-user'] },
  fullAccess(
    (entries, request) => tokenIn(request) !== '' && entries.every(({ method }) => method === 'POST'),
  ),
)
fault(
  'rules are not applied to the accounts in a batch of a user',
  { trips: ['batch.caller-user'] },
  fullAccess(
    (entries, request) =>
      tokenIn(request) !== '' && entries.every(({ url }) => String(url).includes('/conf_members/')),
  ),
)
fault(
  'the second delete in a batch is skipped',
  { trips: ['batch.caller-user'] },
  rewriteEntries((entry, index, all) =>
    entry.method === 'DELETE' && all.slice(0, index).some(({ method }) => method === 'DELETE')
      ? undefined
      : entry,
  ),
)
fault(
  'a batch is cut after 25 entries',
  { trips: ['batch.succeeds-together'] },
  rewriteEntries((entry, index) => (index < 25 ? entry : undefined)),
)
fault(
  'a failing batch ends the sessions of the accounts that it deletes',
  { trips: ['batch.all-or-nothing'] },
  (tools) => {
    const ended = new Set<unknown>()
    const watch = on('batch', async (request, next) => {
      const entries = resultsOf(await request.clone().text())
      const response = await next(request)
      if (!response.ok)
        for (const { method, url } of entries)
          if (method === 'DELETE') ended.add(String(url).split('/').at(-1))
      return response
    })
    const forget = readsTokens('*', (token) => (ended.has(claimsIn(token)?.id) ? undefined : token))
    return all(forget, watch)(tools)
  },
)

/** Sub-requests that the batch leaves out without saying so. */
const leavesOut = (isLeftOut: (entry: JsonValue) => boolean) =>
  rewriteEntries((entry) =>
    isLeftOut(entry) ? { method: 'PATCH', url: String(entry.url), body: {} } : entry,
  )
fault(
  'a batch accepts updates by the identifier of a table with many fields, and leaves them out',
  { trips: ['batch.url'] },
  leavesOut(({ method, url }) => method === 'PATCH' && String(url).includes('/conf_everything_0001/')),
)
fault(
  'a batch accepts deletes in a table with many fields, and leaves them out',
  { trips: ['batch.url'] },
  leavesOut(({ method, url }) => method === 'DELETE' && String(url).includes('/conf_everything/')),
)
fault(
  'the second update of a record in a batch restores what the first one changed',
  { trips: ['batch.order'] },
  on('batch', async (request, next, _match, { asSuperuser }) => {
    const seen = new Set<unknown>()
    const requests: JsonValue[] = []
    for (const entry of resultsOf(await request.clone().text())) {
      const isUpdate = isJsonObject(entry) && entry.method === 'PATCH'
      if (!isUpdate || !seen.has(entry.url)) requests.push(entry)
      else {
        const view = await asSuperuser(new Request(new URL(String(entry.url), request.url)))
        const before = ownFieldsOf((await view.json()) as JsonValue)
        requests.push({ ...entry, body: { ...before, ...(entry.body as JsonValue) } })
      }
      if (isUpdate) seen.add(entry.url)
    }
    return next(withObject(request, { requests }))
  }),
)
