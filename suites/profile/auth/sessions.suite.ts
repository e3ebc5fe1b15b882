/** Refresh and impersonation in particular (standard profile). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, OTHER_PASSWORD, PASSWORD, passwordBody } from '../../shared/auth/accounts.ts'
import { byOtp, newOtp } from '../../shared/auth/email-flows.ts'
import { expectAlive, expectDead, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { post } from '../../shared/auth/post.ts'
import { refreshSuperuser } from '../../shared/auth/refresh-superuser.ts'
import { recordIn, sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, type SignedIn, sessionOf, signedIn } from '../../shared/auth/sessions.ts'
import { claimsOf } from '../../shared/auth/tampering.ts'
import { recordOf } from '../../shared/records/record-of.ts'

check('refresh.status', async (context) => {
  const me = await signedIn(context)
  const response = await me.api.authRefresh(me.table)
  expectStatus(response, 200, 'a refresh')
  expectEqual(
    Object.keys(objectBody(response)).sort(),
    ['record', 'token'],
    'the keys of the response to a refresh',
  )
})

check('refresh.guest', async (context) => {
  const me = await signedIn(context)
  for (const token of ['', 'nonsense', `${me.token}x`, `Token ${me.token}`]) {
    await context.rejects({
      control: () => me.api.authRefresh(me.table),
      attempt: () =>
        (token === '' ? context.api : context.api.withToken(token, 'bogus')).authRefresh(me.table),
      status: 401,
    })
  }
})

check('refresh.base-table', async (context) => {
  const me = await signedIn(context)
  const [plain, missing] = [context.table('plain'), { role: '', name: 'conf_missing' }]
  expectStatus(await context.api.authRefresh(plain), 401, 'a refresh by a guest under a base table')
  expectStatus(await me.api.authRefresh(plain), 403, 'a refresh by a user under a base table')
  for (const api of [context.api, me.api])
    expectStatus(await api.authRefresh(missing), 404, 'a refresh under a missing table')
})

check('refresh.superuser', async (context) => {
  const { api, table } = context
  expectStatus(await api.as('superuser').authRefresh(table('members')), 403, 'a refresh by a superuser')
  expectStatus(await refreshSuperuser(context), 200, 'a refresh under its own table')
})

check('refresh.old-lives', async (context) => {
  const me = await signedIn(context)
  expectSuccess(await me.api.authRefresh(me.table), 'a refresh')
  await expectAlive(context, me, 'after it was refreshed')
})

check('refresh.current-record', async (context) => {
  const me = await signedIn(context)
  const name = context.unique('name')
  expectSuccess(await me.api.update(me.table, me.id, { name }), 'an update')
  const record = recordIn(await me.api.authRefresh(me.table), 'a refresh after an update')
  expectEqual(record.name, name, 'the name after an update')
  expectEqual(record, recordOf(await me.api.view(me.table, me.id)), 'the record in a refresh')
  expectSuccess(await me.api.update(me.table, me.id, { name: context.unique('name') }), 'a second update')
  await expectRefreshedAsViewed([me])
  await expectRefreshedAsViewed(await colleaguesOfTwoTeams(context))
  if (!context.knows('superuser')) return
  const root = context.api.as('superuser')
  const others = [await signedIn(context), await signedIn(context)]
  for (const [at, { table, id }] of others.entries())
    expectSuccess(await root.update(table, id, { verified: at === 0 }), 'an update by a superuser')
  await expectRefreshedAsViewed(others)
  const superusers = { role: '', name: '_superusers' }
  const own = recordIn(await refreshSuperuser(context), 'a refresh by a superuser')
  expectEqual(own, recordOf(await root.view(superusers, own.id)), 'the superuser in a refresh')
})

/** Two sessions whose accounts relate to different records. None if the target lacks a table for it. */
async function colleaguesOfTwoTeams(context: CheckContext): Promise<SignedIn[]> {
  if (!context.hasTable('staff') || !context.hasTable('related')) return []
  const colleagues: SignedIn[] = []
  for (const name of ['one', 'other']) {
    const team = await context.make(context.table('related'), { name: context.unique(name) })
    colleagues.push(await signedIn(context, 'staff', { team: team.id }))
  }
  return colleagues
}

async function expectRefreshedAsViewed(all: readonly SignedIn[]): Promise<void> {
  for (const { api, table, id } of all) {
    const shown = recordIn(await api.authRefresh(table), 'a refresh')
    expectEqual(shown, recordOf(await api.view(table, id)), 'the record in a refresh')
  }
}

check('refresh.auth-rule', async (context) => {
  const account = await newAccount(context, 'gated', { verified: true })
  const me = await sessionOf(context, account)
  const root = context.api.as('superuser')
  await context.rejects({
    control: () => me.api.authRefresh(me.table),
    async attempt() {
      expectSuccess(await root.update(me.table, me.id, { verified: false }), 'an update by a superuser')
      return me.api.authRefresh(me.table)
    },
    status: 403,
  })
})

