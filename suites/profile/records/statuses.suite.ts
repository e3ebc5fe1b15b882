/** Responses of the five record operations (standard profile, gap `records.statuses`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectRejection, expectStatus, expectThat } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { newAccount, newEmail, signUpBody } from '../../shared/auth/accounts.ts'
import { uploads } from '../../shared/records/forms.ts'
import { newId } from '../../shared/records/new-id.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { fullBody, otherBody } from './full-body.ts'
import { recordsWithFiles } from './with-files.ts'

/** A view by the client that wrote the record shows what the response to the write contained. */
async function expectAsViewed(api: Api, table: TableRef, response: ApiResponse, what: string): Promise<void> {
  const record = recordOf(response, what)
  expectEqual(recordOf(await api.view(table, record.id)), record, `a view after ${what}`)
}

/** Writes at the same time: each response contains the record of its own request. */
async function expectOwnResponses(
  titles: readonly string[],
  write: (title: string, at: number) => Promise<ApiResponse>,
  what: string,
): Promise<void> {
  const responses = await Promise.all(titles.map(write))
  expectEqual(
    responses.map((response) => recordOf(response, what).title),
    titles,
    `the titles in the responses to concurrent ${what}`,
  )
}

check('create.status', async (context) => {
  const { api, table, unique, make } = context
  const title = unique('title')
  const response = await api.create(table('plain'), { title })
  expectStatus(response, 200, 'a create')
  expectEqual(recordOf(response).title, title, 'title in the response to create')
  await expectAsViewed(api, table('plain'), response, 'the response to create')
  const mark = unique('at-once')
  const titles = [1, 2, 3].map((n) => `${mark} ${n}`)
  await expectOwnResponses(titles, (each) => api.create(table('plain'), { title: each }), 'a create')
  const made = await readTable(api, table('plain'), (record) => String(record.title).startsWith(mark))
  expectEqual([...made.values()].map((record) => record.title).sort(), titles, 'the titles that were created')
  if (context.hasTable('everything') && context.hasTable('related')) {
    const related = await make(table('related'), { name: unique('name') })
    for (const body of [fullBody(context, [related.id]), otherBody(context)]) {
      const full = await api.create(table('everything'), body)
      await expectAsViewed(api, table('everything'), full, 'the response to a create of every type')
    }
    for (let count = 0; count < 2; count += 1) {
      const form = uploads()
      form.append('text', unique('files'))
      await expectAsViewed(
        api,
        table('everything'),
        await api.create(table('everything'), form),
        'the response to a create with files',
      )
    }
  }
  if (context.hasTable('members') && context.knows('superuser')) {
    const root = api.as('superuser')
    for (const yes of [true, false]) {
      const flags = { verified: yes, emailVisibility: yes, name: unique('name') }
      const body = signUpBody(context, { email: newEmail(context), ...flags })
      const account = await root.create(table('members'), body)
      await expectAsViewed(root, table('members'), account, 'the response to a create of an account')
    }
  }
})

check('update.status', async (context) => {
  const { api, table, make, makeMany, unique } = context
  const { id } = await make(table('plain'), { title: unique('before') })
  const response = await api.update(table('plain'), id, { title: unique('after') })
  expectStatus(response, 200, 'an update')
  await expectAsViewed(api, table('plain'), response, 'the response to update')
  const others = await makeMany(
    table('plain'),
    [1, 2, 3].map(() => ({ title: unique('before') })),
  )
  await expectOwnResponses(
    others.map(() => unique('at-once')),
    (title, at) => api.update(table('plain'), others[at]?.id ?? '', { title }),
    'an update',
  )
  if (context.hasTable('everything') && context.hasTable('related')) {
    const related = await make(table('related'), { name: unique('name') })
    const before = await make(table('everything'), { text: unique('before') })
    for (const body of [fullBody(context, [related.id]), otherBody(context)]) {
      const full = await api.update(table('everything'), before.id, body)
      await expectAsViewed(api, table('everything'), full, 'the response to an update of every type')
    }
    for (const { id } of await recordsWithFiles(context)) {
      const kept = await api.update(table('everything'), id, { number: 1 })
      await expectAsViewed(api, table('everything'), kept, 'the response to an update that leaves the files')
    }
  }
  if (context.hasTable('members') && context.knows('superuser')) {
    const root = api.as('superuser')
    const accounts = [await newAccount(context), await newAccount(context)]
    for (const yes of [true, false])
      for (const { id } of accounts) {
        const changes = { verified: yes, emailVisibility: yes, name: unique('name') }
        const changed = await root.update(table('members'), id, changes)
        await expectAsViewed(root, table('members'), changed, 'the response to an update of an account')
      }
  }
})

