/** Project API keys: their scopes, and the response to requests beyond them. */

import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import { offerHooks } from '../../harness/target/offer-hooks.ts'
import type { Target } from '../../harness/vocabulary/target.ts'
import type { KeyAction } from '../../spec/vocabulary.ts'
import { tokenIn } from '../faults/combinators/auth.ts'
import { type JsonValue, json, on, tamper, tamperStatus } from '../faults/combinators/combinators.ts'
import { ALL_FIVE, fieldRejection } from '../faults/combinators/field.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('keys')

type Make = (tools: FaultTools) => Middleware

const near = [
  'api-key.accepted',
  'api-key.all-tables',
  'api-key.table-scope',
  'api-key.action-scope',
  'api-key.batch-scope',
  'api-key.shown-once',
  'api-key.revoked',
  'api-key.revocation-spares-sessions',
  'api-key.revocation-spares-keys',
  'api-key.altered',
  'impersonate.api-key-refused',
]
const scopes = { because: 'keys.scopes', near }

const classes = [
  ['listRecords', 'viewRecord'],
  ['createRecord', 'updateRecord', 'deleteRecord'],
] as const
const actionOf: Readonly<Record<string, KeyAction>> = {
  listRecords: 'list',
  viewRecord: 'view',
  createRecord: 'create',
  updateRecord: 'update',
  deleteRecord: 'delete',
}

/** A key may do an operation if it may do one of these. */
type Also = (operation: string) => readonly string[]

const allows = (also: Also, operation: string, actions: readonly string[]) =>
  also(operation).some((each) => actions.includes(actionOf[each] ?? ''))

/** As a superuser, a key would also be shown related records of tables out of its scope. */
function unexpanded(request: Request): Request {
  const url = new URL(request.url)
  if (!url.searchParams.has('expand')) return request
  url.searchParams.delete('expand')
  return new Request(url, request)
}

/** A key that may do one thing may do all that `also` says, in the tables of its scope. */
function coarse(also: Also): Make {
  return on(ALL_FIVE, async (request, next, { operation, table = '' }, tools) => {
    const key = tools.reference.apiKeys.find(tokenIn(request))
    const inTable = key?.tables.includes(table) === true
    return inTable && allows(also, operation, key?.actions ?? [])
      ? tools.asSuperuser(unexpanded(request))
      : next(request)
  })
}
const sameClass = (operation: string) => classes.find((each) => each.some((one) => one === operation)) ?? []

let behind: FaultTools['reference'] | undefined
type Actions = (asked: readonly KeyAction[]) => readonly KeyAction[]

/**
 * The tester's hook says which actions a key got.
 *
 * @param given actions of the key that is made
 * @param said what the hook says. @default the same
 */
const making =
  (given: Actions, said: Actions = given) =>
  (target: Target): Target => ({
    ...target,
    hooks: {
      ...target.hooks,
      ...offerHooks({
        async createApiKey({ tables, actions }) {
          const asked = actions as KeyAction[]
          const made = await behind?.apiKeys.create({
            tables: tables as string[],
            actions: [...given(asked)],
          })
          return { id: made?.id, key: made?.key, actions: said(asked) }
        },
      }).hooks,
    },
  })
/** A key may do more than was requested. */
const saying = (also: Also) =>
  making(
    (asked) => asked,
    (asked) =>
      Object.entries(actionOf)
        .filter(([operation]) => allows(also, operation, asked))
        .map(([, action]) => action),
  )
const remembering =
  (make: Make): Make =>
  (tools) => {
    behind = tools.reference
    return make(tools)
  }

const keysRejected = (from: readonly number[], status: number): Make =>
  on(ALL_FIVE, async (request, next) => {
    const response = await next(request)
    return isApiKey(tokenIn(request)) && from.includes(response.status) ? fieldRejection(status) : response
  })

for (const status of [400, 401, 404])
  variation(
    `requests out of the scope of a key are rejected with ${status}`,
    scopes,
    keysRejected([403], status),
  )

for (const status of [401, 403])
  variation(
    `an unknown key is rejected everywhere with ${status}`,
    scopes,
    (tools) => async (request, next) =>
      isApiKey(tokenIn(request)) && tools.reference.apiKeys.find(tokenIn(request)) === undefined
        ? fieldRejection(status)
        : next(request),
  )

variation(
  'a list out of the scope of a key is empty',
  scopes,
  on('listRecords', async (request, next) => {
    const response = await next(request)
    return isApiKey(tokenIn(request)) && response.status === 403
      ? json(200, { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] })
      : response
  }),
)
variation(
  'requests out of the scope of a key are rejected with 422 and another form of error',
  scopes,
  on(ALL_FIVE, async (request, next) => {
    const response = await next(request)
    return isApiKey(tokenIn(request)) && response.status === 403
      ? json(422, { error: { code: 'OUT_OF_SCOPE' } })
      : response
  }),
)
variation(
  'a batch out of the scope of a key reports the failure inside',
  scopes,
  on('batch', async (request, next) => {
    const response = await next(request)
    return isApiKey(tokenIn(request)) && !response.ok ? json(207, [{ status: 403, body: null }]) : response
  }),
)
variation(
  'keys cannot send batches',
  scopes,
  on('batch', async (request, next) => (isApiKey(tokenIn(request)) ? fieldRejection(403) : next(request))),
)
variation('an impersonation by a key is rejected with 401', scopes, tamperStatus('impersonate', 403, 401))
variation(
  'records show which key created them',
  scopes,
  tamper('createRecord', (body: JsonValue, request) => ({
    ...body,
    by: isApiKey(tokenIn(request)) ? 'key' : 'user',
  })),
)
const readsWhatItWrites = (operation: string) =>
  classes[0].some((each) => each === operation) ? [...classes[0], ...classes[1]] : [operation]
variation(
  'keys can read what they can write',
  { ...scopes, target: saying(readsWhatItWrites) },
  remembering(coarse(readsWhatItWrites)),
)
variation(
  'keys have scopes for reading and for writing',
  { ...scopes, target: saying(sameClass) },
  remembering(coarse(sameClass)),
)

/** No scope has this action. A key for nothing else may view. */
const without = (action: KeyAction) =>
  making((asked) => {
    const others = asked.filter((each) => each !== action)
    return others.length > 0 ? others : ['view']
  })
for (const operation of classes[1])
  variation(
    `keys cannot use ${operation}`,
    {
      ...scopes,
      target: without(actionOf[operation] as KeyAction),
    },
    remembering(
      on(operation, async (request, next) =>
        isApiKey(tokenIn(request)) ? fieldRejection(403) : next(request),
      ),
    ),
  )
