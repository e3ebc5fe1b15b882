/** Defects of record operations: statuses, order of checks, bodies, ids, unique indexes, deletes. */

import { isJson } from '../../exchange/is-json.ts'
import { matchOperation } from '../../exchange/operation.ts'
import { recordsWhere } from './combinators/auth.ts'
import {
  all,
  another,
  isJsonObject,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  rewritePath,
  tamperError,
  tamperRecord,
  tamperStatus,
} from './combinators/combinators.ts'
import {
  ALL_FIVE,
  acceptsField,
  echoes,
  fieldRejection,
  first,
  forgets,
  hasOwnFields,
  rewriteParts,
  rewriteText,
  shows,
  WRITES,
  withObject,
} from './combinators/field.ts'
import { fault } from './fault.ts'

const claimsJson = (request: Request) =>
  (request.headers.get('content-type') ?? '').startsWith('application/json')

fault('create returns 201', { trips: ['create.status'] }, tamperStatus('createRecord', 200, 201))
fault(
  'update returns 202',
  { trips: ['update.status', 'rules.update-judges-stored'] },
  tamperStatus('updateRecord', 200, 202),
)
fault('delete returns 200', { trips: ['delete.status'] }, tamperStatus('deleteRecord', 204, 200))
fault(
  'deletes in one table have no effect',
  { trips: ['table.one-at-a-time'] },
  on('deleteRecord', async (request, next, { table }) =>
    table === 'conf_loose' ? json(204) : next(request),
  ),
)
fault('view returns 203', { trips: ['view.status'] }, tamperStatus('viewRecord', 200, 203))
fault(
  'a missing record returns 400',
  { trips: ['record.unknown-id'] },
  tamperStatus(['viewRecord', 'updateRecord', 'deleteRecord'], 404, 400),
)
fault(
  'ids are case-insensitive',
  { trips: ['record.id-exact-case'] },
  rewritePath('viewRecord', (path, { id = '' }) => path.replace(id, id.toLowerCase())),
)
fault('a missing table returns 400', { trips: ['table.unknown'] }, tamperStatus(ALL_FIVE, 404, 400))
fault(
  'table names are case-sensitive',
  { trips: ['table.any-case'] },
  on(ALL_FIVE, async (request, next, { table = '' }) =>
    /[A-Z]/.test(table) ? fieldRejection(404) : next(request),
  ),
)
fault('unknown methods return 405', { trips: ['route.unknown'] }, ({ prefix }) => async (request, next) => {
  const response = await next(request)
  return matchOperation(request.method, new URL(request.url).pathname, prefix) === undefined
    ? fieldRejection(405)
    : response
})
fault(
  'PUT on a record is read as PATCH',
  { trips: ['route.unknown', 'robust.methods'] },
  () => (request, next) => {
    const { pathname } = new URL(request.url)
    return request.method === 'PUT' && /\/records\/./.test(pathname)
      ? next(another(request, 'PATCH', pathname, { title: 'put' }))
      : next(request)
  },
)

fault(
  'bodies are read before the table is looked up',
  { trips: ['order.table-first'] },
  first(WRITES, (request, text) =>
    claimsJson(request) && text !== '' && !isJson(text) ? fieldRejection(400) : undefined,
  ),
)
fault(
  'rules are applied before the body is read',
  { trips: ['order.body-before-rule'] },
  on('createRecord', async (request, next, { table }) =>
    table === 'conf_locked' && !request.headers.has('authorization') ? fieldRejection(403) : next(request),
  ),
)
fault(
  'records are looked up before a null rule is applied',
  { trips: ['order.rule-before-record', 'rules.null-guest'] },
  tamperStatus(['viewRecord', 'updateRecord', 'deleteRecord'], 403, 404),
)
fault(
  'fields are checked before the rule',
  { trips: ['order.rule-before-fields', 'rules.create-miss'] },
  tamperError('createRecord', (body) => ({
    ...body,
    data: { level: { code: 'validation_required', message: 'Cannot be blank.' } },
  })),
)

for (const [what, change] of [
  ['a + in a title is stored as a space', (title) => title.replaceAll('+', ' ')],
  ['what is between < and > in a title is dropped', (title) => title.replace(/<[^<>]*>/g, '')],
  ['percent signs in a title are decoded', (title) => title.replaceAll('%20', ' ')],
] as [string, (title: string) => string][])
  fault(
    what,
    { trips: ['create.persists', 'update.applies'] },
    rewriteBody(['createRecord', 'updateRecord'], (body) =>
      typeof body.title === 'string' ? { ...body, title: change(body.title) } : body,
    ),
  )