check('delete.status', async ({ api, table, make, unique }) => {
  const { id } = await make(table('plain'), { title: unique('title') })
  const response = await api.delete(table('plain'), id)
  expectStatus(response, 204, 'a delete')
  expectEqual(response.text, '', 'the body of the response to delete')
})

check('view.status', async ({ api, table, make, unique }) => {
  const record = await make(table('plain'), { title: unique('title') })
  const response = await api.view(table('plain'), record.id)
  expectStatus(response, 200, 'a view')
  expectEqual(recordOf(response).title, record.title, 'title in a view')
})

check('record.unknown-id', async ({ api, table, make, rejects, unique }) => {
  const plain = table('plain')
  const { id } = await make(plain, { title: unique('title') })
  await rejects({
    control: () => api.view(plain, id),
    attempt: () => api.view(plain, NO_RECORD),
    status: 404,
  })
  const title = unique('title')
  await rejects({
    control: () => api.update(plain, id, { title }),
    attempt: () => api.update(plain, NO_RECORD, { title }),
    status: 404,
  })
  await rejects({ control: () => api.delete(plain, id), attempt: () => api.delete(plain, id), status: 404 })
})

check('record.id-exact-case', async ({ api, table, rejects, unique }) => {
  const { id } = recordOf(await api.create(table('plain'), { id: `abc${newId(unique).slice(3)}` }))
  await rejects({
    control: () => api.view(table('plain'), id),
    attempt: () => api.view(table('plain'), id.toUpperCase()),
    status: 404,
  })
})

check('table.unknown', async ({ api, table, make, rejects, unique }) => {
  const plain = table('plain')
  const nowhere = { role: 'none', name: unique('conf_none').replace(/\W/g, '_') }
  const { id } = await make(plain, { title: unique('title') })
  const operations: ((ref: typeof plain) => Promise<ApiResponse>)[] = [
    (ref) => api.list(ref),
    (ref) => api.view(ref, id),
    (ref) => api.create(ref, { title: unique('x') }),
    (ref) => api.update(ref, id, { title: 'y' }),
    (ref) => api.delete(ref, id),
  ]
  for (const operation of operations) {
    await rejects({ control: () => operation(plain), attempt: () => operation(nowhere), status: 404 })
  }
})

check('table.any-case', async ({ api, table, unique }) => {
  const shouted = { ...table('plain'), name: table('plain').name.toUpperCase() }
  const record = recordOf(await api.create(shouted, { title: unique('title') }))
  expectEqual(recordOf(await api.view(shouted, record.id)), record, 'a view by the name in capitals')
  expectEqual(
    record.collectionName,
    table('plain').name,
    'collectionName of a record created by the name in capitals',
  )
  expectStatus(await api.list(shouted, { perPage: 1 }), 200, 'a list by the name in capitals')
})

check('route.unknown', async ({ api, table, make, unique }) => {
  const record = await make(table('plain'), { title: unique('title') })
  const json = { headers: { 'content-type': 'application/json' }, body: '{"title":"changed"}' }
  // Never sent to a table that exists: a server might apply it to all of its records.
  const nowhere = api.path.records(unique('none'))
  const routes = [
    { method: 'PUT', path: api.path.record(table('plain'), record.id) },
    { method: 'POST', path: api.path.record(table('plain'), record.id) },
    { method: 'PATCH', path: nowhere },
    { method: 'DELETE', path: nowhere },
    { method: 'PUT', path: nowhere },
    ...['PROPFIND', 'SEARCH', 'LOCK'].map((method) => ({
      method,
      path: api.path.record(table('plain'), record.id),
    })),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path: api.path.batch() })),
    ...['PROPFIND', 'SEARCH'].map((method) => ({ method, path: nowhere })),
  ]
  for (const route of routes) {
    const response = await api.raw(route.method === 'GET' ? route : { ...route, ...json })
    expectRejection(response, `${route.method} ${route.path}`)
    expectStatus(response, 404, `${route.method} ${route.path}`)
  }
  const viewed = recordOf(await api.view(table('plain'), record.id))
  expectThat(
    viewed.title === record.title,
    'an unknown route changed a record',
    String(record.title),
    viewed.title,
  )
})
