/** Scope and limits of project API keys (standard profile, gap `keys.scopes`). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectRejection,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { KeyAction } from '../../../spec/vocabulary.ts'
import { newAccount, newEmail, signUpBody } from '../../shared/auth/accounts.ts'
import { everyAction } from '../../shared/auth/every-action.ts'
import { requestChange } from '../../shared/auth/request-flows.ts'
import { ownedBy } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'

const READ: readonly KeyAction[] = ['list', 'view']

async function keyFor(
  context: CheckContext,
  tables: readonly (TableRef | string)[],
  actions: readonly KeyAction[],
): Promise<Api> {
  const { key } = await context.apiKeys.make({ tables, actions })
  return context.api.withToken(key, 'key')
}

check('api-key.out-of-scope', async (context) => {
  const { table, unique } = context
  const key = await keyFor(context, [table('locked')], READ)
  const record = await context.make(table('locked'), { title: unique('title') })
  const open = await context.make(table('plain'), { title: unique('title') })
  expectStatus(await key.view(table('locked'), record.id), 200, 'a view in scope')
  const attempts = [
    () => key.create(table('locked'), { title: unique('title') }),
    () => key.update(table('locked'), record.id, { title: 'changed' }),
    () => key.delete(table('locked'), record.id),
    () => key.list(table('owned')),
    () => key.view(table('plain'), open.id),
    () => key.list(table('plain')),
    () => key.update(table('plain'), open.id, { title: 'changed' }),
  ]
  for (const attempt of attempts) expectStatus(await attempt(), 403, 'a request out of scope')
  const { title } = objectBody(await context.api.as('superuser').view(table('locked'), record.id))
  expectEqual(title, record.title, 'the title after rejected writes')
})

check('api-key.rules-skipped', async (context) => {
  const { table, unique } = context
  const key = await keyFor(context, [table('locked'), table('owned')], everyAction)
  const account = await newAccount(context)
  const mine = await ownedBy(context, account)
  const owned = table('owned')
  expectStatus(await key.view(owned, mine.id), 200, 'a view of a record that only its owner sees')
  expectStatus(await key.update(owned, mine.id, { title: unique('title') }), 200, 'an update of that record')
  const created = await key.create(table('locked'), { title: unique('title') })
  expectStatus(created, 200, 'a create in a table that is closed to guests')
  expectStatus(await key.delete(owned, mine.id), 204, 'a delete')
})

check('api-key.hidden', async (context) => {
  const { table, unique } = context
  const key = await keyFor(context, [table('hiding'), table('members'), table('owned')], READ)
  const secret = unique('secret')
  const record = await context.make(table('hiding'), { title: unique('title'), secret })
  const account = await newAccount(context)
  const responses = [
    await key.view(table('hiding'), record.id),
    await key.list(table('hiding'), { filter: `id = "${record.id}"` }),
    await key.view(table('members'), account.id),
    await key.view(table('owned'), (await ownedBy(context, account)).id, { expand: 'owner' }),
  ]
  for (const response of responses) {
    expectSuccess(response, 'a read in scope')
    expectThat(
      !response.text.includes(secret) && !response.text.includes(account.email),
      'a key sees hidden data',
      'no hidden field and no address',
      response.text,
    )
  }
})

check('api-key.star', async (context) => {
  const { table, unique } = context
  const key = await keyFor(context, ['*'], ['list'])
  for (const role of ['locked', 'owned']) {
    expectStatus(await key.list(table(role)), 200, 'a list with a key for all tables')
    expectStatus(
      await key.create(table(role), { title: unique('title') }),
      403,
      'a create with a key for lists',
    )
  }
})

check('api-key.table-id', async (context) => {
  const { table, unique } = context
  const locked = table('locked')
  const record = await context.make(locked, { title: unique('title') })
  const id = String(record.collectionId)
  for (const named of [locked.name, id]) {
    const key = await keyFor(context, [named], ['list'])
    for (const asked of [locked.name, id])
      expectStatus(
        await key.list({ role: '', name: asked }),
        200,
        `a list of ${asked} with a key for ${named}`,
      )
    expectStatus(await key.list(table('owned')), 403, 'a list of another table')
  }
})

check('api-key.no-record', async (context) => {
  const { table } = context
  const key = await keyFor(context, ['*'], everyAction)
  const account = await newAccount(context)
  expectStatus(await key.list(table('locked')), 200, 'a request in the scope of the key')
  expectStatus(await key.authRefresh(account.table), 403, 'a refresh')
  expectStatus(
    await requestChange({ table: account.table, api: key }, newEmail(context)),
    403,
    'an email change',
  )
  expectStatus(await key.impersonate(account.table, account.id), 403, 'an impersonation')
  // A key that can read or create superusers has the rights of one.
  const superusers = { role: '', name: '_superusers' }
  expectRejection(await key.list(superusers), 'a list of the superusers')
  const made = await key.create(superusers, signUpBody(context, { email: newEmail(context) }))
  expectRejection(made, 'a create of a superuser')
})

/** An unknown key is ignored: it may do what everyone may do, and nothing else. */
async function expectAnonymous({ table, make, unique }: CheckContext, api: Api): Promise<void> {
  const { id } = await make(table('plain'), { title: unique('title') })
  expectStatus(await api.view(table('plain'), id), 200, 'a view where everyone may view')
  expectStatus(await api.list(table('locked')), 403, 'a list where only superusers may list')
  expectStatus(await api.authRefresh(table('members')), 401, 'a refresh')
}

