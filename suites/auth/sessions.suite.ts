/** Refresh and impersonation (document 4.2, 5). */

import { check } from '../../harness/check.ts'
import {
  expectEqual,
  expectRefusal,
  expectStatus,
  expectSuccess,
  objectBody,
} from '../../harness/judging/expect.ts'
import {
  expectLetIn,
  expectNoToken,
  expectSession,
  goneOn,
  newAccount,
  ownedBy,
  type SignedIn,
  signedIn,
} from './world.ts'

check('refresh.extends', async (context) => {
  const me = await signedIn(context)
  const token = await goneOn(context, me)
  const again = await context.api.withToken(token, 'refreshed').authRefresh(me.table)
  expectLetIn(again, me, 'a request with the refreshed token')
})

check('refresh.same-record', async (context) => {
  const both = [await signedIn(context), await signedIn(context)]
  const refreshed: { me: SignedIn; token: string }[] = []
  for (const me of both) refreshed.push({ me, token: await goneOn(context, me) })
  for (const { me, token } of refreshed) {
    const name = context.unique('name')
    const update = await context.api.withToken(token, 'refreshed').update(me.table, me.id, { name })
    expectSuccess(update, 'an update of the own record after a refresh')
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
  const token = expectSession(
    await context.api.as('superuser').impersonate(account.table, account.id),
    account,
    'an impersonation',
  )
  const api = context.api.withToken(token, 'impersonated')
  const name = context.unique('name')
  const update = await api.update(account.table, account.id, { name })
  expectSuccess(update, 'an update of the own record with the token')
  const view = await api.view(account.table, account.id)
  expectEqual(objectBody(view).name, name, 'the name after the update')
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
  expectLetIn(control, account, 'an impersonation by a superuser')
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
