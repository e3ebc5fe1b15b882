/** Defects with hostile input: crashes, traces of what was rejected, responses that are not JSON. */

import { isJson } from '../../exchange/is-json.ts'
import { matchOperation } from '../../exchange/operation.ts'
import {
  another,
  isJsonObject,
  type JsonValue,
  on,
  parsedBody,
  tamperRecord,
} from './combinators/combinators.ts'
import { fieldRejection, first, WRITES } from './combinators/field.ts'
import { READERS, rejectsQuery } from './combinators/query.ts'
import { fault } from './fault.ts'

fault('malformed bodies return 500', { trips: ['robust.malformed-bodies', 'robust.survives'] }, (tools) => {
  let broken = false
  return first(WRITES, (request, text) => {
    const malformed =
      (request.headers.get('content-type') ?? '').includes('json') && text !== '' && !isJson(text)
    broken ||= malformed
    return broken ? fieldRejection(500) : undefined
  })(tools)
})
fault(
  'a string of a rejected request appears in a later response',
  { trips: ['robust.survives'] },
  (tools) => {
    let rejected = false
    return on('createRecord', async (request, next) => {
      const body = await parsedBody(request)
      if (rejected && body !== undefined && body.editor === undefined)
        return next(
          another(request, 'POST', new URL(request.url).pathname, {
            editor: 'of an earlier request',
            ...body,
          }),
        )
      const response = await next(request)
      rejected ||= response.status === 400
      return response
    })(tools)
  },
)
fault(
  'a rejected create leaves a record',
  { trips: ['robust.hostile-values'] },
  on('createRecord', async (request, next) => {
    const body = await parsedBody(request)
    const response = await next(request.clone())
    if (response.status === 400 && typeof body?.text === 'string') {
      await (await next(another(request, 'POST', new URL(request.url).pathname, { text: body.text }))).text()
    }
    return response
  }),
)
fault(
  'deep JSON exhausts the stack',
  { trips: ['robust.deep-nesting'] },
  first(WRITES, (_request, text) => (text.includes('['.repeat(3000)) ? fieldRejection(500) : undefined)),
)
fault('bodies are merged into a prototype', { trips: ['robust.prototype-keys'] }, (tools) => {
  let polluted: JsonValue = {}
  const show = tamperRecord(['createRecord', 'viewRecord'], (record) => ({ ...polluted, ...record }))(tools)
  return async (request, next) => {
    const text = request.method === 'POST' ? await request.clone().text() : ''
    const response = await show(request, next)
    if (text.includes('"__proto__":{"editor"')) polluted = { polluted: true }
    return response
  }
})
fault(
  'a NUL character crashes',
  { trips: ['robust.surrogates'] },
  first(WRITES, (_request, text) => (text.includes('\\u0000') ? fieldRejection(500) : undefined)),
)
fault(
  'a lone surrogate breaks the response',
  { trips: ['robust.surrogates'] },
  on(WRITES, async (request, next) => {
    const text = await request.clone().text()
    const response = await next(request)
    return response.ok && /\\ud800"/.test(text)
      ? new Response('{"id":"\\u', { status: 200, headers: { 'content-type': 'application/json' } })
      : response
  }),
)
fault(
  'numbers out of range are shown as null',
  { trips: ['robust.huge-numbers'] },
  on(['createRecord', 'viewRecord'], async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const text = await response.text()
    return new Response(text.replace(/"number":0\b/, '"number":null'), {
      status: response.status,
      headers: { 'content-type': 'application/json' },
    })
  }),
)
fault(
  'unknown methods crash',
  { trips: ['robust.methods'] },
  ({ prefix }) =>
    async (request, next) =>
      matchOperation(request.method, new URL(request.url).pathname, prefix) === undefined &&
      request.method === 'PROPFIND'
        ? fieldRejection(500)
        : next(request),
)
fault(
  'DELETE on a table empties it',
  { trips: ['robust.methods', 'route.unknown'] },
  () => async (request, next) =>
    request.method === 'DELETE' && new URL(request.url).pathname.endsWith('/records')
      ? new Response(null, { status: 204 })
      : next(request),
)
fault(
  'an unknown media type crashes',
  { trips: ['robust.media-types'] },
  first('updateRecord', (request) =>
    /xml|octet/.test(request.headers.get('content-type') ?? '') ? fieldRejection(500) : undefined,
  ),
)
fault(
  'long names of tables crash',
  { trips: ['robust.paths'] },
  on('*', async (request, next, { table = '', id = '' }) =>
    table.length > 255 || id.length > 255 ? fieldRejection(500) : next(request),
  ),
)
fault(
  'a percent sign in an id crashes',
  { trips: ['robust.paths'] },
  on('viewRecord', async (request, next, { id = '' }) =>
    /[%\\'"]/.test(id) ? fieldRejection(500) : next(request),
  ),
)
fault(
  'an entry that is not an object crashes',
  { trips: ['robust.batch-bodies'] },
  first('batch', (_request, text) => {
    const body = isJson(text) ? (JSON.parse(text) as unknown) : undefined
    const requests = isJsonObject(body) && Array.isArray(body.requests) ? (body.requests as unknown[]) : []
    return requests.some((entry) => !isJsonObject(entry) && entry !== null) ? fieldRejection(500) : undefined
  }),
)
fault(
  'a rejected batch leaves its first record',
  { trips: ['robust.batch-bodies', 'batch.wrong-types'] },
  on('batch', async (request, next) => {
    const body = await parsedBody(request)
    const response = await next(request.clone())
    const [entry] = Array.isArray(body?.requests) ? (body.requests as JsonValue[]) : []
    if (response.status === 400 && isJsonObject(entry) && isJsonObject(entry.body))
      await (await next(another(request, 'POST', String(entry.url), entry.body))).text()
    return response
  }),
)
fault(
  'a GET with a body crashes',
  { trips: ['robust.get-body'] },
  on(['listRecords', 'viewRecord'], async (request, next) =>
    Number(request.headers.get('content-length') ?? 0) > 0 ? fieldRejection(500) : next(request),
  ),
)
fault(
  'paths are followed until the stack ends',
  { trips: ['robust.long-parameters'] },
  rejectsQuery('fields', /(a\.){1500}/, 500, READERS),
)
fault(
  'a sort of a thousand keys crashes',
  { trips: ['robust.long-parameters'] },
  rejectsQuery('sort', /(,p\d+){900}/, 500),
)
fault(
  'deep expansions crash a view',
  { trips: ['robust.long-parameters'] },
  rejectsQuery('expand', /(relation\.){300}/, 500, 'viewRecord'),
)
fault(
  'groups are nested until the stack ends',
  { trips: ['robust.deep-groups'] },
  rejectsQuery('filter', /\({800}/, 500),
)
fault(
  'JSON in a string is read until the stack ends',
  { trips: ['robust.deep-json-text'] },
  first(WRITES, (_request, text) => (text.includes('"json":"[[[[') ? fieldRejection(500) : undefined)),
)
fault('a filter on deep JSON crashes', { trips: ['robust.deep-json-text'] }, (tools) => {
  let stored = false
  return on(['createRecord', 'listRecords'], async (request, next, { operation }) => {
    const body = operation === 'createRecord' ? await request.clone().text() : ''
    stored ||= body.includes('{\\"a\\":'.repeat(1000))
    return stored && operation === 'listRecords' && request.url.includes('json.a')
      ? fieldRejection(500)
      : next(request)
  })(tools)
})
