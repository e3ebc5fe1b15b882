/** Who may do what with accounts and records, and the response to those who may not. */

import type { Target } from '../../harness/vocabulary/target.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import {
  claimsIn,
  hasAccountToken,
  hasImpersonationToken,
  hasMemberToken,
  recordsWhere,
  tokenIn,
} from '../faults/combinators/auth.ts'
import {
  all,
  forgive,
  type JsonValue,
  json,
  type Match,
  on,
  parsedBody,
  rewriteBody,
  tamper,
  tamperRecord,
  tamperStatus,
  withMoreHeaders,
  wordless,
} from '../faults/combinators/combinators.ts'
import { ALL_FIVE, fieldRejection, withObject } from '../faults/combinators/field.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('access')

type Make = (tools: FaultTools) => Middleware

const records = [
  'record.sequences',
  'list.any-caller',
  'auth-record.common-fields',
  'auth-record.email',
  'auth-record.verified',
  'auth-record.verified-not-claimed',
  'auth-record.record-endpoints',
]
/** The checks that read a record as its owner. */
const asOwner = [
  'auth.token-header',
  'auth.token-as-is',
  'auth.no-token',
  'auth.token-altered',
  'auth.token-own-record',
  'auth.token-repeats',
  'auth.user-token',
]
const tokens = [
  ...asOwner,
  'auth.superuser-token',
  'auth.deleted-ends-session',
  'token.others-spared',
  'refresh.session-required',
]
const signIns = [
  'auth.password-sign-in',
  'auth.deleted-signed-out',
  'refresh.same-record',
  'impersonate.acts-as-record',
]
/** Read the response to a sign-in by password or by code. */
const passwords = [
  'auth-methods.lists',
  'auth.response-token',
  'auth.response-record',
  'auth.identity-email',
  'auth.own-password-only',
  'auth.table-by-id',
  'mfa.off',
  'otp.sign-in',
  'otp.table-by-id',
  'verification.confirms',
  'password-reset.confirms',
  'derived.password-proof',
]
const all3 = [...records, ...tokens, ...signIns]
const access = { because: 'rules.access', near: all3 }

const isAccounts = ({ table = '' }: Match) => /conf_(members|staff|mfa|oauth|named)/.test(table)
const isRoot = (request: Request) => claimsIn(tokenIn(request))?.type === 'auth' && !hasAccountToken(request)

/** Guests are rejected at accounts. */
function guestsAway(operations: readonly OperationId[], status: number): Make {
  return on(operations, async (request, next, match) =>
    isAccounts(match) && tokenIn(request) === '' ? fieldRejection(status) : next(request),
  )
}

for (const status of [401, 403, 404]) {
  variation(`guests cannot sign up (${status})`, access, guestsAway(['createRecord'], status))
  variation(
    `guests have no access to accounts (${status})`,
    access,
    guestsAway(['listRecords', 'viewRecord', 'createRecord', 'updateRecord', 'deleteRecord'], status),
  )
}

/** Every requirement of the document that needs the table. */
const needing = (role: string) =>
  [...loadRequirements().values()].filter(
    ({ basis, needs }) => basis !== 'profile' && needs.some((need) => need === `table:${role}`),
  )
const closed = 'a run reads and writes the base tables of its roles as a guest'
const openToAll = ['listRecords', 'createRecord', 'updateRecord', 'deleteRecord'] as const

/** A base table of another name than ours, closed to guests. The roles are those of tables that everyone may use. */
for (const operation of openToAll)
  for (const status of [401, 403, 404])
    variation(
      `guests cannot use ${operation} in a base table of another name (${status})`,
      {
        ...access,
        near: ['list.shape', 'create.persists', 'update.applies', 'delete.removes', 'list.expand-relation'],
        declares: Object.fromEntries(needing('plain').map(({ id }) => [id, closed])),
        target: named('articles', 'plain'),
      },
      all(
        goesBy('articles', 'conf_plain'),
        on(operation, async (request, next, { table = '' }) =>
          table === 'conf_plain' && tokenIn(request) === '' ? fieldRejection(status) : next(request),
        ),
      ),
    )

