/** What rules can see of a request (standard profile, gap `rules.access`). */

import { check } from '../../../harness/check.ts'
import { expectEqual } from '../../../harness/judging/expect.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { signedInMember } from './member.ts'

check('rules.request-auth', async (context) => {
  const { api, table, make, rejects, unique } = context
  const me = await signedInMember(context)
  const mine = await make(table('owned'), { title: unique('title'), owner: me.record.id })
  await rejects({
    control: () => me.api.view(table('owned'), mine.id),
    attempt: () => api.view(table('owned'), mine.id),
    status: 404,
  })
  const nobodys = await make(table('owned'), { title: unique('title') })
  await rejects({
    control: () => me.api.view(table('owned'), mine.id),
    attempt: () => api.view(table('owned'), nobodys.id),
    status: 404,
  })
})

check('rules.request-headers', async ({ api, table, make, rejects, unique }) => {
  const { id } = await make(table('ruled'), { title: unique('title'), public: false })
  const viewWith = (headers: Record<string, string>) =>
    api.raw({ method: 'GET', path: api.path.record(table('ruled'), id), headers })
  const others: Record<string, string>[] = [{ 'X-Conf': 'closed' }, { 'X-Other': 'open' }]
  for (const wrong of others) {
    await rejects({
      control: () => viewWith({ 'X-Conf': 'open' }),
      attempt: () => viewWith(wrong),
      status: 404,
    })
  }
})

check('rules.request-query', async ({ api, table, make, rejects, unique }) => {
  const { id } = await make(table('ruled'), { title: unique('title') })
  const other = await make(table('ruled'), { title: unique('title') })
  const remove = (of: string, query: string) =>
    api.raw({ method: 'DELETE', path: `${api.path.record(table('ruled'), of)}?${query}` })
  await rejects({
    control: () => remove(other.id, 'sure=yes'),
    attempt: () => remove(id, 'sure=no'),
    status: 404,
  })
  recordOf(await api.as('superuser').view(table('ruled'), id), 'a view after the rejected delete')
})

check('rules.request-body', async ({ api, table, rejects, unique }) => {
  const title = unique('title')
  // `"4"` becomes the number 4 and `"abc"` the number 0 before the rule looks at them.
  await rejects({
    control: () => api.create(table('ruled'), { title, level: 'abc' }),
    attempt: () => api.create(table('ruled'), { title, level: '4' }),
    status: 400,
  })
})

check('rules.body-relation', async (context) => {
  const { api, table, rejects, unique } = context
  const [me, other] = [await signedInMember(context), await signedInMember(context)]
  const title = unique('title')
  const mine = { title, owner: me.record.id }
  const control = () => me.api.create(table('owned'), mine)
  await rejects({
    control,
    attempt: () => me.api.create(table('owned'), { title, owner: other.record.id }),
    status: 400,
  })
  await rejects({ control, attempt: () => me.api.create(table('owned'), { title }), status: 400 })
  await rejects({ control, attempt: () => api.create(table('owned'), mine), status: 400 })
})

check('rules.body-changed', async ({ api, table, make, rejects, unique }) => {
  const { id } = await make(table('ruled'), { title: unique('title'), public: true, level: 1 })
  await rejects({
    control: () => api.update(table('ruled'), id, { title: 'same level', level: 1 }),
    attempt: () => api.update(table('ruled'), id, { title: 'other level', level: 2 }),
    status: 404,
  })
  const viewed = recordOf(await api.view(table('ruled'), id))
  expectEqual([viewed.title, viewed.level], ['same level', 1], 'title and level after a rejected update')
})

check('rules.body-modifier', async ({ api, table, make, rejects, unique }) => {
  const { id } = await make(table('ruled'), { title: unique('title'), public: true, level: 1 })
  await rejects({
    control: () => api.update(table('ruled'), id, { 'level+': 0 }),
    attempt: () => api.update(table('ruled'), id, { 'level+': 1 }),
    status: 404,
  })
  expectEqual(recordOf(await api.view(table('ruled'), id)).level, 1, 'level after a rejected update')
})
