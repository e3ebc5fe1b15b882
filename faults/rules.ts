/** Defects of access rules: who sees and changes what they must not, or must and cannot. */

import { asSuperuser, type Json, on, tamperRecord } from './combinators/combinators.ts'
import { first, RECORD_OPERATIONS, refusal } from './combinators/field.ts'
import { fault } from './fault.ts'

fault(
  'list rules are forgotten',
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
  'view rules are forgotten',
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
  'create rules are forgotten',
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
  'update rules are forgotten',
  { trips: ['rules.update-miss', 'rules.body-changed', 'rules.body-modifier', 'hidden.input-dropped'] },
  asSuperuser('updateRecord'),
)
fault(
  'delete rules are forgotten',
  { trips: ['rules.delete-miss', 'rules.request-query'] },
  asSuperuser('deleteRecord'),
)
fault(
  'guests may view nothing',
  { trips: ['rules.empty'] },
  first('viewRecord', (request) => (request.headers.has('authorization') ? undefined : refusal(403))),
)
fault(
  'the update rule is judged on the result',
  { trips: ['rules.update-judges-stored'] },
  on('updateRecord', async (request, next) => {
    const response = await next(request)
    const { public: open } = (await response.clone().json()) as Json
    return open === false ? refusal(404) : response
  }),
)
fault(
  'writers see only what they may view',
  { trips: ['rules.writer-sees'] },
  on('createRecord', async (request, next) => {
    const response = await next(request)
    const { public: open } = (await response.clone().json()) as Json
    return open === false && !request.headers.has('authorization') ? refusal(404) : response
  }),
)
fault(
  'invalid tokens are refused',
  { trips: ['rules.invalid-token'] },
  first('*', (request) =>
    /garbage|\.bad$|^Basic /.test(request.headers.get('authorization') ?? '') ? refusal(401) : undefined,
  ),
)
fault(
  'the totals count everything',
  { trips: ['rules.list-totals'] },
  on('listRecords', async (request, next, _match, { asSuperuser: healthy }) => {
    const mine = (await (await next(request.clone())).json()) as Json
    const { totalItems, totalPages } = (await (await healthy(request)).json()) as Json
    return Response.json({ ...mine, totalItems, totalPages })
  }),
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
  'nobody sees an address',
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