/** A table of another name than ours, whose accounts are closed to guests. */
for (const status of [401, 403])
  variation(
    `guests can neither list nor create in an auth table of another name (${status})`,
    { ...access, target: named('people', 'members') },
    all(
      goesBy('people', 'conf_members'),
      on(['listRecords', 'createRecord'], async (request, next, { table = '' }) =>
        table === 'conf_members' && tokenIn(request) === '' ? fieldRejection(status) : next(request),
      ),
    ),
  )

/** The roles belong to a table with another name. */
function named(name: string, ...roles: readonly string[]): (target: Target) => Target {
  const tables = Object.fromEntries(roles.map((role) => [role, { role, name }]))
  return (target) => ({ ...target, tables: { ...target.tables, ...tables } })
}

/** A table of the reference goes by another name. */
function goesBy(name: string, own: string): Make {
  return all(
    () => async (request, next) => {
      const url = new URL(request.url)
      if (!url.pathname.includes(`/${name}`)) return next(request)
      url.pathname = url.pathname.replace(`/${name}`, `/${own}`)
      const body = /GET|HEAD/.test(request.method) ? null : await request.arrayBuffer()
      return next(new Request(url, { method: request.method, headers: request.headers, body }))
    },
    tamper('*', (body) => JSON.stringify(body).replaceAll(`"${own}"`, `"${name}"`)),
  )
}

/** Requirements that end without a verdict where a password alone signs no one in to the table of the role. */
const bySession = (judged: readonly string[]) => ({
  ...Object.fromEntries(
    needing('members')
      .filter(({ id }) => !judged.includes(id))
      .map(({ id }) => [id, 'a password alone signs no one in']),
  ),
  ...Object.fromEntries(
    ['api-key.table-scope', 'api-key.batch-scope'].map((id) => [id, 'its control is a session']),
  ),
})
/** They need accounts, but none that signs in by password. */
const judgedAnyway = [
  'wire.no-secrets',
  'list.one-shape',
  ...[...loadRequirements().keys()].filter((id) => id.startsWith('operation.')),
  'auth-methods.without-token',
  'auth-methods.agrees-otp',
  'auth-methods.agrees-oauth2',
  'otp.mails-code',
  'otp.two-steps',
  'verification.confirms',
  'verification.proof-required',
  'verification.own-record',
  'derived.list-auth-methods',
  'derived.auth-with-oauth2',
  'derived.account-links',
  'impersonate.table-by-id',
  'impersonate.api-key-refused',
]

/** What signs in to a table is its own decision. A tester may map any auth table to a role. */
variation(
  'accounts sign in by one-time codes alone, as auth-methods reports',
  {
    because: '5 item 4',
    near: [...signIns, ...passwords],
    declares: bySession([
      ...judgedAnyway,
      'auth-methods.agrees-password',
      ...['otp.sign-in', 'otp.once', 'otp.wrong-code', 'otp.other-account', 'otp.table-by-id'],
    ]),
    target: named('people', 'members', 'passwordless'),
  },
  goesBy('people', 'conf_passwordless'),
)
for (const status of [401, 200])
  variation(
    `accounts need a second factor after the password (${status})`,
    {
      because: '4.2',
      near: [...signIns, ...passwords],
      declares: bySession([...judgedAnyway, 'auth-methods.lists']),
      target: named('people', 'members', 'mfa'),
    },
    all(
      goesBy('people', 'conf_mfa'),
      on('authWithPassword', async (request, next) => {
        const response = await next(request)
        const { mfaId } = response.status === 401 ? ((await response.clone().json()) as JsonValue) : {}
        return mfaId === undefined ? response : json(status, { mfaId })
      }),
    ),
  )

variation(
  'a list of accounts shows the own account only',
  access,
  on('listRecords', async (request, next, match) => {
    const response = await next(request)
    if (!isAccounts(match) || isRoot(request) || !response.ok) return response
    const body = (await response.json()) as JsonValue & { items: JsonValue[] }
    const items = body.items.filter(({ id }) => id === claimsIn(tokenIn(request))?.id)
    return json(200, { ...body, items, totalItems: items.length, totalPages: 1 })
  }),
)

