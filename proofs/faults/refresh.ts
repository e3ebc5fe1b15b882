/** Defects of refresh: which tokens it accepts, and what it returns. */

import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import { claimsIn, hasMemberToken, letIn, SIGN_INS, session, tokenIn } from './combinators/auth.ts'
import { isIdentifier, json, on, tamper, tamperRecord, tamperStatus } from './combinators/combinators.ts'
import { first } from './combinators/field.ts'
import { fault } from './fault.ts'

const REFRESH = 'authRefresh'

fault(
  'a refresh returns the same token',
  { trips: ['refresh.outlives'] },
  on(REFRESH, async (request, next) => {
    const response = await next(request)
    return response.ok
      ? json(200, { ...((await response.json()) as object), token: tokenIn(request) })
      : response
  }),
)
fault(
  'the token of a refresh is not accepted',
  { trips: ['refresh.extends', 'impersonate.static'] },
  tamper(REFRESH, (body) => ({ ...body, token: 'nothing' })),
)
fault('a refresh returns 201', { trips: ['refresh.status'] }, tamperStatus(REFRESH, 200, 201))
fault(
  'a refresh returns an outdated record',
  { trips: ['refresh.current-record'] },
  tamper(REFRESH, (body) => ({ ...body, record: { ...(body.record as object), name: 'old' } })),
)
fault(
  'a refresh returns the record as of the first refresh of the account',
  { trips: ['refresh.current-record'] },
  (tools) => {
    const first = new Map<unknown, unknown>()
    return tamper(REFRESH, (body) => {
      const { id } = body.record as { id: string }
      if (!first.has(id)) first.set(id, body.record)
      return { ...body, record: first.get(id) }
    })(tools)
  },
)
fault(
  'a refresh returns the record as of the sign-in',
  { trips: ['refresh.same-record', 'refresh.current-record'] },
  (tools) => {
    const signedIn = new Map<unknown, unknown>()
    return tamper([...SIGN_INS, REFRESH], (body, _request, { operation }) => {
      const { id } = body.record as { id: string }
      if (operation !== REFRESH) signedIn.set(id, body.record)
      return { ...body, record: signedIn.get(id) ?? body.record }
    })(tools)
  },
)
fault(
  'a refresh requires a second factor',
  { trips: ['refresh.no-second-factor'] },
  first(REFRESH, (request) =>
    request.url.includes('conf_mfa') ? json(401, { mfaId: 'x'.repeat(15) }) : undefined,
  ),
)
fault(
  'a refresh without a session returns 403',
  {
    trips: [
      'refresh.guest',
      'refresh.base-table',
      'token.expires',
      'api-key.unknown',
      'api-key.revoked-anonymous',
      'token.other-schemes',
      'access.matrix',
    ],
  },
  tamperStatus(REFRESH, 401, 403),
)
fault(
  'a refresh without a session returns one',
  { trips: ['refresh.session-required', 'refresh.guest', 'auth.no-token'] },
  on(REFRESH, async (request, next) => {
    const response = await next(request)
    return response.status === 401 ? session('new') : response
  }),
)
fault(
  'under the identifier of a table, a refresh without a session returns one',
  { trips: ['refresh.session-required'] },
  on(REFRESH, async (request, next, { table = '' }) => {
    const response = await next(request)
    return response.status === 401 && isIdentifier(table) ? session('new') : response
  }),
)
const showsAsOfThere = (isMeant: (table: string) => boolean) =>
  on(REFRESH, async (request, next, { table = '' }, tools) => {
    const { id, collectionId } = claimsIn(tokenIn(request)) ?? {}
    const response = await next(request)
    if (response.status !== 403 || !isMeant(table) || !hasMemberToken(request)) return response
    const given = await letIn(tools, request, String(collectionId), `id = "${id}"`)
    if (given === undefined) return response
    const body = (await given.json()) as { record: object }
    const of = { collectionId: `${table}_0001`, collectionName: table }
    return json(200, { ...body, record: { ...body.record, ...of } })
  })
fault(
  'a refresh under another auth table returns the record as one of that table',
  { trips: ['refresh.same-record'] },
  showsAsOfThere(() => true),
)
fault(
  'a refresh under the table with two factors returns the record as one of that table',
  { trips: ['refresh.same-record'] },
  showsAsOfThere((table) => table === 'conf_mfa'),
)
/** A refresh with such an Authorization value returns a session of the account that the filter names. */
const takesForSession = (isMeant: (token: string) => boolean, filterOf: (token: string) => string) =>
  on(REFRESH, async (request, next, { table = '' }, tools) => {
    const token = tokenIn(request)
    if (!isMeant(token)) return next(request)
    return (await letIn(tools, request, table, filterOf(token))) ?? next(request)
  })
fault(
  'a refresh accepts the id of an account instead of a token',
  { trips: ['refresh.session-required'] },
  takesForSession(
    (token) => /^[a-z0-9]{15}$/.test(token),
    (token) => `id = "${token}"`,
  ),
)
fault(
  'a refresh accepts the address of an account instead of a token',
  { trips: ['refresh.session-required'] },
  takesForSession(
    (token) => token.includes('@'),
    (token) => `email = "${token}"`,
  ),
)
fault(
  'a refresh with an API key returns a session of the newest account',
  { trips: ['refresh.session-required'] },
  takesForSession(isApiKey, () => 'id != ""'),
)
fault(
  'a refresh shows when the account was created as the time of its update',
  { trips: ['refresh.same-record'] },
  tamperRecord(REFRESH, (record) => ({ ...record, updated: record.created })),
)
