/** Tokens in the Authorization header (document 1, 5). */

import { check } from '../../harness/check.ts'
import { expectEqual, expectRefusal, expectSuccess, expectThat } from '../../harness/judging/expect.ts'
import type { Api, WireRecord } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import type { TableRef } from '../../harness/vocabulary/target.ts'
import { equals } from '../lists/pile.ts'
import { createdIdOf } from '../records/record-of.ts'
import { tamperings } from './tampering.ts'
import { expectDead, expectGuarded, goneOn, itemsOf, ownedBy, type SignedIn, signedIn } from './world.ts'

/** Two signed-in members, each with a record that nobody else sees. */
async function twoOwners(context: CheckContext) {
  const [one, other] = [await signedIn(context), await signedIn(context)]
  return { one, other, ofOne: await ownedBy(context, one), ofOther: await ownedBy(context, other) }
}

/** Whether a client sees a record in list and view alike. */
async function sees(context: CheckContext, api: Api, table: TableRef, { id }: WireRecord): Promise<boolean> {
  const view = await api.view(table, id)
  const listed = itemsOf(await api.list(table, { filter: equals(context, table, 'id', id) })).some(
    (item) => item.id === id,
  )
  expectEqual(listed, view.ok, 'whether the list holds what a view shows')
  return view.ok
}

check('auth.token-header', async (context) => {
  const { one, ofOne } = await twoOwners(context)
  expectThat(
    await sees(context, one.api, context.table('owned'), ofOne),
    'the owner does not see the own record',
    'the record',
  )
})

check('auth.token-as-is', async (context) => {
  const { one, ofOne } = await twoOwners(context)
  const bare = { authorization: one.token }
  const path = context.api.path.record(context.table('owned'), ofOne.id)
  await expectGuarded(context, context.table('owned'), ofOne.id)
  expectSuccess(await context.api.raw({ method: 'GET', path, headers: bare }), 'a view with the token alone')
  const refresh = context.api.path.auth(one.table, 'auth-refresh')
  expectSuccess(
    await context.api.raw({ method: 'POST', path: refresh, headers: bare }),
    'a refresh with the token alone',
  )
})

check('auth.no-token', async (context) => {
  const { one, ofOne } = await twoOwners(context)
  const owned = context.table('owned')
  expectThat(
    await sees(context, one.api, owned, ofOne),
    'the owner does not see the own record',
    'the record',
  )
  expectThat(
    !(await sees(context, context.api, owned, ofOne)),
    'a guest sees what only the owner may see',
    'a refusal',
    'seen',
  )
  expectRefusal(await context.api.authRefresh(one.table), 'a refresh without a token')
})

check('auth.token-altered', async (context) => {
  const { one, ofOne } = await twoOwners(context)
  const owned = context.table('owned')
  expectThat(
    await sees(context, one.api, owned, ofOne),
    'the owner does not see the own record',
    'the record',
  )
  for (const [how, token] of tamperings(one.token)) {
    const api = context.api.withToken(token, 'tampered')
    expectThat(
      !(await sees(context, api, owned, ofOne)),
      `a token is accepted with ${how}`,
      'a refusal',
      'accepted',
    )
    expectRefusal(await api.authRefresh(one.table), `a refresh with ${how}`)
  }
})

check('auth.token-own-record', async (context) => {
  const { one, other, ofOne, ofOther } = await twoOwners(context)
  const owned = context.table('owned')
  const seen = async ({ api }: SignedIn) => [
    await sees(context, api, owned, ofOne),
    await sees(context, api, owned, ofOther),
  ]
  expectEqual(await seen(one), [true, false], 'what the first owner sees of both records')
  expectEqual(await seen(other), [false, true], 'what the second owner sees of both records')
})

check('auth.token-repeats', async (context) => {
  const me = await signedIn(context)
  const owned = context.table('owned')
  for (let round = 0; round < 2; round += 1) {
    const created = await me.api.create(owned, { title: context.unique('title'), owner: me.id })
    const id = createdIdOf(created, 'a create with a token that was used before')
    expectThat(
      await sees(context, me.api, owned, { id }),
      'the owner does not see the own record',
      'the record',
    )
    expectSuccess(await me.api.update(owned, id, { title: 'changed' }), 'an update with the same token')
    expectSuccess(await me.api.delete(owned, id), 'a delete with the same token')
  }
  // Last of all: that the token lives on is not said of a refresh.
  expectSuccess(await me.api.authRefresh(me.table), 'a refresh with the same token')
})

check('auth.user-token', async (context) => {
  const { one, ofOne } = await twoOwners(context)
  await expectGuarded(context, context.table('owned'), ofOne.id)
  expectSuccess(await one.api.view(context.table('owned'), ofOne.id), 'a view with the token of a sign-in')
})

check('auth.superuser-token', async ({ api, table, make, unique }) => {
  const { id } = await make(table('locked'), { title: unique('title') })
  expectRefusal(await api.view(table('locked'), id), 'a view by a guest of a table that is closed to guests')
  expectSuccess(await api.as('superuser').view(table('locked'), id), 'a view with the token of a superuser')
  expectSuccess(await api.as('superuser').list(table('locked')), 'a list with the token of a superuser')
})

check('auth.deleted-ends-session', async (context) => {
  const me = await signedIn(context)
  // That it can be refreshed is the control; the session that goes on may be another one then.
  const token = await goneOn(context, me)
  const api = context.api.withToken(token, 'user')
  expectSuccess(await api.delete(me.table, me.id), 'a delete of the own record')
  for (const session of [me, { ...me, token }])
    await expectDead(context, session, 'after its record was deleted')
})
