/** Defects of tokens: where they are read, what is checked of them, and what they allow. */

import {
  claimsIn,
  hasMemberToken,
  letIn,
  readsTokens,
  SIGN_INS,
  SIGNING,
  session,
  tokenIn,
  withToken,
} from './combinators/auth.ts'
import {
  all,
  asSuperuser,
  forgive,
  on,
  parsedBody,
  tamper,
  underIdentifier,
} from './combinators/combinators.ts'
import { type FaultTools, fault } from './fault.ts'

const PW = 'authWithPassword'
const REFRESH = 'authRefresh'

/** A refresh accepts what a token says, without a look at its signature. */
const refreshesUnsigned = on(REFRESH, async (request, next) => {
  const response = await next(request)
  const id = claimsIn(tokenIn(request))?.id
  return response.status === 401 && id !== undefined ? session(tokenIn(request), id) : response
})

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
  refreshesUnsigned,
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
  'the lists of one table that superusers see are kept by their address alone, for any caller',
  { trips: ['auth.no-token'] },
  (tools) => {
    const kept = new Map<string, Response>()
    return on('listRecords', async (request, next, { table }) => {
      if (table !== 'conf_locked') return next(request)
      const response = kept.get(request.url) ?? (await next(request))
      kept.delete(request.url)
      if (tokenIn(request) !== '' && response.ok) kept.set(request.url, response.clone())
      return response
    })(tools)
  },
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
fault('an update without a token acts as the last caller', { trips: ['auth.no-token'] }, () => {
  let last = ''
  return async (request, next) => {
    const token = tokenIn(request)
    if (claimsIn(token)?.collectionId === 'conf_members_0001') last = token
    const isUpdate = request.method === 'PATCH' && token === '' && last !== ''
    return next(isUpdate ? await withToken(request, last) : request)
  }
})
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
  underIdentifier([REFRESH], refreshesUnsigned),
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
  'one of eight threads keeps the last token of a session for requests without one',
  { trips: ['auth.no-token'] },
  () => {
    let [sent, kept]: [number, string | undefined] = [0, undefined]
    return async (request, next) => {
      sent += 1
      if (hasMemberToken(request)) kept = tokenIn(request)
      return next(tokenIn(request) === '' && sent % 8 === 0 ? await withToken(request, kept) : request)
    }
  },
)
fault(
  'what follows the third part of a token is not read',
  { trips: ['auth.token-altered'] },
  readsTokens('*', (token) => token.split('.').slice(0, 3).join('.')),
)
