/** Defects of tokens: what is believed, what ends them, and refresh. */

import type { OperationId } from '../../spec/vocabulary.ts'
import {
  claimsIn,
  hasImpersonationToken,
  hasMemberToken,
  letIn,
  readsTokens,
  recordsWhere,
  rememberingTokens,
  SIGN_INS,
  SIGNING,
  session,
  tokenIn,
  withToken,
} from './combinators/auth.ts'
import {
  all,
  another,
  asSuperuser,
  forgive,
  isIdentifier,
  isJsonObject,
  json,
  on,
  parsedBody,
  tamper,
  tamperStatus,
  underIdentifier,
} from './combinators/combinators.ts'
import { ALL_FIVE, fieldRejection, first } from './combinators/field.ts'
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
  'signatures are not checked',
  {
    trips: [
      'auth.token-altered',
      'auth.sequences',
      'token.unsigned',
      'token.other-kind',
      'refresh.guest',
      'access.matrix',
    ],
  },
  on(REFRESH, async (request, next) => {
    const response = await next(request)
    const id = claimsIn(tokenIn(request))?.id
    return response.status === 401 && id !== undefined ? session(tokenIn(request), id) : response
  }),
)
fault(
  'a token needs the word Bearer',
  {
    trips: [
      'auth.token-as-is',
      'auth.token-header',
      'auth.user-token',
      'refresh.extends',
      'impersonate.acts-as-record',
    ],
  },
  readsTokens([REFRESH, 'viewRecord', 'listRecords', 'updateRecord'], (token) =>
    /^bearer /i.test(token) || claimsIn(token)?.collectionId === 'pbc_3142635823' ? token : undefined,
  ),
)
fault(
  'the word Bearer is not accepted',
  { trips: ['token.bearer', 'api-key.bearer'] },
  readsTokens('*', (token) => (/^bearer /i.test(token) ? undefined : token)),
)
fault(
  'any word before a token is accepted',
  { trips: ['token.other-schemes', 'refresh.guest'] },
  readsTokens('*', (token) => token.replace(/^\w+ /, '')),
)
fault(
  'a token in the query is accepted',
  { trips: ['token.other-schemes'] },
  on(REFRESH, async (request, next) => {
    const token = new URL(request.url).searchParams.get('token')
    return next(token === null ? request : await withToken(request, token))
  }),
)
fault(
  'a request without a token acts as the last caller',
  { trips: ['auth.no-token', 'refresh.session-required', 'refresh.guest'] },
  () => {
    let last: string | undefined
    return async (request, next) => {
      const token = tokenIn(request)
      if (token.split('.').length === 3 && claimsIn(token)?.collectionId === 'conf_members_0001') last = token
      return next(token === '' && last !== undefined ? await withToken(request, last) : request)
    }
  },
)
fault(
  'everyone can read everything',
  {
    trips: ['auth.no-token', 'auth.token-own-record', 'auth.superuser-token', 'api-key.accepted'],
  },
  asSuperuser(['listRecords', 'viewRecord']),
)
fault('a token works once', { trips: ['auth.token-repeats'] }, () => {
  const used = new Set<string>()
  return async (request, next) => {
    const token = tokenIn(request)
    const stale = used.has(token) && claimsIn(token)?.collectionId === 'conf_members_0001'
    used.add(token)
    return next(stale ? await withToken(request, undefined) : request)
  }
})
fault(
  'reads ignore tokens of superusers',
  { trips: ['auth.superuser-token'] },
  readsTokens(['viewRecord', 'listRecords'], (token) =>
    claimsIn(token)?.collectionId === 'pbc_3142635823' ? undefined : token,
  ),
)
fault('tokens are opaque', { trips: ['token.form'] }, () => {
  const real = new Map<string, string>()
  const give = tamper([...SIGN_INS, REFRESH], (body) => {
    const name = `opaque-${real.size}`
    real.set(name, String(body.token))
    return { ...body, token: name }
  })
  return (request, next) =>
    give({ prefix: '/api/v1' } as never)(request, async (each) => {
      const known = real.get(tokenIn(each))
      return next(known === undefined ? each : await withToken(each, known))
    })
})
fault(
  'sessions last an hour',
  { trips: ['token.lifetime'] },
  on(PW, async (request, next, { table = '' }, tools) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (!response.ok || table !== 'conf_members') return response
    return (await letIn(tools, request, table, `email = "${identity}"`, 3_600)) ?? response
  }),
)
fault(
  'sessions of other tables are accepted',
  {
    trips: [
      'token.other-table',
      'refresh.superuser',
      'refresh.base-table',
      'refresh.auth-rule',
      'access.matrix',
      'api-key.no-record',
    ],
  },
  on(REFRESH, async (request, next) => {
    const response = await next(request)
    return response.status === 403 ? session('taken') : response
  }),
)
fault(
  'anyone can request an email change',
  { trips: ['email-change.request-guest', 'token.other-table', 'access.matrix'] },
  all(forgive('requestEmailChange', 403, 204), forgive('requestEmailChange', 401, 204)),
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
  'a token from an email works as a session',
  { trips: ['token.other-kind'] },
  on([REFRESH, 'viewRecord', 'listRecords'], async (request, next, _match, tools) => {
    const { type, id, collectionId } = claimsIn(tokenIn(request)) ?? {}
    if (id === undefined || type === 'auth') return next(request)
    const given = await letIn(tools, request, String(collectionId), `id = "${id}"`)
    const { token } = ((await given?.json()) ?? {}) as { token?: string }
    return next(await withToken(request, token))
  }),
)
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
fault('tokens are compared in lower case', { trips: ['auth.token-altered'] }, () => {
  const given = new Map<string, string>()
  const remember = on([...SIGN_INS, REFRESH], async (request, next) => {
    const response = await next(request)
    const { token } = response.ok ? ((await response.clone().json()) as { token?: unknown }) : {}
    if (typeof token === 'string') given.set(token.toLowerCase(), token)
    return response
  })({ prefix: '/api/v1' } as never)
  return (request, next) =>
    remember(request, async (each) => {
      const known = given.get(tokenIn(each).toLowerCase())
      return next(known === undefined || known === tokenIn(each) ? each : await withToken(each, known))
    })
})

