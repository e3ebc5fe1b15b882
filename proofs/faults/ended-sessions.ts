/** Defects in what ends a session: sessions that go on, and sessions that end too soon. */

import type { OperationId } from '../../spec/vocabulary.ts'
import {
  claimsIn,
  hasImpersonationToken,
  hasMemberToken,
  recordsWhere,
  rememberingTokens,
  session,
  tokenIn,
  withToken,
} from './combinators/auth.ts'
import { another, isIdentifier, isJsonObject, on, parsedBody } from './combinators/combinators.ts'
import { ALL_FIVE, fieldRejection } from './combinators/field.ts'
import { type FaultTools, fault } from './fault.ts'

const PW = 'authWithPassword'
const REFRESH = 'authRefresh'

fault(
  'a session never ends',
  {
    trips: [
      'auth.deleted-ends-session',
      'token.password-ends',
      'token.email-ends',
      'token.key-ends',
      'token.expires',
      'email-change.ends-sessions',
      'password-reset.ends-sessions',
      'impersonate.ends',
      'otp.takeover-safe',
      'oauth2.takeover-safe',
      'auth-flow.live-tokens',
    ],
  },
  rememberingTokens([REFRESH], (given, token, response) =>
    response.status === 401 && given.has(token) ? session(token, claimsIn(token)?.id) : response,
  ),
)
fault(
  'every update ends the sessions of the account',
  { trips: ['token.edits-spare', 'account.mass-assignment', 'refresh.current-record'] },
  on('updateRecord', async (request, next, { table, id }, tools) => {
    const response = await next(request)
    if (response.ok && table === 'conf_members')
      await tools.asSuperuser(
        another(request, 'PATCH', new URL(request.url).pathname, {
          'tokenKey:autogenerate': '',
          ...(id && {}),
        }),
      )
    return response
  }),
)
fault('a new password ends all sessions', { trips: ['token.others-spared'] }, () => {
  const known = new Set<string>()
  const dead = new Set<string>()
  return async (request, next) => {
    const token = tokenIn(request)
    const body = request.method === 'PATCH' ? await parsedBody(request) : undefined
    const response = dead.has(token) ? fieldRejection(401) : await next(request)
    if (isJsonObject(body) && 'password' in body && response.ok) for (const each of known) dead.add(each)
    if (response.ok && /auth-with-password$/.test(request.url)) {
      const { token: given } = (await response.clone().json()) as { token?: string }
      if (given !== undefined && claimsIn(given)?.collectionId === 'conf_members_0001') known.add(given)
    }
    return response
  }
})
fault('a delete ends all sessions', { trips: ['token.others-spared'] }, (tools) => {
  const [known, dead] = [new Set<string>(), new Set<string>()]
  return on('*', async (request, next, { operation, table }) => {
    const token = tokenIn(request)
    if (dead.has(token)) return fieldRejection(401)
    if (claimsIn(token)?.collectionId === 'conf_members_0001') known.add(token)
    const response = await next(request)
    if (operation === 'deleteRecord' && table === 'conf_members' && response.ok)
      for (const each of known) dead.add(each)
    if (operation === PW && response.ok)
      known.add(String(((await response.clone().json()) as { token?: unknown }).token))
    return response
  })(tools)
})
fault(
  'the token of a deleted account still creates records',
  { trips: ['auth.deleted-ends-session'] },
  on('createRecord', async (request, next, { table }, { asSuperuser: root, prefix }) => {
    const id = claimsIn(tokenIn(request))?.id
    const body = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (response.ok || table !== 'conf_owned' || id === undefined) return response
    const account = new URL(`${prefix}/collections/conf_members/records/${id}`, request.url)
    if ((await root(new Request(account))).ok) return response
    const { title } = body as { title?: unknown }
    return root(another(request, 'POST', new URL(request.url).pathname, { title }))
  }),
)
/** Lists of `conf_owned` reject guests; tokens from one operation are accepted there even after their record was deleted. */
const outlives = (operation: 'impersonate' | 'authRefresh') => (tools: FaultTools) => {
  const given = new Set<string>()
  return on(['listRecords', operation], async (request, next, { operation: done, table }) => {
    if (done !== 'listRecords') {
      const response = await next(request)
      const { token } = response.ok ? ((await response.clone().json()) as { token?: unknown }) : {}
      given.add(String(token))
      return response
    }
    const token = tokenIn(request)
    const { id, collectionId } = claimsIn(token) ?? {}
    const isOther = id !== undefined && collectionId !== 'conf_members_0001'
    if (table !== 'conf_owned' || isOther) return next(request)
    const account = new URL(`${tools.prefix}/collections/conf_members/records/${id}`, request.url)
    if (id !== undefined && (await tools.asSuperuser(new Request(account))).ok) return next(request)
    return given.has(token) ? next(await withToken(request, undefined)) : fieldRejection(401)
  })(tools)
}
fault(
  'the impersonation token of a deleted account still reads',
  { trips: ['auth.deleted-ends-session'] },
  outlives('impersonate'),
)
fault(
  'the refreshed token of a deleted account still reads',
  { trips: ['auth.deleted-ends-session'] },
  outlives('authRefresh'),
)
/** The token of an account that is gone counts as one of a superuser. */
const outlivesAccount = (operations: readonly OperationId[], isMet = (_table: string) => true) =>
  on(operations, async (request, next, { table = '' }, tools) => {
    const id = claimsIn(tokenIn(request))?.id
    if (!hasMemberToken(request) || !isMet(table)) return next(request)
    const left = await recordsWhere(tools, request, 'conf_members', `id = "${id}"`)
    return left.length === 0 ? tools.asSuperuser(request) : next(request)
  })
for (const [does, operations] of [
  ['lists', ['listRecords']],
  ['views', ['viewRecord']],
  ['updates and deletes', ['updateRecord', 'deleteRecord']],
  ['sends batches', ['batch']],
] as const)
  fault(
    `the token of a deleted account still ${does}`,
    { trips: ['auth.deleted-ends-session'] },
    outlivesAccount(operations),
  )
fault(
  'the token of a deleted account is accepted under the identifier of a table',
  { trips: ['auth.deleted-ends-session'] },
  outlivesAccount(ALL_FIVE, isIdentifier),
)
fault(
  'an account that an impersonation deletes keeps its session',
  { trips: ['auth.deleted-ends-session'] },
  (tools) => {
    const gone = new Set<unknown>()
    return on(ALL_FIVE, async (request, next, { operation, id }) => {
      if (gone.has(claimsIn(tokenIn(request))?.id)) return tools.asSuperuser(request)
      const response = await next(request)
      if (operation === 'deleteRecord' && response.ok && hasImpersonationToken(request)) gone.add(id)
      return response
    })(tools)
  },
)
