/** What may not be sorted by (standard profile, gap `sort.syntax`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { privateMembers } from './private-members.ts'
import { rejectsGuests, rejectsQueries } from './rejects-queries.ts'
import { sample } from './sample.ts'

const rejectsSorts = (context: CheckContext, control: string, attempts: readonly string[]) =>
  rejectsQueries(
    context,
    context.table('everything'),
    { sort: control },
    attempts.map((sort) => ({ sort })),
  )

check('sort.sign-malformed', (context) =>
  rejectsSorts(context, '-number', ['--number', '+-number', '-+number', '++number', 'number-', '!number']),
)

check('sort.key-empty', (context) =>
  rejectsSorts(context, 'number,text', ['number,', ',number', ',', '-', '+', 'number,,text', ' ']),
)

check('sort.unknown-field', (context) =>
  rejectsSorts(context, 'number', [
    'nope',
    'Number',
    'number.x.y',
    'relation.nope',
    'number desc',
    'number;text',
    'number:upper',
  ]),
)

check('sort.not-sortable', (context) =>
  rejectsSorts(context, 'id', [
    'collectionId',
    'collectionName',
    'expand',
    '@now',
    '@x.auth.id',
    'null',
    'true',
    '1',
    "'id'",
    "strftime('%Y', date)",
  ]),
)

check('sort.key-limit', async (context) => {
  const eight = ['id', 'text', '-number', 'bool', 'date', 'select', 'email', 'url']
  const sort = eight.join(',')
  expectSuccess(await context.api.list(context.table('everything'), { sort }), 'a list by eight keys')
  await rejectsSorts(context, sort, [`${sort},editor`, `${sort},${sort}`])
})

check('sort.key-length', (context) => {
  const key = (length: number) => `json.${'a'.repeat(length - 'json.'.length)}`
  return rejectsSorts(context, key(255), [key(256), `text,${key(300)}`])
})

check('sort.hidden-field', async (context) => {
  const root = context.api.as('superuser')
  const { table, whole, sendRequest } = await sample(
    context,
    { b: { secret: 'b' }, a: { secret: 'a' } },
    'hiding',
  )
  expectEqual(
    await sendRequest({ filter: whole, sort: 'secret' }, root),
    'a b',
    'the order by a hidden field as a superuser sees it',
  )
  await rejectsGuests(
    context,
    table,
    ['secret', '-secret', 'title,secret', 'secret:lower', 'hiddenRel'].map((sort) => ({ sort })),
  )
})

check('sort.closed-table', async (context) => {
  const [b, a] = await context.makeMany(context.table('locked'), [
    { title: context.unique('b') },
    { title: context.unique('a') },
  ])
  const { table, whole, sendRequest } = await sample(
    context,
    { tob: { closed: b?.id }, toa: { closed: a?.id } },
    'hiding',
  )
  expectEqual(
    await sendRequest({ filter: whole, sort: 'closed.title' }, context.api.as('superuser')),
    'toa tob',
    'the order by a closed table as a superuser sees it',
  )
  await rejectsGuests(
    context,
    table,
    ['closed.title', '-closed.created', 'title,closed.title'].map((sort) => ({ sort })),
  )
})

check('sort.private-email', async (context) => {
  const { table, filter, ids, emails } = await privateMembers(context, 6)
  const byEmail = ids
    .map((id, index) => ({ id, email: emails[index] ?? '' }))
    .sort((x, y) => (x.email < y.email ? -1 : 1))
    .map(({ id }) => id)
  const root = listOf(await context.api.as('superuser').list(table, { filter, sort: 'email' }))
  expectEqual(
    root.items.map(({ id }) => id),
    byEmail,
    'the order by email as a superuser sees it',
  )
  for (const [sort, order] of [
    ['email', byEmail],
    ['-email', byEmail.toReversed()],
    ['email:lower', byEmail],
  ] as const) {
    const response = await context.api.list(table, { filter, sort })
    if (response.status === 400 || response.status === 403) continue
    const found = listOf(response).items.map(({ id }) => id)
    expectThat(
      found.join() !== order.join(),
      `sort=${sort} puts members in the order of addresses that are not visible`,
      'another order',
      found,
    )
  }
})

check('sort.relation-rule', async (context) => {
  const { make, table, unique } = context
  const open = await make(table('ruled'), { title: unique('b'), public: true })
  const first = await make(table('ruled'), { title: unique('a'), public: true })
  const shut = await make(table('ruled'), { title: unique('c'), public: false })
  const { whole: filter, sendRequest } = await sample(
    context,
    { open: { ruled: open.id }, shut: { ruled: shut.id }, first: { ruled: first.id } },
    'hiding',
  )
  const sort = 'ruled.title'
  expectEqual(
    await sendRequest({ filter, sort }, context.api.as('superuser')),
    'first open shut',
    'the order through the rule, for a superuser',
  )
  expectEqual(await sendRequest({ filter, sort }), 'first open', 'the order through the rule, for a guest')
})

check('sort.password', async (context) => {
  const bodies = Object.fromEntries(
    [...'abcdef'].map((name, index) => [name, index % 2 === 0 ? {} : { password: 'long enough 1' }]),
  )
  const { table, whole: filter, sendRequest } = await sample(context, bodies)
  expectEqual(await sendRequest({ filter, sort: '-@rowid' }), 'f e d c b a', 'the order by another key')
  for (const sort of ['password', '-password']) {
    const response = await context.api.list(table, { filter, sort })
    if (response.status === 400 || response.status === 403) continue
    const order = await sendRequest({ filter, sort })
    const with_ = [...order.replaceAll(' ', '')].map((name) => 'bdf'.includes(name)).join()
    const parted = [true, true, true, false, false, false]
    expectThat(
      ![parted.join(), parted.toReversed().join()].includes(with_),
      `sort=${sort} separates records with a password from those without`,
      'another order',
      order,
    )
  }
})