/** An altered token counts as the one that begins with the same characters, of those that were given or used. */
const byBeginning = (isMeant: (token: string, operation: string) => boolean) => (tools: FaultTools) => {
  const known = new Set<string>()
  return on('*', async (request, next, { operation }) => {
    const token = tokenIn(request)
    const beginning = token.slice(0, -12)
    const meant = [...known].find((each) => beginning.length > 40 && each.startsWith(beginning))
    const response = await next(
      meant === undefined || meant === token ? request : await withToken(request, meant),
    )
    if (meant === undefined && response.ok && isMeant(token, '')) known.add(token)
    if (!SIGNING.includes(operation) || !response.ok) return response
    const { token: given } = (await response.clone().json()) as { token?: unknown }
    if (typeof given === 'string' && isMeant(given, operation)) known.add(given)
    return response
  })(tools)
}
const isOf = (token: string, table: string) => claimsIn(token)?.collectionId === table
for (const [whose, isMeant] of [
  ['a superuser', (token) => isOf(token, 'pbc_3142635823')],
  ['another auth table', (token) => isOf(token, 'conf_staff_0001')],
  ['a refresh', (_token, operation) => operation === REFRESH],
  ['an impersonation', (_token, operation) => operation === 'impersonate'],
  ['a sign-in by code', (_token, operation) => operation === 'authWithOtp'],
] as [string, Parameters<typeof byBeginning>[0]][])
  fault(`the end of a token of ${whose} is not read`, { trips: ['auth.token-altered'] }, byBeginning(isMeant))
fault(
  'the token of a deleted account still sends batches',
  { trips: ['auth.deleted-ends-session'] },
  on('batch', async (request, next, _match, tools) => {
    if (!hasMemberToken(request)) return next(request)
    const [alive] = await recordsWhere(
      tools,
      request,
      'conf_members',
      `id = "${claimsIn(tokenIn(request))?.id}"`,
    )
    return alive === undefined ? tools.asSuperuser(request) : next(request)
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
for (const [what, operations] of [
  ['creates', ['createRecord']],
  ['batches', ['batch']],
  ['updates and deletes', ['updateRecord', 'deleteRecord']],
] as const)
  fault(
    `signatures are not checked in ${what}`,
    { trips: ['auth.token-altered'] },
    on(operations, async (request, next, _match, tools) => {
      const { id, collectionId } = claimsIn(tokenIn(request)) ?? {}
      if (!hasMemberToken(request)) return next(request)
      const given = await letIn(tools, request, String(collectionId), `id = "${id}"`)
      const { token } = ((await given?.json()) ?? {}) as { token?: string }
      return next(token === undefined ? request : await withToken(request, token))
    }),
  )
fault(
  'under the identifier of a table, signatures are not checked',
  { trips: ['auth.token-altered'] },
  underIdentifier(
    [REFRESH],
    on(REFRESH, async (request, next) => {
      const response = await next(request)
      const id = claimsIn(tokenIn(request))?.id
      return response.status === 401 && id !== undefined ? session(tokenIn(request), id) : response
    }),
  ),
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
fault('the last characters of a token are not compared', { trips: ['auth.token-altered'] }, (tools) => {
  const known = new Set<string>()
  return on('*', async (request, next, { operation }) => {
    const token = tokenIn(request)
    const isMeant = (each: string) =>
      each.length === token.length && each.slice(0, -12) === token.slice(0, -12)
    const meant = [...known].find(isMeant)
    const response = await next(meant === undefined ? request : await withToken(request, meant))
    if (operation === PW && response.ok)
      known.add(String(((await response.clone().json()) as { token?: unknown }).token))
    return response
  })(tools)
})
fault(
  'a refresh under another auth table returns the record as one of that table',
  { trips: ['refresh.same-record'] },
  on(REFRESH, async (request, next, { table = '' }, tools) => {
    const { id, collectionId } = claimsIn(tokenIn(request)) ?? {}
    const response = await next(request)
    if (response.status !== 403 || !hasMemberToken(request)) return response
    const given = await letIn(tools, request, String(collectionId), `id = "${id}"`)
    if (given === undefined) return response
    const body = (await given.json()) as { record: object }
    const of = { collectionId: `${table}_0001`, collectionName: table }
    return json(200, { ...body, record: { ...body.record, ...of } })
  }),
)
