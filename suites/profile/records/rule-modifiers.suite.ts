/** What rules can see of a request by kind, modifier and path (standard profile, gap `rules.access`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess } from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { signedIn } from '../../shared/auth/sessions.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** A record with `seen` can be viewed, one with `unseen` cannot. */
async function showsOnly({ api, table, make, rejects }: CheckContext, seen: Body, unseen: Body, as = api) {
  const [open, shut] = [await make(table('referring'), seen), await make(table('referring'), unseen)]
  await rejects({
    control: () => as.view(table('referring'), open.id),
    attempt: () => as.view(table('referring'), shut.id),
    status: 404,
  })
  return { open, shut }
}

/** A create with each of `accepted` succeeds, one with each of `rejected` does not. */
async function takesOnly({ api, table, rejects }: CheckContext, accepted: Body[], rejected: Body[]) {
  for (const body of accepted) recordOf(await api.create(table('referring'), body))
  for (const body of rejected)
    await rejects({
      control: () => api.create(table('referring'), accepted[0] ?? {}),
      attempt: () => api.create(table('referring'), body),
      status: 400,
    })
}

check('rules.request-context', async (context) => {
  const { api, table, make } = context
  const { open, shut } = await showsOnly(context, { context: 'default' }, { context: 'expand' })
  for (const [parent, expected] of [
    [shut, { parent: shut }],
    [open, {}],
  ] as const) {
    const child = await make(table('referring'), { parent: parent.id })
    const { expand } = recordOf(await api.view(table('referring'), child.id, { expand: 'parent' }))
    expectEqual(expand, expected, `expand with a parent whose rule requires the context "${parent.context}"`)
  }
})

check('rules.batch-context', async ({ api, table, rejects }) => {
  const create = (context: string) => api.batch([subRequests(api).create(table('referring'), { context })])
  expectSuccess(await create('batch'), 'a batch that creates a record for batches')
  await rejects({ control: () => create('batch'), attempt: () => create('default'), status: 400 })
})

check('rules.request-method', async (context) => {
  const { api, table, rejects } = context
  const { open, shut } = await showsOnly(context, { method: 'GET' }, { method: 'PATCH' })
  await rejects({
    control: () => api.update(table('referring'), shut.id, { title: 'changed' }),
    attempt: () => api.update(table('referring'), open.id, { title: 'changed' }),
    status: 404,
  })
})

check('rules.batch-method', async ({ api, table, make, rejects }) => {
  const [patch, put] = [
    await make(table('referring'), { method: 'PATCH' }),
    await make(table('referring'), { method: 'PUT' }),
  ]
  const upsert = (id: string) => () =>
    api.batch([{ method: 'PUT', url: api.path.records(table('referring')), body: { id, title: 'changed' } }])
  expectSuccess(await upsert(patch.id)(), 'an upsert of a record for PATCH')
  await rejects({ control: upsert(patch.id), attempt: upsert(put.id), status: 400 })
})

check('rules.other-table', async (context) => {
  const { make, table, unique } = context
  const [code, none] = [unique('code'), unique('none')]
  for (const title of [unique('title'), code]) await make(table('plain'), { title })
  await showsOnly(context, { code }, { code: none })
})

check('rules.auth-relation', async (context) => {
  const { api, table, make, unique, rejects } = context
  const [mine, other] = [unique('mine'), unique('other')]
  const team = await make(table('related'), { name: mine })
  await make(table('related'), { name: other })
  const me = await signedIn(context, 'staff', { team: team.id })
  const { open } = await showsOnly(context, { team: mine }, { team: other }, me.api)
  const alone = await signedIn(context, 'staff')
  for (const { view } of [alone.api, api])
    await rejects({
      control: () => me.api.view(table('referring'), open.id),
      attempt: () => view(table('referring'), open.id),
      status: 404,
    })
})

check('rules.body-isset', async ({ api, table, make, rejects }) => {
  const { id } = await make(table('referring'), { frozen: 1 })
  for (const sent of [{ frozen: 2 }, { frozen: 1 }, { frozen: null }, { 'frozen+': 1 }])
    await rejects({
      control: () => api.update(table('referring'), id, { title: 'changed' }),
      attempt: () => api.update(table('referring'), id, { title: 'again', ...sent }),
      status: 404,
    })
})

check('rules.query-isset', async ({ api, table, make, rejects }) => {
  const remove = (id: string, query = '', headers: Record<string, string> = {}) =>
    api.raw({ method: 'DELETE', path: `${api.path.record(table('referring'), id)}${query}`, headers })
  for (const [query, headers] of [
    ['?sure=yes', {}],
    ['?sure=', {}],
    ['', { 'X-Sure': 'yes' }],
  ] as const) {
    const { id } = await make(table('referring'))
    expectSuccess(await remove(id, query, headers), `a delete with "${query}" and ${JSON.stringify(headers)}`)
  }
  const [gone, kept] = [await make(table('referring')), await make(table('referring'))]
  await rejects({
    control: () => remove(gone.id, '?sure=yes'),
    attempt: () => remove(kept.id, '?unsure=yes', { 'X-Unsure': 'yes' }),
    status: 404,
  })
})

check('rules.body-each', (context) =>
  takesOnly(context, [{ tags: ['a', 'b'] }, { tags: [] }, {}], [{ tags: ['c'] }, { tags: ['a', 'c'] }]),
)

check('rules.body-length', (context) =>
  takesOnly(context, [{ tags: ['a', 'b'] }, { tags: ['a', 'a', 'b'] }, {}], [{ tags: ['a', 'b', 'd'] }]),
)

check('rules.body-lower', (context) =>
  takesOnly(context, [{ word: 'open' }, {}], [{ word: 'secret' }, { word: 'SeCRET' }]),
)
