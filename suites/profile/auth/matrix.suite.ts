/**
 * Who may call which sign-in operation, and that a rejection changes nothing (standard profile, gap `auth.statuses`).
 */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectRejection,
  expectStatus,
  expectSuccess,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, newEmail, passwordBody } from '../../shared/auth/accounts.ts'
import { requestChange } from '../../shared/auth/request-flows.ts'
import { byPassword, type SignedIn, sessionOf, signedIn } from '../../shared/auth/sessions.ts'
import { tamperings } from '../../shared/auth/tampering.ts'

/** All callers. `owner` is the record that the operations are about. */
async function actors(context: CheckContext) {
  const owner = await signedIn(context)
  const forged = tamperings(owner.token).map(([how, token]): [string, Api] => [
    how,
    context.api.withToken(token, 'forged'),
  ])
  const others: Record<string, Api> = {
    guest: context.api,
    other: (await signedIn(context)).api,
    colleague: (await signedIn(context, 'staff')).api,
    superuser: context.api.as('superuser'),
    nonsense: context.api.withToken('nonsense', 'bogus'),
    ...Object.fromEntries(forged),
  }
  if (context.has('apiKeys')) {
    const { key } = await context.apiKeys.make({ tables: ['*'], actions: ['list', 'view'] })
    others.key = context.api.withToken(key, 'key')
  }
  return { owner, others }
}

type Operation = (api: Api, owner: SignedIn) => Promise<ApiResponse>

/**
 * Operation → the callers that it accepts, and the status for each of the others. `forged` represents all altered
 * tokens.
 */
function rows(context: CheckContext): [string, Operation, Record<string, number>][] {
  const { table } = context
  return [
    [
      'auth-methods',
      (api) => api.authMethods(table('members')),
      { guest: 200, owner: 200, other: 200, colleague: 200, superuser: 200, key: 200, forged: 200 },
    ],
    [
      'auth-with-password',
      (api, owner) => byPassword({ api }, owner),
      { guest: 200, owner: 200, other: 200, colleague: 200, superuser: 200, forged: 200 },
    ],
    [
      'auth-refresh',
      (api) => api.authRefresh(table('members')),
      { guest: 401, owner: 200, other: 200, colleague: 403, superuser: 403, key: 403, forged: 401 },
    ],
    [
      'request-email-change',
      (api) => requestChange({ table: table('members'), api }, newEmail(context)),
      { guest: 401, owner: 204, other: 204, colleague: 403, superuser: 403, key: 403, forged: 401 },
    ],
    [
      'impersonate',
      (api, owner) => api.impersonate(owner.table, owner.id),
      { guest: 401, owner: 403, other: 403, colleague: 403, superuser: 200, key: 403, forged: 401 },
    ],
  ]
}

check('access.matrix', async (context) => {
  const { owner, others } = await actors(context)
  for (const [name, operation, statuses] of rows(context)) {
    for (const [actor, api] of Object.entries({ owner: owner.api, ...others })) {
      const known = ['guest', 'owner', 'other', 'colleague', 'superuser', 'key'].includes(actor)
      const status = statuses[known ? actor : 'forged']
      if (status !== undefined) expectStatus(await operation(api, owner), status, `${name} by ${actor}`)
    }
  }
})

check('access.denial-no-effect', async (context) => {
  const { owner, others } = await actors(context)
  const account = await newAccount(context)
  const before = await state(context, owner)
  const attempts: [string, Operation][] = [
    ['an update', (api) => api.update(owner.table, owner.id, { name: 'stolen' })],
    ['a new password', (api) => api.update(owner.table, owner.id, passwordBody(context, 'stolen secret'))],
    ['a delete', (api) => api.delete(owner.table, owner.id)],
  ]
  for (const [actor, api] of Object.entries(others)) {
    if (actor === 'superuser') continue
    for (const [what, attempt] of attempts) expectRejection(await attempt(api, owner), `${what} by ${actor}`)
    expectRejection(await api.impersonate(owner.table, owner.id), `an impersonation by ${actor}`)
  }
  expectEqual(await state(context, owner), before, 'the account after rejected operations')
  for (const role of otherRoles) if (context.hasTable(role)) await expectClosedToGuests(context, role)
  const me = await sessionOf(context, account)
  expectSuccess(
    await me.api.update(me.table, me.id, { name: context.unique('name') }),
    'an update by the owner',
  )
})

/** The auth tables with settings of their own. */
const otherRoles = [
  'staff',
  'named',
  'mfa',
  'gated',
  'sealed',
  'oauth',
  'passwordless',
  'shortlived',
  'hasty',
]

async function expectClosedToGuests(context: CheckContext, role: string): Promise<void> {
  const { id, table } = await newAccount(context, role)
  const guest = context.api.as('guest')
  expectRejection(await guest.update(table, id, { name: 'stolen' }), `an update of ${role} by a guest`)
  expectRejection(await guest.delete(table, id), `a delete from ${role} by a guest`)
}

/** What can be read of an account, and that its session and password are as they were. */
async function state(context: CheckContext, owner: SignedIn): Promise<Body> {
  const refreshed = await owner.api.authRefresh(owner.table)
  const signed = await byPassword(context, owner)
  const { updated: _moves, ...record } = (objectBody(signed).record ?? {}) as Body
  return { session: refreshed.status, password: signed.status, ...record }
}
