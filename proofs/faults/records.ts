/** Defects of record operations: statuses, order of checks, bodies, ids, unique indexes, deletes. */

import { isJson } from '../../exchange/is-json.ts'
import { matchOperation } from '../../exchange/operation.ts'
import {
  another,
  isJsonObject,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  rewritePath,
  tamperError,
  tamperStatus,
} from './combinators/combinators.ts'
import {
  ALL_FIVE,
  acceptsField,
  echoes,
  fieldRejection,
  first,
  forgets,
  rewriteParts,
  rewriteText,
  shows,
  WRITES,
  withObject,
} from './combinators/field.ts'
import { fault } from './fault.ts'

const claimsJson = (request: Request) =>
  (request.headers.get('content-type') ?? '').startsWith('application/json')

fault('create answers 201', { trips: ['create.status'] }, tamperStatus('createRecord', 200, 201))
fault(
  'update answers 202',
  { trips: ['update.status', 'rules.update-judges-stored'] },
  tamperStatus('updateRecord', 200, 202),
)
fault('delete answers 200', { trips: ['delete.status'] }, tamperStatus('deleteRecord', 204, 200))
fault(
  'deletes in one of the tables are not done',
  { trips: ['table.one-at-a-time'] },
  on('deleteRecord', async (request, next, { table }) =>
    table === 'conf_loose' ? json(204) : next(request),
  ),
)
fault('view answers 203', { trips: ['view.status'] }, tamperStatus('viewRecord', 200, 203))
fault(
  'a missing record is a bad request',
  { trips: ['record.unknown-id'] },
  tamperStatus(['viewRecord', 'updateRecord', 'deleteRecord'], 404, 400),
)
fault(
  'ids are read in any letter case',
  { trips: ['record.id-exact-case'] },
  rewritePath('viewRecord', (path, { id = '' }) => path.replace(id, id.toLowerCase())),
)
fault('a missing table is a bad request', { trips: ['table.unknown'] }, tamperStatus(ALL_FIVE, 404, 400))
fault(
  'table names have one letter case',
  { trips: ['table.any-case'] },
  on(ALL_FIVE, async (request, next, { table = '' }) =>
    /[A-Z]/.test(table) ? fieldRejection(404) : next(request),
  ),
)
fault('unknown methods give 405', { trips: ['route.unknown'] }, ({ prefix }) => async (request, next) => {
  const response = await next(request)
  return matchOperation(request.method, new URL(request.url).pathname, prefix) === undefined
    ? fieldRejection(405)
    : response
})
fault('PUT on a record is PATCH', { trips: ['route.unknown', 'robust.methods'] }, () => (request, next) => {
  const { pathname } = new URL(request.url)
  return request.method === 'PUT' && /\/records\/./.test(pathname)
    ? next(another(request, 'PATCH', pathname, { title: 'put' }))
    : next(request)
})

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

fault('unknown keys are stored', { trips: ['body.unknown-keys'] }, echoes('unknown'))
fault('clients set created', { trips: ['body.reserved-keys'] }, echoes('created'))
fault(
  'keys are read in any letter case',
  { trips: ['body.keys-exact-case'] },
  rewriteBody('createRecord', (body) =>
    Object.fromEntries(Object.entries(body).map(([key, value]) => [key === 'TITLE' ? 'title' : key, value])),
  ),
)
fault(
  'a body is compulsory',
  { trips: ['body.absent'] },
  first(WRITES, (_request, text) => (text === '' ? fieldRejection(400) : undefined)),
)
fault(
  'an empty update zeroes numbers',
  { trips: ['body.empty-update'] },
  rewriteBody('updateRecord', (body) => (Object.keys(body).length === 0 ? { number: 0 } : body)),
)
fault(
  'malformed JSON is an empty body',
  { trips: ['body.malformed'] },
  rewriteText(WRITES, (text, request) => (claimsJson(request) && !isJson(text) ? '{}' : text)),
)
fault(
  'a list is an empty body',
  { trips: ['body.not-object'] },
  rewriteText(WRITES, (text, request) =>
    claimsJson(request) && isJson(text) && !isJsonObject(JSON.parse(text)) ? '{}' : text,
  ),
)
fault(
  'of a repeated key the first value counts',
  { trips: ['body.duplicate-keys'] },
  rewriteText('createRecord', (text) => text.replace(/("title":"[^"]*"),"title":"[^"]*"/, '$1')),
)
fault(
  'media types must have no parameters',
  { trips: ['body.media-type-parameters'] },
  first(WRITES, (request) =>
    /json\s*;/.test(request.headers.get('content-type') ?? '') ? fieldRejection(400) : undefined,
  ),
)
fault(
  'every media type is JSON',
  { trips: ['body.media-type-unknown'] },
  on(WRITES, async (request, next) => {
    const body = await parsedBody(request)
    return next(body === undefined ? request : withObject(request, body))
  }),
)
fault(
  'a form keeps one value a key',
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
  'a multipart body needs no boundary',
  { trips: ['body.multipart-broken'] },
  on('createRecord', (request, next) =>
    next(request.headers.get('content-type') === 'multipart/form-data' ? withObject(request, {}) : request),
  ),
)

fault(
  'generated ids have capitals',
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
fault('an id can be taken twice', { trips: ['record-id.taken'] }, acceptsField('id', 'validation_not_unique'))
fault(
  'ids may hold any character',
  { trips: ['record-id.malformed'] },
  acceptsField('id', 'validation_invalid_format'),
)
fault(
  'ids may be short',
  { trips: ['record-id.malformed'] },
  acceptsField('id', 'validation_min_text_constraint'),
)
fault('ids can change', { trips: ['record-id.fixed'] }, acceptsField('id', 'validation_pk_change'))
fault(
  'ids may hold dots and slashes',
  { trips: ['record-id.forbidden-character'] },
  acceptsField('id', 'validation_forbidden_pk_character'),
)
fault(
  'ids may be names of devices',
  { trips: ['record-id.reserved'] },
  acceptsField('id', 'validation_reserved_pk'),
)
fault(
  'ids may differ in letter case alone',
  { trips: ['record-id.any-case'] },
  acceptsField('id', 'validation_pk_invalid'),
)
