/** Who may do what (standard profile, gap `rules.access`). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { signedInMember } from './member.ts'

/** The five operations on one record of a table; delete comes last. */
function operations(
  ref: TableRef,
  id: string,
  { unique }: Pick<CheckContext, 'unique'>,
): ((api: Api) => Promise<ApiResponse>)[] {
  return [
    (api) => api.list(ref, { perPage: 1 }),
    (api) => api.view(ref, id),
    (api) => api.create(ref, { title: unique('created') }),
    (api) => api.update(ref, id, { title: 'updated' }),
    (api) => api.delete(ref, id),
  ]
}

async function expectAllForbidden(context: CheckContext, caller: Api): Promise<void> {
  const { api, table, make, rejects, unique } = context
  const { id } = await make(table('locked'), { title: unique('title') })
  const control = await make(table('locked'), { title: unique('control') })
  const allowed = operations(table('locked'), control.id, context)
  for (const [n, operation] of operations(table('locked'), id, context).entries()) {
    const superuserDoes = allowed[n] ?? operation
    await rejects({
      control: () => superuserDoes(api.as('superuser')),
      attempt: () => operation(caller),
      status: 403,
    })
  }
  recordOf(await api.as('superuser').view(table('locked'), id), 'a view after the rejected delete')
}

check('rules.null-guest', (context) => expectAllForbidden(context, context.api))

check('rules.null-user', async (context) => expectAllForbidden(context, (await signedInMember(context)).api))

check('rules.superuser', async (context) => {
  const { api, table, make, unique } = context
  const root = api.as('superuser')
  // First: the other checks need a record to request.
  expectSuccess(
    await root.create(table('ruled'), { title: unique('title'), level: 9 }),
    'a create of a superuser against the rule',
  )
  for (const role of ['locked', 'owned', 'ruled']) {
    const { id } = await make(table(role), { title: unique('title'), level: 9 })
    for (const operation of operations(table(role), id, context))
      expectSuccess(await operation(root), `an operation of a superuser on ${role}`)
    expectStatus(await root.view(table(role), id), 404, `a view of a deleted record of ${role}`)
  }
})

check('rules.empty', async ({ api, table, make, unique }) => {
  const { id } = await make(table('plain'), { title: unique('title') })
  for (const operation of operations(table('plain'), id, { unique }))
    expectSuccess(await operation(api.as('guest')), 'an operation of a guest')
})

/** A public and a private record of the table `ruled`, made by the superuser. */
async function publicAndPrivate({ make, table, unique }: CheckContext) {
  const title = unique('ruled')
  const open = await make(table('ruled'), { title, public: true, level: 1 })
  const closed = await make(table('ruled'), { title, public: false, level: 1 })
  return { title, open, closed }
}

check('rules.list-leaves-out', async (context) => {
  const { api, table } = context
  const { title, open } = await publicAndPrivate(context)
  const response = await api.list(table('ruled'), { filter: `title = "${title}"` })
  expectStatus(response, 200, 'a list')
  expectEqual(
    listOf(response).items.map(({ id }) => id),
    [open.id],
    'the ids that a guest sees',
  )
  const none = await api.list(table('ruled'), { filter: `title = "${title}" && public = false` })
  expectStatus(none, 200, 'a list without a visible record')
  expectEqual(listOf(none).items, [], 'the records that a guest sees')
})

check('rules.list-totals', async (context) => {
  const { api, table } = context
  const { title } = await publicAndPrivate(context)
  const query = { filter: `title = "${title}"`, perPage: 1 }
  const guest = listOf(await api.list(table('ruled'), query))
  expectEqual([guest.totalItems, guest.totalPages], [1, 1], 'totals for a guest')
  const root = listOf(await api.as('superuser').list(table('ruled'), query))
  expectEqual([root.totalItems, root.totalPages], [2, 2], 'totals for a superuser')
})

check('rules.view-miss', async (context) => {
  const { api, table, rejects } = context
  const { open, closed } = await publicAndPrivate(context)
  await rejects({
    control: () => api.view(table('ruled'), open.id),
    attempt: () => api.view(table('ruled'), closed.id),
    status: 404,
  })
})

check('rules.create-miss', async ({ api, table, rejects, unique }) => {
  const title = unique('title')
  const response = await rejects({
    control: () => api.create(table('ruled'), { title, level: 3 }),
    attempt: () => api.create(table('ruled'), { title, level: 4 }),
    status: 400,
  })
  expectEqual(objectBody(response).data, {}, 'data of a create that a rule rejects')
})

