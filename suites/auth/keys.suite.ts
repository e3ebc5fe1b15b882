/** Project API keys (document 5). */

import { check } from '../../harness/check.ts'
import {
  expectEqual,
  expectRefusal,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../harness/judging/expect.ts'
import type { Api, Reply } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import type { ApiKey, KeyAction } from '../../harness/vocabulary/target.ts'
import { equals } from '../lists/pile.ts'
import { itemsOf, ownedBy, signedIn } from './world.ts'

const READ: readonly KeyAction[] = ['list', 'view']

/** A key that may list and view the table that is closed to guests, and a record there. */
async function reader(context: CheckContext) {
  const locked = context.table('locked')
  const record = await context.make(locked, { title: context.unique('title') })
  const key = await context.apiKeys.make({ tables: [locked], actions: READ })
  return { locked, record, key, api: asKey(context, key) }
}

function asKey({ api }: CheckContext, { key }: ApiKey): Api {
  return api.withToken(key, 'key')
}

/** The list of one record of the table that is closed to guests. */
function listOne(context: CheckContext, api: Api, id: string): Promise<Reply> {
  const locked = context.table('locked')
  return api.list(locked, { filter: equals(context, locked, 'id', id) })
}

/** Nothing of the record is told: by a refusal or by a list without it, which of them the document leaves open. */
function expectUnlisted(reply: Reply, id: string, what: string): void {
  if (reply.ok) expectThat(!reply.text.includes(id), `${what} shows its records`, 'none', reply.text)
  else expectRefusal(reply, what)
}

check('api-key.accepted', async (context) => {
  const { locked, record, api } = await reader(context)
  expectRefusal(await context.api.view(locked, record.id), 'a view by a guest')
  expectSuccess(await api.view(locked, record.id), 'a view with a key')
  expectSuccess(await api.list(locked), 'a list with a key')
})

check('api-key.table-scope', async (context) => {
  const { locked, record, api } = await reader(context)
  const mine = await ownedBy(context, await signedIn(context))
  const owned = context.table('owned')
  expectSuccess(await api.view(locked, record.id), 'a view of a table in scope')
  expectRefusal(await api.view(owned, mine.id), 'a view of a table out of scope')
  const list = await api.list(owned, { filter: equals(context, owned, 'id', mine.id) })
  expectUnlisted(list, mine.id, 'a list of a table out of scope')
})

/** The five actions on a record of the table that is closed to guests; delete comes last. */
function actions(context: CheckContext, api: Api, id: string): [KeyAction, () => Promise<Reply>][] {
  const locked = context.table('locked')
  return [
    ['list', () => listOne(context, api, id)],
    ['view', () => api.view(locked, id)],
    ['create', () => api.create(locked, { title: context.unique('title') })],
    ['update', () => api.update(locked, id, { title: context.unique('title') })],
    ['delete', () => api.delete(locked, id)],
  ]
}

check('api-key.action-scope', async (context) => {
  const locked = context.table('locked')
  for (const action of ['list', 'view', 'create', 'update', 'delete'] as const) {
    const record = await context.make(locked, { title: context.unique('title') })
    const api = asKey(context, await context.apiKeys.make({ tables: [locked], actions: [action] }))
    for (const [tried, attempt] of actions(context, api, record.id)) {
      if (tried === action) continue
      const reply = await attempt()
      const what = `${tried} with a key for ${action}`
      if (tried === 'list') expectUnlisted(reply, record.id, what)
      else expectRefusal(reply, what)
    }
    const view = await context.api.as('superuser').view(locked, record.id)
    expectEqual(objectBody(view).title, record.title, 'the title after refused writes')
    const allowed = actions(context, api, record.id).find(([name]) => name === action)
    if (allowed !== undefined) expectSuccess(await allowed[1](), `${action} with a key for it`)
  }
})

check('api-key.batch-scope', async (context) => {
  const { api, table, unique } = context
  const locked = table('locked')
  const key = asKey(context, await context.apiKeys.make({ tables: [locked], actions: ['create'] }))
  const record = await context.make(locked, { title: unique('title') })
  const [title, other] = [unique('title'), unique('title')]
  const inside = { method: 'POST', url: api.path.records(locked), body: { title } }
  const outside = { method: 'DELETE', url: api.path.record(locked, record.id) }
  const reply = await key.batch([inside, outside])
  expectSuccess(
    await api.as('superuser').view(locked, record.id),
    'a view of the record that was not to be deleted',
  )
  const items = itemsOf(
    await api.as('superuser').list(locked, { filter: equals(context, locked, 'title', title) }),
  )
  expectThat(
    !reply.ok && items.length === 0,
    'a batch goes beyond the scope of its key, or half of it was done',
    'nothing done',
    reply.text,
  )
  expectSuccess(await key.batch([{ ...inside, body: { title: other } }]), 'a batch within the scope')
})

check('api-key.shown-once', async (context) => {
  const { locked, record, key, api } = await reader(context)
  for (const client of [api, context.api.as('superuser')]) {
    for (const reply of [
      await client.list(locked),
      await client.view(locked, record.id),
      await client.list({ role: '', name: '_apiKeys' }),
    ])
      expectThat(
        !reply.text.includes(key.key),
        'an answer shows a key again',
        'no key',
        reply.exchange.request.url,
      )
  }
})

check('api-key.revoked', async (context) => {
  const { locked, record, key, api } = await reader(context)
  expectSuccess(await api.view(locked, record.id), 'a view before the revocation')
  await context.apiKeys.revoke(key)
  expectRefusal(await api.view(locked, record.id), 'a view with a revoked key')
  expectUnlisted(await listOne(context, api, record.id), record.id, 'a list with a revoked key')
})

check('api-key.revocation-spares-sessions', async (context) => {
  const { key } = await reader(context)
  const me = await signedIn(context)
  await context.apiKeys.revoke(key)
  expectSuccess(await me.api.authRefresh(me.table), 'a refresh of a session after a key was revoked')
})

check('api-key.revocation-spares-keys', async (context) => {
  const [one, other] = [await reader(context), await reader(context)]
  await context.apiKeys.revoke(one.key)
  expectSuccess(await other.api.list(other.locked), 'a list with another key')
})

check('api-key.altered', async (context) => {
  const { record, key, api } = await reader(context)
  const { id } = record
  expectEqual(itemsOf(await listOne(context, api, id)).length, 1, 'the number of records listed with the key')
  const { key: text } = key
  const flip = (at: number) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  for (const altered of [
    flip(0),
    flip(Math.floor(text.length / 3)),
    flip(text.length - 1),
    text.slice(0, -1),
    `${text}A`,
  ])
    expectUnlisted(
      await listOne(context, context.api.withToken(altered, 'altered key'), id),
      id,
      'a list with an altered key',
    )
})