check('api-key.unknown', async (context) => {
  const { key } = await context.apiKeys.make({ tables: ['*'], actions: everyAction })
  expectStatus(
    await context.api.withToken(key, 'key').list(context.table('locked')),
    200,
    'a list with the key itself',
  )
  const last = key.at(-1) === 'A' ? 'B' : 'A'
  for (const text of [`${key.slice(0, -1)}${last}`, key.slice(0, 12), `${key}A`])
    await expectAnonymous(context, context.api.withToken(text, 'unknown key'))
})

check('api-key.revoked-anonymous', async (context) => {
  const made = await context.apiKeys.make({ tables: ['*'], actions: everyAction })
  const api = context.api.withToken(made.key, 'key')
  expectStatus(await api.list(context.table('locked')), 200, 'a list before the revocation')
  await context.apiKeys.revoke(made)
  await expectAnonymous(context, api)
  if (!context.has('batch')) return
  const entry = { method: 'POST', url: api.path.records(context.table('locked')), body: { title: 'late' } }
  expectRejection(await api.batch([entry]), 'a batch with a revoked key')
})

check('api-key.batch', async (context) => {
  const { api, table, unique } = context
  const key = await keyFor(context, [table('locked')], everyAction)
  const title = unique('title')
  const inside = { method: 'POST', url: api.path.records(table('locked')), body: { title } }
  const outside = { method: 'POST', url: api.path.records(table('plain')), body: { title } }
  for (const requests of [
    [inside, outside],
    [outside, inside],
  ]) {
    const response = await key.batch(requests)
    expectRejection(response, 'a batch with a request out of scope')
    for (const role of ['locked', 'plain']) {
      const list = await api.as('superuser').list(table(role), { filter: `title = "${title}"` })
      expectEqual(itemsOf(list), [], `the records in ${role} after the batch`)
    }
  }
  const { id } = await context.make(table('plain'), { title: unique('kept') })
  const { update, remove } = subRequests(api)
  for (const entry of [update(table('plain'), id, { title }), remove(table('plain'), id)])
    expectRejection(await key.batch([entry]), `a batch with a ${entry.method} out of scope`)
  const kept = objectBody(await api.view(table('plain'), id))
  expectThat(
    kept.id === id && kept.title !== title,
    'a batch out of scope changes a record',
    'no change',
    kept,
  )
  expectSuccess(await key.batch([inside]), 'a batch within the scope')
  const done = await api.as('superuser').list(table('locked'), { filter: `title = "${title}"` })
  expectEqual(itemsOf(done).length, 1, 'the number of records that the batch created')
  expectStatus(await key.batch([inside]), 200, 'a batch within the scope')
})

check('api-key.expand', async (context) => {
  const { table, unique } = context
  const closed = await context.make(table('locked'), { title: unique('title') })
  const record = await context.make(table('hiding'), { title: unique('title'), closed: closed.id })
  for (const [tables, shown] of [
    [[table('hiding')], false],
    [[table('hiding'), table('locked')], true],
  ] as const) {
    const key = await keyFor(context, tables, READ)
    const response = await key.view(table('hiding'), record.id, { expand: 'closed' })
    expectStatus(response, 200, 'a view with expand')
    const { expand } = objectBody(response) as { expand?: { closed?: { id?: unknown } } }
    expectThat(
      (expand?.closed?.id === closed.id) === shown,
      shown
        ? 'expand does not show a record that is in the scope of the key'
        : 'expand shows a record that is not in the scope of the key',
      shown ? 'the related record' : 'no related record',
      response.text,
    )
  }
})

check('api-key.bearer', async (context) => {
  const { key } = await context.apiKeys.make({ tables: [context.table('locked')], actions: READ })
  for (const value of [`Bearer ${key}`, `bearer ${key}`])
    expectStatus(
      await context.api.withToken(value, 'key').list(context.table('locked')),
      200,
      'a list with a Bearer token',
    )
})