check('rules.update-miss', async ({ api, table, make, rejects, unique }) => {
  const low = await make(table('ruled'), { title: unique('low'), public: true, level: 2 })
  const high = await make(table('ruled'), { title: unique('high'), public: true, level: 3 })
  await rejects({
    control: () => api.update(table('ruled'), low.id, { title: 'changed' }),
    attempt: () => api.update(table('ruled'), high.id, { title: 'changed' }),
    status: 404,
  })
  expectEqual(
    recordOf(await api.view(table('ruled'), high.id)).title,
    high.title,
    'title after the rejected update',
  )
})

check('rules.delete-miss', async ({ api, table, make, rejects, unique }) => {
  const kept = await make(table('ruled'), { title: unique('kept'), public: true })
  const gone = await make(table('ruled'), { title: unique('gone'), public: true })
  const sure = (id: string) =>
    api.raw({ method: 'DELETE', path: `${api.path.record(table('ruled'), id)}?sure=yes` })
  await rejects({
    control: () => sure(gone.id),
    attempt: () => api.delete(table('ruled'), kept.id),
    status: 404,
  })
  recordOf(await api.view(table('ruled'), kept.id), 'a view after the rejected delete')
})

check('rules.update-judges-stored', async ({ api, table, make, unique }) => {
  const record = await make(table('ruled'), { title: unique('title'), public: true, level: 2 })
  // The result leaves the reach of the view rule; the stored record is within the reach of the update rule.
  const response = await api.update(table('ruled'), record.id, { public: false })
  expectStatus(response, 200, 'an update that hides the record')
  expectStatus(await api.view(table('ruled'), record.id), 404, 'a view of the hidden record')
})

check('rules.writer-sees', async ({ api, table, unique }) => {
  const title = unique('title')
  const record = recordOf(await api.create(table('ruled'), { title, public: false, level: 1 }))
  expectEqual(record.title, title, 'title in the response to the writer')
  expectStatus(await api.view(table('ruled'), record.id), 404, 'a view by the writer')
})

check('rules.user-miss', async (context) => {
  const { table, make, rejects, unique } = context
  const owned = table('owned')
  const [me, other] = [await signedInMember(context), await signedInMember(context)]
  const title = unique('title')
  const mine = await make(owned, { title, owner: me.record.id })
  const theirs = await make(owned, { title, owner: other.record.id })
  const list = listOf(await me.api.list(owned, { filter: `title = "${title}"` }))
  expectEqual(
    list.items.map(({ id }) => id),
    [mine.id],
    'the ids that the owner of one sees',
  )
  await rejects({
    control: () => me.api.view(owned, mine.id),
    attempt: () => me.api.view(owned, theirs.id),
    status: 404,
  })
  await rejects({
    control: () => me.api.update(owned, mine.id, { title }),
    attempt: () => me.api.update(owned, theirs.id, { title: 'stolen' }),
    status: 404,
  })
  await rejects({
    control: () => me.api.delete(owned, mine.id),
    attempt: () => me.api.delete(owned, theirs.id),
    status: 404,
  })
  expectEqual(
    recordOf(await other.api.view(owned, theirs.id)).title,
    title,
    "title of another account's record",
  )
})

check('rules.invalid-token', async ({ api, table, make, unique }) => {
  const { id } = await make(table('plain'), { title: unique('title') })
  for (const token of [
    'garbage',
    'Bearer garbage',
    'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6IngifQ.bad',
    'Basic dXNlcjpwYXNz',
  ]) {
    const bogus = api.withToken(token, 'bogus')
    expectSuccess(
      await bogus.view(table('plain'), id),
      'a view with an invalid token where everyone may view',
    )
    expectSuccess(
      await bogus.list(table('plain'), { perPage: 1 }),
      'a list with an invalid token where everyone may list',
    )
    expectStatus(
      await bogus.list(table('locked')),
      403,
      'a list with an invalid token where superusers may list',
    )
  }
  expectStatus(
    await api.withToken('garbage', 'bogus').create(table('locked'), { title: unique('unwritten') }),
    403,
    'a create with an invalid token where superusers may create',
  )
  const gone = await make(table('plain'), { title: unique('gone') })
  const bogus = api.withToken('garbage', 'bogus')
  expectStatus(
    await bogus.delete(table('plain'), gone.id),
    204,
    'a delete with an invalid token where everyone may delete',
  )
  expectStatus(await api.view(table('plain'), gone.id), 404, 'a view of the deleted record')
  expectSuccess(await api.as('superuser').list(table('locked')), 'a list with the token of a superuser')
})

check('rules.cascade-passes', async ({ api, table, make, unique }) => {
  const parent = await make(table('plain'), { title: unique('parent') })
  const child = await make(table('cascading'), { label: unique('child'), parent: parent.id })
  expectSuccess(await api.as('guest').delete(table('plain'), parent.id), 'a delete by a guest')
  const response = await api.view(table('cascading'), child.id)
  expectThat(
    response.status === 404,
    'a child record was not deleted with its parent',
    '404',
    response.status,
  )
})