variation(
  'lists are kept for each caller until the next write',
  { ...access, near: [...asOwner, 'list.any-caller', 'auth.superuser-token'] },
  () => {
    const kept = new Map<string, Response>()
    return async (request, next) => {
      const { pathname } = new URL(request.url)
      const isList = request.method === 'GET' && pathname.endsWith('/records')
      if (!isList) {
        const response = await next(request)
        if (request.method !== 'GET') kept.clear()
        return response
      }
      const key = `${tokenIn(request)} ${request.url}`
      const before = kept.get(key)
      if (before !== undefined) return withMoreHeaders(before.clone(), { 'x-cache': 'hit' })
      const response = await next(request)
      kept.set(key, response.clone())
      return response
    }
  },
)
variation(
  'a list without permission is empty',
  {
    ...access,
    near: [...all3, 'api-key.table-scope', 'api-key.action-scope', 'api-key.revoked', 'api-key.altered'],
  },
  forgive('listRecords', 403, 200, { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] }),
)

const ownerMayNot = (operation: OperationId, status = 403): Make =>
  on(operation, async (request, next, match) =>
    isAccounts(match) && !isRoot(request) ? fieldRejection(status) : next(request),
  )

variation('accounts cannot delete themselves', access, ownerMayNot('deleteRecord'))
variation('accounts cannot list their table', access, ownerMayNot('listRecords'))
variation('accounts cannot view themselves', access, ownerMayNot('viewRecord'))
variation(
  'accounts cannot change themselves',
  {
    ...access,
    near: [...all3, 'impersonate.superuser-only', 'impersonate.no-more-than-record', 'wire.no-secrets'],
  },
  ownerMayNot('updateRecord'),
)

