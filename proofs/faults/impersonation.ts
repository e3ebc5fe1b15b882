/** Defects of impersonation. */

import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import { claimsIn, hasImpersonationToken, letIn, session, tokenIn } from './combinators/auth.ts'
import {
  all,
  asSuperuser,
  isIdentifier,
  json,
  on,
  rewriteBody,
  tamper,
  tamperStatus,
} from './combinators/combinators.ts'
import { fieldRejection, first } from './combinators/field.ts'
import { fault } from './fault.ts'

const IMPERSONATE = 'impersonate'
fault(
  'everyone can impersonate',
  {
    trips: [
      'impersonate.superuser-only',
      'impersonate.guest',
      'impersonate.api-key-refused',
      'api-key.no-record',
      'access.denial-no-effect',
      'access.matrix',
    ],
  },
  asSuperuser(IMPERSONATE),
)
fault(
  'a key that changes accounts can impersonate them',
  { trips: ['impersonate.api-key-refused'] },
  on(IMPERSONATE, (request, next, _match, tools) => {
    const key = tools.reference.apiKeys.find(tokenIn(request))
    const isCovered = key?.actions.includes('update') && key.tables.includes('conf_members')
    return isCovered ? tools.asSuperuser(request) : next(request)
  }),
)
fault(
  'the token of an impersonation is not accepted',
  { trips: ['impersonate.acts-as-record', 'impersonate.static', 'impersonate.ends'] },
  tamper(IMPERSONATE, (body) => ({ ...body, token: 'nothing' })),
)
fault(
  'while an impersonation in a table lives, the next one returns its token',
  { trips: ['impersonate.acts-as-record'] },
  (tools) => {
    const living = new Map<string, unknown>()
    return tamper(IMPERSONATE, (body, _request, { table = '' }) => {
      if (!living.has(table)) living.set(table, body.token)
      return { ...body, token: living.get(table) }
    })(tools)
  },
)
fault(
  'a missing account can be impersonated',
  { trips: ['impersonate.missing-record', 'impersonate.missing'] },
  on(IMPERSONATE, async (request, next) => {
    const response = await next(request)
    return response.status === 404 ? session('nobody') : response
  }),
)
fault(
  'the duration is ignored',
  { trips: ['impersonate.duration', 'impersonate.duration-invalid'] },
  rewriteBody(IMPERSONATE, () => ({})),
)
fault('an impersonation returns 201', { trips: ['impersonate.status'] }, tamperStatus(IMPERSONATE, 200, 201))
fault(
  'an impersonation applies the authRule',
  { trips: ['impersonate.no-conditions'] },
  on(IMPERSONATE, async (request, next, { table }) =>
    table === 'conf_sealed' || table === 'conf_mfa' ? fieldRejection(403) : next(request),
  ),
)
fault(
  'signed-in users without permission are rejected with 404',
  { trips: ['impersonate.guest'] },
  all(tamperStatus(IMPERSONATE, 403, 404), tamperStatus(IMPERSONATE, 401, 404)),
)
fault(
  'an impersonation returns the token of the superuser',
  { trips: ['impersonate.no-more-than-record', 'impersonate.ends'] },
  tamper(IMPERSONATE, (body, request) => ({ ...body, token: tokenIn(request) })),
)
fault(
  'the token of an impersonation can impersonate',
  { trips: ['impersonate.superuser-only'] },
  on(IMPERSONATE, (request, next, _match, tools) =>
    hasImpersonationToken(request) ? tools.asSuperuser(request) : next(request),
  ),
)
fault(
  'accounts can impersonate by the identifier of a table',
  { trips: ['impersonate.superuser-only'] },
  on(IMPERSONATE, (request, next, { table = '' }, tools) =>
    tokenIn(request) !== '' && isIdentifier(table) ? tools.asSuperuser(request) : next(request),
  ),
)
fault('a refreshed impersonation is a superuser', { trips: ['impersonate.no-more-than-record'] }, (tools) => {
  const strong = new Set<string>()
  const refresh = on('authRefresh', async (request, next) => {
    const response = await next(request)
    const claims = claimsIn(tokenIn(request))
    if (claims?.refreshable !== false || !response.ok) return response
    const token = `${tokenIn(request)}.refreshed`
    strong.add(token)
    return json(200, { ...((await response.json()) as object), token })
  })(tools)
  return (request, next) =>
    strong.has(tokenIn(request)) ? tools.asSuperuser(request) : refresh(request, next)
})
for (const [does, operations] of [
  ['reads', ['listRecords', 'viewRecord']],
  ['creates and deletes', ['createRecord', 'deleteRecord']],
  ['sends batches', ['batch']],
] as const)
  fault(
    `an impersonated account ${does} as a superuser`,
    { trips: ['impersonate.no-more-than-record'] },
    on(operations, (request, next, _match, tools) =>
      hasImpersonationToken(request) ? tools.asSuperuser(request) : next(request),
    ),
  )
fault(
  'an impersonated account creates nothing',
  { trips: ['impersonate.acts-as-record'] },
  first('createRecord', (request) => (hasImpersonationToken(request) ? fieldRejection(403) : undefined)),
)
fault(
  'API keys can impersonate by the identifier of a table',
  { trips: ['impersonate.api-key-refused'] },
  on(IMPERSONATE, (request, next, { table = '' }, tools) =>
    isApiKey(tokenIn(request)) && isIdentifier(table) ? tools.asSuperuser(request) : next(request),
  ),
)
fault(
  'a missing account can be impersonated by the identifier of its table',
  { trips: ['impersonate.missing-record'] },
  on(IMPERSONATE, async (request, next, { table = '' }) => {
    const response = await next(request)
    return response.status === 404 && isIdentifier(table) ? session('nobody') : response
  }),
)
fault(
  'accounts that sign in by username cannot be impersonated',
  { trips: ['impersonate.acts-as-record'] },
  on(IMPERSONATE, async (request, next, { table }) =>
    table === 'conf_named' ? fieldRejection(404) : next(request),
  ),
)
fault(
  'an account can be impersonated under the name of another auth table',
  { trips: ['impersonate.missing-record'] },
  on(IMPERSONATE, async (request, next, { table, id = '' }, tools) => {
    const response = await next(request)
    if (response.status !== 404 || table === 'conf_members' || claimsIn(tokenIn(request)) === undefined)
      return response
    return (await letIn(tools, request, 'conf_members', `id = "${id}"`)) ?? response
  }),
)
for (const table of [
  'conf_staff',
  'conf_named',
  'conf_gated',
  'conf_mfa',
  'conf_oauth',
  'conf_shortlived',
  'conf_passwordless',
])
  fault(
    `accounts of ${table} can impersonate`,
    { trips: ['impersonate.superuser-only'] },
    on(IMPERSONATE, (request, next, _match, tools) =>
      claimsIn(tokenIn(request))?.collectionId === `${table}_0001`
        ? tools.asSuperuser(request)
        : next(request),
    ),
  )
