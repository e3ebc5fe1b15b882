/** Defects of access rules: who sees and changes what they must not, or must and cannot. */

import type { OperationId } from '../../spec/vocabulary.ts'
import { rejectsEntry } from './combinators/batch.ts'
import {
  asSuperuser,
  isJsonObject,
  type JsonValue,
  on,
  parsedBody,
  tamperRecord,
} from './combinators/combinators.ts'
import { fieldRejection, first, RECORD_OPERATIONS } from './combinators/field.ts'
import { tamperExpand } from './combinators/query.ts'
import { fault } from './fault.ts'

fault(
  'list rules are not applied',
  {
    trips: [
      'rules.list-leaves-out',
      'rules.list-totals',
      'rules.null-guest',
      'rules.null-user',
      'rules.user-miss',
      'rules.invalid-token',
    ],
  },
  asSuperuser('listRecords'),
)
fault(
  'view rules are not applied',
  {
    trips: [
      'rules.view-miss',
      'rules.request-auth',
      'rules.request-headers',
      'rules.user-miss',
      'hidden.absent',
      'email-visibility.hidden',
      'rules.writer-sees',
    ],
  },
  asSuperuser('viewRecord'),
)
fault(
  'create rules are not applied',
  {
    trips: [
      'rules.create-miss',
      'rules.request-body',
      'rules.body-relation',
      'hidden.input-dropped',
      'order.body-before-rule',
    ],
  },
  asSuperuser('createRecord'),
)
fault(
  'update rules are not applied',
  { trips: ['rules.update-miss', 'rules.body-changed', 'rules.body-modifier', 'hidden.input-dropped'] },
  asSuperuser('updateRecord'),
)
fault(
  'delete rules are not applied',
  { trips: ['rules.delete-miss', 'rules.request-query'] },
  asSuperuser('deleteRecord'),
)
fault(
  'guests cannot view anything',
  { trips: ['rules.empty'] },
  first('viewRecord', (request) => (request.headers.has('authorization') ? undefined : fieldRejection(403))),
)
fault(
  'the update rule is checked on the result',
  { trips: ['rules.update-judges-stored'] },
  on('updateRecord', async (request, next) => {
    const response = await next(request)
    const { public: open } = (await response.clone().json()) as JsonValue
    return open === false ? fieldRejection(404) : response
  }),
)
fault(
  'writers see only what they may view',
  { trips: ['rules.writer-sees'] },
  on('createRecord', async (request, next) => {
    const response = await next(request)
    const { public: open } = (await response.clone().json()) as JsonValue
    return open === false && !request.headers.has('authorization') ? fieldRejection(404) : response
  }),
)
fault(
  'invalid tokens are rejected',
  { trips: ['rules.invalid-token'] },
  first('*', (request) =>
    /garbage|\.bad$|^Basic /.test(request.headers.get('authorization') ?? '')
      ? fieldRejection(401)
      : undefined,
  ),
)
fault(
  'totals ignore the list rule',
  { trips: ['rules.list-totals'] },
  on('listRecords', async (request, next, _match, { asSuperuser: healthy }) => {
    const mine = (await (await next(request.clone())).json()) as JsonValue
    const { totalItems, totalPages } = (await (await healthy(request)).json()) as JsonValue
    return Response.json({ ...mine, totalItems, totalPages })
  }),
)
const opensReferring = (operations: OperationId, when = (_body: JsonValue) => true) =>
  on(operations, async (request, next, { table }, tools) =>
    table === 'conf_referring' && when((await parsedBody(request)) ?? {})
      ? tools.asSuperuser(request)
      : next(request),
  )
fault(
  'rules can use fields of the record only',
  { trips: ['rules.request-context', 'rules.request-method', 'rules.other-table', 'rules.auth-relation'] },
  opensReferring('viewRecord'),
)
fault(
  'rules of expanded records see the default context',
  { trips: ['rules.request-context'] },
  tamperExpand((expand) => (isJsonObject(expand.parent) && expand.parent.context === 'expand' ? {} : expand)),
)
fault(
  'rules in a batch see the default context',
  { trips: ['rules.batch-context'] },
  rejectsEntry(({ body }) => isJsonObject(body) && body.context === 'batch'),
)
fault(
  'rules see PUT in a batch',
  { trips: ['rules.batch-method'] },
  rejectsEntry(({ method, url }) => method === 'PUT' && String(url).includes('referring')),
)
fault(
  'null is treated as not sent',
  { trips: ['rules.body-isset'] },
  opensReferring('updateRecord', ({ frozen }) => frozen === null),
)
fault(
  'a modifier is treated as another field',
  { trips: ['rules.body-isset'] },
  opensReferring('updateRecord', (body) => 'frozen+' in body),
)
fault(
  'an empty parameter is treated as missing',
  { trips: ['rules.query-isset'] },
  first('deleteRecord', ({ url }) => (url.endsWith('?sure=') ? fieldRejection(404) : undefined)),
)
fault(
  'only the first value is checked',
  { trips: ['rules.body-each'] },
  opensReferring('createRecord', ({ tags }) => Array.isArray(tags) && tags[0] === 'a'),
)
fault(
  ':length is ignored',
  { trips: ['rules.body-length'] },
  opensReferring('createRecord', ({ tags }) => Array.isArray(tags) && tags.length > 2),
)
fault(
  'rules see strings as they are sent',
  { trips: ['rules.body-lower'] },
  opensReferring('createRecord', ({ word }) => word === 'SeCRET'),
)
fault(
  'hidden fields are hidden from superusers',
  { trips: ['hidden.superuser'] },
  tamperRecord('viewRecord', ({ secret: _, ...record }) => record),
)
fault(
  'hidden fields are shown to writers',
  { trips: ['hidden.absent'] },
  tamperRecord(['createRecord', 'updateRecord'], (record) =>
    record.collectionName === 'conf_hiding' ? { ...record, secret: '' } : record,
  ),
)
fault(
  'addresses are hidden from everyone',
  { trips: ['email-visibility.public', 'email-visibility.owner', 'email-visibility.superuser'] },
  tamperRecord('viewRecord', ({ email: _, ...record }) => record),
)
fault(
  'token keys are shown',
  { trips: ['secrets.never-shown'] },
  tamperRecord(RECORD_OPERATIONS, (record) =>
    record.collectionName === 'conf_members' ? { ...record, tokenKey: 'key' } : record,
  ),
)