variation(
  'accounts are verified on creation',
  {
    because: 'states.transitions',
    near: [
      ...records,
      'verification.confirms',
      'verification.proof-required',
      'verification.own-record',
      'derived.verification-proof',
      'flow.request-changes-nothing',
      'flow.own-step-only',
      'email-change.confirms',
      'password-reset.confirms',
      'auth.sequences',
    ],
    declares: {
      'derived.verification-proof': 'a verification has no effect',
      'auth-record.verified-not-claimed': 'a claim to be verified has no effect',
      'verification.confirms': 'a verification has no effect',
      'verification.proof-required': 'a verification has no effect',
      'verification.own-record': 'a verification has no effect',
    },
  },
  on('createRecord', async (request, next, match, tools) => {
    if (!isAccounts(match)) return next(request)
    const body = { ...(await parsedBody(request)), verified: true }
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    return tools.asSuperuser(
      new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
  }),
)

variation(
  'everyone sees what accounts own',
  {
    because: 'rules.access',
    near: ['list.total-items', 'auth.deleted-ends-session', 'api-key.action-scope'],
    alone: 'a table whose records everyone sees does not fit the role `owned`',
  },
  on(['listRecords', 'viewRecord'], (request, next, { table = '' }, tools) =>
    table.startsWith('conf_owned') ? tools.asSuperuser(request) : next(request),
  ),
)
variation(
  'only superusers read what accounts own',
  {
    because: 'rules.access',
    near: ['list.total-items', 'auth.sequences', ...asOwner],
    declares: Object.fromEntries(asOwner.map((id) => [id, 'no owner reads its record'])),
    alone: 'a table whose records no account reads does not fit the role `owned`',
  },
  on(['listRecords', 'viewRecord'], async (request, next, { table = '' }) =>
    table.startsWith('conf_owned') && !isRoot(request)
      ? fieldRejection(tokenIn(request) === '' ? 401 : 403)
      : next(request),
  ),
)
/** What a superuser may not do: which records it may use is left open. */
const superusersMayNot = (operation: OperationId, isIn: (match: Match) => boolean): Make =>
  on(operation, async (request, next, match) =>
    isIn(match) && isRoot(request) ? fieldRejection(403) : next(request),
  )
const isOwned = ({ table = '' }: Match) => table.startsWith('conf_owned')
const isOpen = (match: Match) => !isOwned(match) && !isAccounts(match) && match.table !== 'conf_locked'
for (const operation of [...openToAll, 'viewRecord'] as const)
  variation(
    `superusers may not use ${operation} for accounts`,
    { ...access, near: [...tokens, 'update.only-one', 'auth.own-answer'] },
    superusersMayNot(operation, isAccounts),
  )
for (const operation of ['listRecords', 'createRecord', 'deleteRecord'] as const)
  variation(
    `superusers may not use ${operation} for what accounts own`,
    { ...access, near: ['auth.user-token', 'auth.sequences', 'api-key.action-scope'] },
    superusersMayNot(operation, isOwned),
  )
for (const operation of ['listRecords', 'createRecord', 'viewRecord', 'deleteRecord'] as const)
  variation(
    `superusers may not use ${operation} for what everyone may use`,
    { ...access, near: ['create.persists', 'update.applies', 'delete.removes', 'batch.all-or-nothing'] },
    superusersMayNot(operation, isOpen),
  )

/** What an account may not do to its own records. */
const ownersMayNot = (operations: readonly OperationId[]): Make =>
  on(operations, async (request, next, { table = '' }) =>
    table.startsWith('conf_owned') && !isRoot(request) ? fieldRejection(403) : next(request),
  )
for (const operation of ['createRecord', 'updateRecord', 'deleteRecord'] as const)
  variation(
    `accounts may not use ${operation} for what they own`,
    {
      because: 'rules.access',
      near: ['auth.token-repeats', 'auth.deleted-ends-session', 'impersonate.acts-as-record'],
      declares: { 'auth.token-repeats': 'its check creates, changes and deletes a record' },
      alone: 'such a table does not fit the role `owned`',
    },
    ownersMayNot([operation]),
  )
variation(
  'accounts neither change themselves nor read what they own',
  {
    because: 'rules.access',
    near: ['refresh.same-record', 'impersonate.acts-as-record'],
    alone: 'a table whose records no account reads does not fit the role `owned`',
  },
  all(ownerMayNot('updateRecord'), ownersMayNot(['listRecords', 'viewRecord'])),
)
variation(
  'writes return little',
  { because: 'records.bodies', near: all3 },
  all(
    tamper('createRecord', ({ id }) => ({ id })),
    wordless('updateRecord', 204),
  ),
)
variation(
  'a create of an account returns 201',
  { because: 'records.statuses', near: all3 },
  tamperStatus('createRecord', 200, 201),
)
variation(
  'the host of an account’s address is shown in upper case',
  { because: 'fields.types', near: [...all3, 'email-change.confirms', 'password-reset.confirms'] },
  tamperRecord('*', (record, match) =>
    isAccounts(match) && typeof record.email === 'string'
      ? { ...record, email: record.email.replace(/@.*/, (host) => host.toUpperCase()) }
      : record,
  ),
)
variation(
  'a claim to be verified is rejected',
  { because: 'rules.access', near: records },
  on(['createRecord', 'updateRecord'], async (request, next) =>
    (await parsedBody(request))?.verified === true && !isRoot(request) ? fieldRejection(422) : next(request),
  ),
)
const unnamed = ({ name: _, ...others }: JsonValue): JsonValue => others
variation(
  'accounts have no name',
  {
    because: '2.2 row email',
    near: [...all3, 'auth-record.record-endpoints', 'impersonate.acts-as-record'],
    declares: {
      'auth-record.record-endpoints': 'its check changes the name',
      'impersonate.acts-as-record': 'its check changes the name',
    },
  },
  all(
    rewriteBody(['createRecord', 'updateRecord'], (body, match) =>
      isAccounts(match) ? unnamed(body) : body,
    ),
    tamperRecord('*', (record) => (record.collectionName === 'conf_members' ? unnamed(record) : record)),
  ),
)
/** Which new accounts are rejected, by any client. */
const signUpNeeds = (isMissing: (body: JsonValue) => boolean) =>
  on('createRecord', async (request, next, match) => {
    const body = isAccounts(match) ? await parsedBody(request.clone()) : undefined
    return body !== undefined && isMissing(body) ? fieldRejection(400) : next(request)
  })
variation(
  'a new account must accept the terms',
  {
    because: 'rules.access',
    near: ['auth-record.record-endpoints'],
    declares: { 'auth-record.record-endpoints': 'no account can be created' },
    alone: 'the other checks of accounts get none',
  },
  signUpNeeds(({ terms }) => terms !== true),
)
variation(
  'passwords have 12 to 20 letters, digits and signs of several kinds',
  {
    because: 'fields.types',
    near: [
      ...all3,
      'auth-record.record-endpoints',
      'auth.password-sign-in',
      'auth.password-wrong',
      'auth.own-password-only',
      'auth.sequences',
      'password-reset.confirms',
      'wire.no-secrets',
    ],
  },
  on(['createRecord', 'updateRecord'], async (request, next, match) => {
    const { password } = (isAccounts(match) ? await parsedBody(request.clone()) : undefined) ?? {}
    return typeof password === 'string' &&
      !/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[-.])[!-~]{12,20}$/.test(password)
      ? fieldRejection(400)
      : next(request)
  }),
)
variation(
  'a create that names verified is rejected',
  { because: 'rules.access', near: [...records, 'wire.no-secrets'] },
  on('createRecord', async (request, next, match) => {
    const body = isAccounts(match) ? await parsedBody(request.clone()) : undefined
    return body !== undefined && 'verified' in body ? fieldRejection(422) : next(request)
  }),
)