check('refresh.no-second-factor', async (context) => {
  const account = await newAccount(context, 'mfa')
  const { mfaId } = objectBody(await byPassword(context, account))
  const response = await byOtp(context, account, await newOtp(context, account), { mfaId })
  const token = expectSignedIn(response, account, 'a sign-in with two factors')
  const refreshed = await context.api.withToken(token, 'user').authRefresh(account.table)
  expectSignedIn(refreshed, account, 'a refresh of it')
})

check('impersonate.status', async (context) => {
  const account = await newAccount(context)
  const response = await context.api.as('superuser').impersonate(account.table, account.id)
  expectStatus(response, 200, 'an impersonation')
  const body = objectBody(response)
  expectEqual(Object.keys(body).sort(), ['record', 'token'], 'the keys of the response to an impersonation')
  const record = recordIn(response, 'an impersonation')
  expectEqual([record.id, record.email], [account.id, account.email], 'id and address of the record')
})

check('impersonate.guest', async (context) => {
  const [me, colleague] = [await signedIn(context), await signedIn(context, 'staff')]
  const root = context.api.as('superuser')
  const actors = [
    [context.api, 401],
    [context.api.withToken('nonsense', 'bogus'), 401],
    [me.api, 403],
    [colleague.api, 403],
  ] as const
  for (const [api, status] of actors) {
    await context.rejects({
      control: () => root.impersonate(me.table, me.id),
      attempt: () => api.impersonate(me.table, me.id),
      status,
    })
  }
})

check('impersonate.missing', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  const places = [
    [account.table, 'nosuchrecord000'],
    [{ role: '', name: 'conf_missing' }, account.id],
    [context.table('plain'), account.id],
  ] as const
  for (const [table, id] of places) {
    await context.rejects({
      control: () => root.impersonate(account.table, account.id),
      attempt: () => root.impersonate(table, id),
      status: 404,
    })
  }
})

check('impersonate.duration', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  const expiry = async (duration?: number) => {
    const body = duration === undefined ? undefined : { duration }
    const response = await root.impersonate(account.table, account.id, body)
    expectStatus(response, 200, 'an impersonation')
    return Number(claimsOf(sessionToken(response) ?? '')?.exp)
  }
  const [short, long, usual] = [await expiry(100), await expiry(5_000), await expiry()]
  expectThat(
    Math.abs(long - short - 4_900) <= 2,
    'the lifetimes do not differ by the same time as the durations',
    '4900 seconds',
    long - short,
  )
  expectThat(
    Math.abs(usual - short - 431_900) <= 2,
    'without a duration, the token does not have the lifetime that the table specifies',
    '431900 seconds more',
    usual - short,
  )
  const zero = await expiry(0)
  expectThat(
    Math.abs(zero - usual) <= 2,
    'with a duration of 0, the token does not have the lifetime that the table specifies',
    'the same expiry as without a duration',
    `${zero - usual} seconds later`,
  )
})

check('impersonate.duration-invalid', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  const send = (body: Body) => post(root, account.table, `impersonate/${account.id}`, body)
  await context.rejects({
    control: () => send({ duration: 10 }),
    attempt: () => send({ duration: -1 }),
    status: 400,
    data: { duration: 'validation_min_greater_equal_than_required' },
  })
  for (const duration of ['10', 1.5, [10]]) {
    await context.rejects({
      control: () => send({ duration: 10 }),
      attempt: () => send({ duration }),
      status: 400,
    })
  }
})

check('impersonate.static', async (context) => {
  const account = await newAccount(context)
  const token = sessionToken(await context.api.as('superuser').impersonate(account.table, account.id)) ?? ''
  const response = await context.api.withToken(token, 'impersonated').authRefresh(account.table)
  expectStatus(response, 200, 'a refresh of an impersonation')
  expectThat(
    sessionToken(response) === token,
    'a refresh of an impersonation returns another token',
    'the same token',
    'another',
  )
})

check('impersonate.no-conditions', async (context) => {
  for (const role of ['sealed', 'mfa']) {
    const account = await newAccount(context, role)
    const response = await context.api.as('superuser').impersonate(account.table, account.id)
    expectSignedIn(response, account, `an impersonation in ${account.table.name}`)
  }
})

check('impersonate.ends', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  const token = sessionToken(await root.impersonate(account.table, account.id)) ?? ''
  const session = { table: account.table, id: account.id, token }
  await expectAlive(context, session, 'of an impersonation')
  const body = passwordBody(context, OTHER_PASSWORD)
  expectSuccess(await root.update(account.table, account.id, body), 'a password change by a superuser')
  await expectDead(context, session, 'from an impersonation before the password was changed')
  expectStatus(
    await byPassword(context, { ...account, password: PASSWORD }),
    400,
    'a sign-in with the old password',
  )
})
