/** Refresh and impersonation (document 4.2, 5). */

import { check } from '../../harness/check.ts'
import {
  expectEqual,
  expectRefusal,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../harness/judging/expect.ts'
import type { WireRecord } from '../../harness/vocabulary/api.ts'
import { expectNoToken, expectSignedIn, newAccount, ownedBy, signedIn, tokenOf } from './world.ts'

check('refresh.extends', async (context) => {
  const me = await signedIn(context)
  const token = expectSignedIn(await me.api.authRefresh(me.table), me, 'a refresh')
  const again = await context.api.withToken(token, 'refreshed').authRefresh(me.table)
  expectSignedIn(again, me, 'a request with the refreshed token')
})

check('refresh.same-record', async (context) => {
  const [one, other] = [await signedIn(context), await signedIn(context)]
  for (const me of [one, other]) {
    const { record } = objectBody(await me.api.authRefresh(me.table)) as { record?: WireRecord }
    expectEqual([record?.id, record?.email], [me.id, me.email], 'id and address of the refreshed record')
  }
})

check('refresh.session-required', async (context) => {
  const me = await signedIn(context)
  expectSuccess(await me.api.authRefresh(me.table), 'a refresh with a session')
  for (const api of [context.api, context.api.withToken('nonsense', 'bogus')]) {
    const reply = await api.authRefresh(me.table)
    expectRefusal(reply, 'a refresh without a session')
    expectNoToken(reply, 'a refresh without a session')
  }
})

check('impersonate.acts-as-record', async (context) => {
  const account = await newAccount(context, 'members')
  const token = expectSignedIn(
    await context.api.as('superuser').impersonate(account.table, account.id),
    account,
    'an impersonation',
  )
  const api = context.api.withToken(token, 'impersonated')
  const name = context.unique('name')
  const update = await api.update(account.table, account.id, { name })
  expectSuccess(update, 'an update of the own record with the token')
  expectEqual(objectBody(update).name, name, 'the name after the update')
})

check('impersonate.superuser-only', async (context) => {
  const [one, other] = [await signedIn(context), await signedIn(context, 'staff')]
  const root = context.api.as('superuser')
  for (const api of [context.api, one.api, other.api]) {
    const refused = await context.rejects({
      control: () => root.impersonate(one.table, one.id),
      attempt: () => api.impersonate(one.table, one.id),
    })
    expectNoToken(refused, 'an impersonation by who is no superuser')
  }
})

check('impersonate.api-key-refused', async (context) => {
  const account = await newAccount(context)
  const locked = context.table('locked')
  const { key } = await context.apiKeys.make({ tables: [locked], actions: ['list', 'view'] })
  const api = context.api.withToken(key, 'key')
  expectSuccess(await api.list(locked), 'what the key may do')
  expectNoToken(await api.impersonate(account.table, account.id), 'an impersonation by an API key')
  const control = await context.api.as('superuser').impersonate(account.table, account.id)
  expectThat(
    tokenOf(control) !== undefined,
    'an impersonation by a superuser gives no token',
    'a token',
    control.text,
  )
})

check('impersonate.missing-record', async (context) => {
  const account = await newAccount(context)
  const root = context.api.as('superuser')
  expectSuccess(await root.impersonate(account.table, account.id), 'an impersonation')
  const owned = await ownedBy(context, account)
  for (const id of [owned.id, 'nosuchrecord000', `${account.id}x`]) {
    const reply = await root.impersonate(account.table, id)
    expectNoToken(reply, 'an impersonation of no record')
    expectStatus(reply, [400, 404, 422], 'an impersonation of no record')
  }
})
