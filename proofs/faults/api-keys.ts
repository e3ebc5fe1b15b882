/** Defects of project API keys. */

import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import { readsTokens, tokenIn, withToken } from './combinators/auth.ts'
import { resultsOf } from './combinators/batch.ts'
import {
  isIdentifier,
  type JsonValue,
  json,
  on,
  tamper,
  tamperError,
  tamperStatus,
} from './combinators/combinators.ts'
import { ALL_FIVE, fieldRejection, first } from './combinators/field.ts'
import { fault } from './fault.ts'

const idOf = (token: string) => /rak_([a-z0-9]+)_/.exec(token)?.[1]

fault(
  'API keys are unknown',
  {
    trips: [
      'api-key.accepted',
      'api-key.rules-skipped',
      'api-key.bearer',
      'api-key.out-of-scope',
      'api-key.revocation-spares-keys',
    ],
  },
  readsTokens('*', (token) => (isApiKey(token) ? undefined : token)),
)
fault(
  'API keys have full access',
  {
    trips: [
      'api-key.table-scope',
      'api-key.action-scope',
      'api-key.out-of-scope',
      'api-key.hidden',
      'api-key.star',
      'api-key.batch',
      'api-key.expand',
      'api-key.table-id',
      'impersonate.api-key-refused',
      'api-key.no-record',
    ],
  },
  (tools) => (request, next) => {
    const known = tools.reference.apiKeys.find(tokenIn(request).replace(/^bearer /i, ''))
    return known === undefined ? next(request) : tools.asSuperuser(request)
  },
)
fault(
  'API keys have full access to tables that are named by identifier',
  { trips: ['api-key.table-scope', 'api-key.action-scope'] },
  on(ALL_FIVE, (request, next, { table = '' }, tools) =>
    isApiKey(tokenIn(request)) && table.endsWith('_0001') ? tools.asSuperuser(request) : next(request),
  ),
)
fault('keys can be read again after their creation', { trips: ['api-key.shown-once'] }, () => {
  let last = ''
  return async (request, next) => {
    if (isApiKey(tokenIn(request))) last = tokenIn(request)
    const response = await next(request)
    if (request.method !== 'GET' || !response.ok) return response
    return json(200, { ...((await response.json()) as JsonValue), key: last })
  }
})
fault(
  'revoked keys are accepted',
  { trips: ['api-key.revoked', 'api-key.revoked-anonymous', 'auth-flow.live-tokens', 'auth.sequences'] },
  (tools) => {
    const seen = new Set<string>()
    return (request, next) => {
      const token = tokenIn(request)
      if (tools.reference.apiKeys.find(token) !== undefined) seen.add(token)
      else if (seen.has(token)) return tools.asSuperuser(request)
      return next(request)
    }
  },
)
fault(
  'revoking one key revokes all keys',
  {
    trips: ['api-key.revocation-spares-sessions', 'api-key.revocation-spares-keys'],
  },
  (tools) => {
    const [known, seen, dead] = [new Set<string>(), new Set<string>(), new Set<string>()]
    return async (request, next) => {
      const now = tools.reference.apiKeys.list().map(({ id }) => id)
      if ([...known].some((id) => !now.includes(id))) {
        for (const each of [...seen, ...now]) dead.add(each)
        for (const set of [known, seen]) set.clear()
      }
      for (const id of now) known.add(id)
      const token = tokenIn(request)
      if (dead.has(token) || dead.has(idOf(token) ?? '')) return next(await withToken(request, undefined))
      const response = await next(request)
      if (response.ok && request.url.endsWith('conf_members/auth-with-password'))
        seen.add(String(((await response.clone().json()) as JsonValue).token))
      return response
    }
  },
)
fault('a batch forgets the scope of its key', { trips: ['api-key.batch-scope', 'api-key.batch'] }, (tools) =>
  on('batch', (request, next) =>
    tools.reference.apiKeys.find(tokenIn(request)) ? tools.asSuperuser(request) : next(request),
  )(tools),
)
fault(
  'a batch forgets the scope of its key by the identifier of a table',
  { trips: ['api-key.batch-scope'] },
  on('batch', async (request, next, _match, tools) => {
    const isOurs = tools.reference.apiKeys.find(tokenIn(request)) !== undefined
    const entries = resultsOf(await request.clone().text())
    const isById = entries.some(({ url }) => /_\d{4}\//.test(String(url)))
    return isOurs && isById ? tools.asSuperuser(request) : next(request)
  }),
)
fault('a key for reading can write in batches', { trips: ['api-key.batch-scope'] }, (tools) =>
  on('batch', async (request, next) => {
    const isOurs = tools.reference.apiKeys.find(tokenIn(request)) !== undefined
    const entries = resultsOf(await request.clone().text())
    const isInTable = entries.every(({ url }) => String(url).includes('/conf_locked/'))
    return isOurs && isInTable ? tools.asSuperuser(request) : next(request)
  })(tools),
)
fault(
  'only the name of a key is checked',
  { trips: ['api-key.altered', 'api-key.unknown'] },
  (tools) => (request, next) => {
    const id = idOf(tokenIn(request))
    const known = tools.reference.apiKeys.list().some((key) => key.id === id)
    return known ? tools.asSuperuser(request) : next(request)
  },
)
fault(
  'table rules apply to keys',
  { trips: ['api-key.rules-skipped'] },
  on(ALL_FIVE, async (request, next, { table }) =>
    next(
      isApiKey(tokenIn(request)) && table === 'conf_owned' ? await withToken(request, undefined) : request,
    ),
  ),
)
fault(
  '`*` in the scope of a key is read as a table name',
  { trips: ['api-key.star', 'api-key.no-record', 'api-key.unknown'] },
  (tools) =>
    on(ALL_FIVE, async (request, next) =>
      tools.reference.apiKeys.find(tokenIn(request))?.tables.includes('*')
        ? fieldRejection(403)
        : next(request),
    )(tools),
)
fault(
  'keys do not match tables by id',
  { trips: ['api-key.table-id', 'api-key.all-tables'] },
  first(ALL_FIVE, (request) =>
    isApiKey(tokenIn(request)) && request.url.includes('conf_locked_0001') ? fieldRejection(403) : undefined,
  ),
)
fault(
  'an unknown key is rejected with 401',
  { trips: ['api-key.unknown', 'api-key.revoked-anonymous'] },
  (tools) => (request, next) => {
    const token = tokenIn(request)
    return isApiKey(token) && tools.reference.apiKeys.find(token) === undefined
      ? Promise.resolve(fieldRejection(401))
      : next(request)
  },
)
fault(
  'requests out of scope return 404',
  { trips: ['api-key.out-of-scope', 'api-key.star', 'api-key.table-id', 'api-key.unknown'] },
  tamperStatus(ALL_FIVE, 403, 404),
)
fault(
  'keys see hidden fields',
  { trips: ['api-key.hidden'] },
  (tools) => (request, next) =>
    isApiKey(tokenIn(request)) && request.method === 'GET' ? tools.asSuperuser(request) : next(request),
)
for (const [which, at] of [
  ['first', 0],
  ['last', -1],
] as const)
  fault(
    `a key for two tables reaches the ${which} one`,
    { trips: ['api-key.all-tables'] },
    on(ALL_FIVE, async (request, next, { table = '' }, tools) => {
      const { tables = [] } = tools.reference.apiKeys.find(tokenIn(request)) ?? {}
      return tables.length > 1 && tables.at(at) !== table ? fieldRejection(403) : next(request)
    }),
  )
for (const [which, at] of [
  ['first', 0],
  ['last', -1],
] as const)
  fault(
    `a key for two tables does everything in the ${which} one`,
    { trips: ['api-key.action-scope'] },
    on(ALL_FIVE, (request, next, { table = '' }, tools) => {
      const { tables = [] } = tools.reference.apiKeys.find(tokenIn(request)) ?? {}
      return tables.length > 1 && tables.at(at) === table ? tools.asSuperuser(request) : next(request)
    }),
  )
fault(
  'an error response contains the key',
  { trips: ['api-key.shown-once'] },
  tamperError(ALL_FIVE, (body, request) =>
    isApiKey(tokenIn(request)) ? { ...body, message: `${tokenIn(request)} may not do this.` } : body,
  ),
)
fault(
  'the response to a write contains the key',
  { trips: ['api-key.shown-once'] },
  tamper('createRecord', (body, request) =>
    isApiKey(tokenIn(request)) ? { ...body, by: tokenIn(request) } : body,
  ),
)
fault('the case of a key is not compared', { trips: ['api-key.altered'] }, (tools) => {
  const known = new Set<string>()
  return async (request, next) => {
    const token = tokenIn(request)
    if (tools.reference.apiKeys.find(token) !== undefined) known.add(token)
    const meant = [...known].find((key) => key.toLowerCase() === token.toLowerCase())
    return next(meant === undefined || meant === token ? request : await withToken(request, meant))
  }
})
for (const [what, operations] of [
  ['writes', ['createRecord', 'updateRecord', 'deleteRecord']],
  ['batches', ['batch']],
] as const)
  fault(`revoked keys are accepted for ${what}`, { trips: ['api-key.revoked'] }, (tools) => {
    const seen = new Set<string>()
    return on([...operations, 'createRecord'], (request, next, { operation }) => {
      const token = tokenIn(request)
      if (tools.reference.apiKeys.find(token) !== undefined) seen.add(token)
      else if (seen.has(token) && operations.some((each) => each === operation))
        return tools.asSuperuser(request)
      return next(request)
    })(tools)
  })
fault(
  'a key for one write does every write in batches',
  { trips: ['api-key.batch-scope'] },
  on('batch', async (request, next, _match, tools) => {
    const { actions = [] } = tools.reference.apiKeys.find(tokenIn(request)) ?? {}
    const entries = resultsOf(await request.clone().text())
    const isInTable = entries.every(({ url }) => String(url).includes('/conf_locked/'))
    const writes = actions.some((action) => /create|update|delete/.test(action))
    return writes && isInTable ? tools.asSuperuser(request) : next(request)
  }),
)
for (const [what, operations] of [
  ['views', ['viewRecord']],
  ['writes', ['createRecord', 'updateRecord', 'deleteRecord']],
  ['batches', ['batch']],
] as const)
  fault(
    `only the name of a key is checked in ${what}`,
    { trips: ['api-key.altered'] },
    on(operations, (request, next, _match, tools) => {
      const id = idOf(tokenIn(request))
      const isKnown = tools.reference.apiKeys.list().some((key) => key.id === id)
      return isKnown ? tools.asSuperuser(request) : next(request)
    }),
  )
for (const operation of ALL_FIVE)
  fault(
    `revoked keys are accepted under the identifier of a table: ${operation}`,
    { trips: ['api-key.revoked'] },
    (tools) => {
      const seen = new Set<string>()
      return on('*', (request, next, { operation: done, table = '' }) => {
        const token = tokenIn(request)
        if (tools.reference.apiKeys.find(token) !== undefined) seen.add(token)
        else if (seen.has(token) && done === operation && isIdentifier(table))
          return tools.asSuperuser(request)
        return next(request)
      })(tools)
    },
  )
fault('revoking a key revokes the older ones', { trips: ['api-key.revocation-spares-keys'] }, (tools) => {
  const [order, dead]: [string[], Set<string>] = [[], new Set()]
  return async (request, next) => {
    const now = tools.reference.apiKeys.list().map(({ id }) => id)
    for (const id of now) if (!order.includes(id)) order.push(id)
    for (const [at, id] of order.entries())
      if (!now.includes(id)) for (const older of order.slice(0, at)) dead.add(older)
    return next(dead.has(idOf(tokenIn(request)) ?? '') ? await withToken(request, undefined) : request)
  }
})
fault('a key has the scope of the one before as well', { trips: ['api-key.table-scope'] }, (tools) => {
  let last: readonly string[] = []
  return on(ALL_FIVE, (request, next, { table = '' }) => {
    const key = tools.reference.apiKeys.find(tokenIn(request))
    if (key === undefined) return next(request)
    const isWithin = last.includes(table)
    last = key.tables
    return isWithin ? tools.asSuperuser(request) : next(request)
  })(tools)
})
fault('the last characters of a key are not compared', { trips: ['api-key.altered'] }, (tools) => {
  const known = new Set<string>()
  return async (request, next) => {
    const token = tokenIn(request)
    if (tools.reference.apiKeys.find(token) !== undefined) known.add(token)
    const isMeant = (key: string) => key.length === token.length && key.slice(0, -10) === token.slice(0, -10)
    const meant = [...known].find(isMeant)
    return next(meant === undefined || meant === token ? request : await withToken(request, meant))
  }
})
for (const [what, operation] of [
  ['lists', 'listRecords'],
  ['views', 'viewRecord'],
] as const)
  fault(
    `a key reads tables out of its scope by the expansions of ${what}`,
    { trips: ['api-key.table-scope'] },
    on(operation, async (request, next, _match, tools) => {
      const isExpanded = isApiKey(tokenIn(request)) && new URL(request.url).searchParams.has('expand')
      const response = await next(request.clone())
      return isExpanded && response.ok ? tools.asSuperuser(request) : response
    }),
  )
fault('the identifier of a key works as the key', { trips: ['api-key.altered'] }, ({ reference }) => {
  const keys = new Map<string, string>()
  return async (request, next) => {
    const token = tokenIn(request)
    const id = idOf(token)
    if (id !== undefined && reference.apiKeys.find(token) !== undefined) keys.set(id, token)
    return next(keys.has(token) ? await withToken(request, keys.get(token)) : request)
  }
})
fault(
  'keys for any table have access to accounts',
  { trips: ['api-key.table-scope'] },
  on(ALL_FIVE, (request, next, { table = '' }, tools) =>
    isApiKey(tokenIn(request)) && table === 'conf_members' ? tools.asSuperuser(request) : next(request),
  ),
)