fault('unknown keys are stored', { trips: ['body.unknown-keys'] }, echoes('unknown'))
fault('clients can set created', { trips: ['body.reserved-keys'] }, echoes('created'))
fault(
  'keys are case-insensitive',
  { trips: ['body.keys-exact-case'] },
  rewriteBody('createRecord', (body) =>
    Object.fromEntries(Object.entries(body).map(([key, value]) => [key === 'TITLE' ? 'title' : key, value])),
  ),
)
fault(
  'a body is required',
  { trips: ['body.absent'] },
  first(WRITES, (_request, text) => (text === '' ? fieldRejection(400) : undefined)),
)
fault(
  'an empty update sets numbers to 0',
  { trips: ['body.empty-update'] },
  rewriteBody('updateRecord', (body) => (Object.keys(body).length === 0 ? { number: 0 } : body)),
)
fault(
  'malformed JSON is read as an empty body',
  { trips: ['body.malformed'] },
  rewriteText(WRITES, (text, request) => (claimsJson(request) && !isJson(text) ? '{}' : text)),
)
fault(
  'an array is read as an empty body',
  { trips: ['body.not-object'] },
  rewriteText(WRITES, (text, request) =>
    claimsJson(request) && isJson(text) && !isJsonObject(JSON.parse(text)) ? '{}' : text,
  ),
)
fault(
  'the first value of a repeated key is used',
  { trips: ['body.duplicate-keys'] },
  rewriteText('createRecord', (text) => text.replace(/("title":"[^"]*"),"title":"[^"]*"/, '$1')),
)
fault(
  'media types with parameters are rejected',
  { trips: ['body.media-type-parameters'] },
  first(WRITES, (request) =>
    /json\s*;/.test(request.headers.get('content-type') ?? '') ? fieldRejection(400) : undefined,
  ),
)
fault(
  'every media type is read as JSON',
  { trips: ['body.media-type-unknown'] },
  on(WRITES, async (request, next) => {
    const body = await parsedBody(request)
    return next(body === undefined ? request : withObject(request, body))
  }),
)
fault(
  'a form keeps one value per key',
  { trips: ['body.form-urlencoded'] },
  rewriteText('createRecord', (text, request) =>
    (request.headers.get('content-type') ?? '').includes('urlencoded')
      ? new URLSearchParams(Object.fromEntries(new URLSearchParams(text))).toString()
      : text,
  ),
)
fault(
  '@jsonPayload is unknown',
  { trips: ['body.multipart', 'body.payload-malformed'] },
  rewriteParts('createRecord', (key) => (key === '@jsonPayload' ? undefined : key)),
)
fault(
  'a multipart body without a boundary is accepted',
  { trips: ['body.multipart-broken'] },
  on('createRecord', (request, next) =>
    next(request.headers.get('content-type') === 'multipart/form-data' ? withObject(request, {}) : request),
  ),
)

fault(
  'generated ids contain capital letters',
  { trips: ['record-id.generated'] },
  shows('id', (id) => String(id).toUpperCase(), 'createRecord'),
)
fault('ids of clients are ignored', { trips: ['record-id.given'] }, (tools) => {
  const single = forgets('createRecord', (key) => key === 'id')(tools)
  const batch = rewriteBody('batch', (body) => ({
    ...body,
    requests: (body.requests as JsonValue[]).map(({ body: inner, ...entry }) => ({
      ...entry,
      ...(isJsonObject(inner) && { body: { ...inner, id: undefined } }),
    })),
  }))(tools)
  return (request, next) => single(request, (each) => batch(each, next))
})
fault('an id can be used twice', { trips: ['record-id.taken'] }, acceptsField('id', 'validation_not_unique'))
fault(
  'ids can contain any character',
  { trips: ['record-id.malformed'] },
  acceptsField('id', 'validation_invalid_format'),
)
fault(
  'short ids are accepted',
  { trips: ['record-id.malformed'] },
  acceptsField('id', 'validation_min_text_constraint'),
)
fault(
  'an update can change the id',
  { trips: ['record-id.fixed'] },
  acceptsField('id', 'validation_pk_change'),
)
fault(
  'ids can contain dots and slashes',
  { trips: ['record-id.forbidden-character'] },
  acceptsField('id', 'validation_forbidden_pk_character'),
)
fault(
  'ids can be device names',
  { trips: ['record-id.reserved'] },
  acceptsField('id', 'validation_reserved_pk'),
)
fault(
  'ids can differ in letter case only',
  { trips: ['record-id.any-case'] },
  acceptsField('id', 'validation_pk_invalid'),
)
fault(
  'an update adds the keys of a JSON object to the ones before',
  { trips: ['field-types.keep-values'] },
  on('updateRecord', async (request, next, _match, { asSuperuser }) => {
    const body = await parsedBody(request)
    if (!isJsonObject(body?.json)) return next(request)
    const before = (await (await asSuperuser(new Request(request.url))).json()) as JsonValue
    return next(
      withObject(request, {
        ...body,
        json: { ...(isJsonObject(before.json) ? before.json : {}), ...body.json },
      }),
    )
  }),
)
fault(
  'a view finds a record of another table, with no values of its own',
  { trips: ['table.separate'] },
  on('viewRecord', async (request, next, { table, id = '' }, tools) => {
    const response = await next(request)
    if (response.status !== 404) return response
    for (const other of ['conf_plain', 'conf_related']) {
      const [record] = await recordsWhere(tools, request, other, `id = "${id}"`)
      if (record !== undefined && other !== table)
        return json(200, {
          id,
          collectionId: `${table}_0001`,
          collectionName: table,
          created: record.created,
          updated: record.updated,
        })
    }
    return response
  }),
)
for (const [operation, id] of [
  ['viewRecord', 'view.missing-refused'],
  ['updateRecord', 'update.missing-refused'],
  ['deleteRecord', 'delete.only-one'],
] as const)
  fault(
    `only the first 15 characters of an id count in ${operation}`,
    { trips: [id] },
    rewritePath(operation, (path) => path.replace(/([^/]{15})[^/]+$/, '$1')),
  )

fault('ids in capitals lead to no record', { trips: ['view.record'] }, (tools) => {
  const given = new Set<unknown>()
  const capitals = /^(?=.*[A-Z])[A-Z0-9]{15}$/
  return all(
    rewriteBody('createRecord', (body) => {
      if (!capitals.test(String(body.id))) return body
      const id = String(body.id).toLowerCase()
      given.add(id)
      return { ...body, id }
    }),
    tamperRecord(['createRecord', 'listRecords'], (record) =>
      given.has(record.id) ? { ...record, id: String(record.id).toUpperCase() } : record,
    ),
  )(tools)
})
fault(
  'the id in the body of an update decides which record it changes',
  { trips: ['update.only-one'] },
  on('updateRecord', async (request, next) => {
    const { id, ...fields } = (await parsedBody(request.clone())) ?? {}
    if (typeof id !== 'string') return next(request)
    const path = new URL(request.url).pathname.replace(/[^/]+$/, id)
    return next(another(request, 'PATCH', path, fields))
  }),
)

for (const [what, atFirst, empty] of [
  ['false', { done: false }, false],
  ['false, which is true at first,', { shared: true }, false],
  ['zero', { stars: 1 }, 0],
  ['an empty string', { subtitle: '' }, ''],
] as const)
  fault(
    `an update ignores ${what} in a field of the own table`,
    { trips: ['update.applies'] },
    hasOwnFields(atFirst, (own, sent) => ({
      ...own,
      ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== empty)),
    })),
  )
fault(
  'a write with a wrong value in a field of the own table is rejected, but stores the title',
  { trips: ['write.rejected-changes-nothing'] },
  all(
    on(WRITES, async (request, next) => {
      const { stars = 0, ...rest } = (await parsedBody(request)) ?? {}
      if (typeof stars === 'number') return next(request)
      const { pathname } = new URL(request.url)
      await (await next(another(request, request.method, pathname, rest))).arrayBuffer()
      return fieldRejection(400)
    }),
    hasOwnFields({ stars: 1 }, (own, sent) => ({ ...own, ...sent })),
  ),
)
fault(
  'a create in a table with relations cuts names at 20 characters',
  { trips: ['create.persists'] },
  rewriteBody('createRecord', (body, { table }) =>
    table === 'conf_related' && typeof body.name === 'string'
      ? { ...body, name: body.name.slice(0, 20) }
      : body,
  ),
)