/** What is rejected for want of a right, by another status. */
function insteadOf(status: number): Make {
  return on(
    ['listRecords', 'viewRecord', 'updateRecord', 'deleteRecord', 'authRefresh'],
    async (request, next) => {
      const response = await next(request)
      return [401, 403, 404].includes(response.status) ? fieldRejection(status) : response
    },
  )
}
for (const status of [400, 401, 403, 404])
  variation(`requests without permission are rejected with ${status}`, access, insteadOf(status))

/** A token that was never issued is rejected wherever it is sent. */
function rejectsBadTokens(status: number): Make {
  return (tools) => async (request, next) => {
    const token = tokenIn(request)
    if (token === '') return next(request)
    const isKey = tools.reference.apiKeys.find(token) !== undefined
    if (isKey) return next(request)
    const { table } = { table: String(claimsIn(token)?.collectionId ?? 'x') }
    const headers = { authorization: token }
    const probe = new Request(new URL(`${tools.prefix}/collections/${table}/auth-refresh`, request.url), {
      method: 'POST',
      headers,
    })
    const alive = (await tools.reference.fetch(probe)).status !== 401
    return alive && table !== 'x' ? next(request) : fieldRejection(status)
  }
}
for (const status of [401, 403, 400])
  variation(`an unknown token is rejected everywhere with ${status}`, access, rejectsBadTokens(status))

/** A table that guests and superusers may use, and accounts may not. */
variation(
  'accounts have no access to a table that guests may use',
  { because: 'rules.access', near: ['batch.all-or-nothing', 'batch.succeeds-together'] },
  on([...ALL_FIVE, 'batch'], async (request, next) => {
    const isAboutIt = (text: string) => text.includes('/conf_plain/')
    const names = isAboutIt(request.url) || isAboutIt(await request.clone().text())
    return names && hasAccountToken(request) ? fieldRejection(403) : next(request)
  }),
)

variation(
  'accounts of another auth table, and impersonated ones, send no batches',
  { because: 'rules.access', near: ['batch.all-or-nothing', 'impersonate.no-more-than-record'] },
  on('batch', async (request, next) =>
    hasImpersonationToken(request) || (hasAccountToken(request) && !hasMemberToken(request))
      ? fieldRejection(403)
      : next(request),
  ),
)
variation(
  'accounts do everything in a table that is closed to guests',
  {
    because: 'rules.access',
    near: ['impersonate.no-more-than-record', 'impersonate.acts-as-record', 'auth.deleted-ends-session'],
  },
  on(ALL_FIVE, async (request, next, { table }, tools) => {
    const { id } = claimsIn(tokenIn(request)) ?? {}
    if (table !== 'conf_locked' || !hasMemberToken(request)) return next(request)
    const [alive] = await recordsWhere(tools, request, 'conf_members', `id = "${id}"`)
    return alive === undefined ? next(request) : tools.asSuperuser(request)
  }),
)

const secret = 'What no one has to know, No. 1'
variation(
  'a table without passwords has no field for one',
  { because: 'records.bodies', near: ['auth-methods.agrees-password'] },
  on('createRecord', async (request, next, { table }) => {
    if (table !== 'conf_passwordless') return next(request)
    const body = (await parsedBody(request)) ?? {}
    if ('password' in body) return fieldRejection(422)
    return next(withObject(request, { ...body, password: secret, passwordConfirm: secret }))
  }),
)
