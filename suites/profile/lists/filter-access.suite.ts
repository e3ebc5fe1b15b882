/** Which clients may filter by what, and how long a filter may be (standard profile, gap `filter.language`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { passwordBody } from '../../shared/auth/accounts.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { privateMembers } from './private-members.ts'
import { rejectsFilters, rejectsGuests } from './rejects-queries.ts'
import { sample, sampleId } from './sample.ts'

check('filter.restricted', (context) => {
  const { name } = context.table('everything')
  return rejectsGuests(
    context,
    context.table('everything'),
    [
      "@request.auth.id != ''",
      'text = @request.query.x',
      `@collection.${name}.text ?= text`,
      `number = 1 && (bool = true || @collection.${name}.id ?= id)`,
    ].map((filter) => ({ filter })),
    403,
  )
})

check('filter.other-table', async (context) => {
  const { api } = context
  const { select, mark, table } = await sample(context, { a: { text: 'x' }, b: { text: 'y' } })
  const ours = `@collection.${table.name}.editor ?= '${mark}'`
  const root = api.as('superuser')
  expectEqual(
    await select(`${ours} && @collection.${table.name}.text ?> text`, root),
    'a',
    'the records with one of greater text',
  )
  expectEqual(
    await select(`${ours} && @collection.${table.name}.text ?= 'none'`, root),
    '',
    'the records when no other has that text',
  )
})

check('filter.hidden-field', async (context) => {
  const secret = context.unique('secret')
  const { select, table } = await sample(context, { a: { secret }, b: {} }, 'hiding')
  expectEqual(
    await select(`secret = '${secret}'`, context.api.as('superuser')),
    'a',
    'the records that a superuser finds by a hidden field',
  )
  await rejectsGuests(
    context,
    table,
    [`secret = '${secret}'`, "secret != ''", "title = 'x' || secret ~ 's'", "secret:lower = 's'"].map(
      (filter) => ({ filter }),
    ),
  )
})

check('filter.hidden-relation', async (context) => {
  const related = await context.make(context.table('related'), { name: context.unique('name') })
  const { select, table } = await sample(context, { a: { hiddenRel: related.id }, b: {} }, 'hiding')
  expectEqual(
    await select(`hiddenRel = '${related.id}'`, context.api.as('superuser')),
    'a',
    'the records that a superuser finds by a hidden relation',
  )
  await rejectsGuests(
    context,
    table,
    [`hiddenRel = '${related.id}'`, `hiddenRel.id = '${related.id}'`, "hiddenRel.name != ''"].map(
      (filter) => ({ filter }),
    ),
  )
})

check('filter.closed-table', async (context) => {
  const title = context.unique('title')
  const locked = await context.make(context.table('locked'), { title })
  const { select, table } = await sample(context, { a: { closed: locked.id }, b: {} }, 'hiding')
  expectEqual(
    await select(`closed.title = '${title}'`, context.api.as('superuser')),
    'a',
    'the records that a superuser finds in a closed table',
  )
  await rejectsGuests(
    context,
    table,
    [`closed.title = '${title}'`, "closed.title ~ 'a'", "title = 'x' || closed.created > ''"].map(
      (filter) => ({ filter }),
    ),
  )
})

/** `open` and `shut` point to a record that the list rule of its table shows and to one that it does not. */
async function limited(context: CheckContext) {
  const title = context.unique('title')
  const ruled = (open: boolean) => context.make(context.table('ruled'), { title, public: open })
  const [open, shut] = [await ruled(true), await ruled(false)]
  return {
    title,
    ...(await sample(context, { open: { ruled: open.id }, shut: { ruled: shut.id } }, 'hiding')),
  }
}

check('filter.relation-rule', async (context) => {
  const { title, select } = await limited(context)
  const root = context.api.as('superuser')
  for (const filter of [
    `ruled.title = '${title}'`,
    "ruled.title = 'x' || title != ''",
    "ruled.title != 'x'",
  ]) {
    expectEqual(await select(filter, root), 'open shut', `the records that ${filter} selects for a superuser`)
    expectEqual(await select(filter), 'open', `the records that ${filter} selects for a guest`)
  }
})

check('filter.relation-rule-id', async (context) => {
  const { select } = await limited(context)
  const root = context.api.as('superuser')
  expectEqual(
    await select("ruled.id != ''", root),
    'open shut',
    'the records that a superuser finds by the id',
  )
  expectEqual(await select("ruled.id != ''"), 'open', 'the records that a guest finds by the id')
})

check('filter.private-email', async (context) => {
  const { table, filter, emails, ids } = await privateMembers(context, 2)
  const sendRequest = async (more: string, api = context.api) =>
    listOf(await api.list(table, { filter: `${filter} && ${more}` })).items.map(({ id }) => id)
  const open = await context.make(table, {
    email: `open-${emails[0]}`,
    emailVisibility: true,
    name: filter.split('"')[1],
    ...passwordBody(context, 'long enough 1'),
  })
  expectEqual(
    await sendRequest(`email = "${emails[0]}"`, context.api.as('superuser')),
    [ids[0]],
    'the records that a superuser finds by an address',
  )
  expectEqual(
    await sendRequest(`email = "open-${emails[0]}"`),
    [open.id],
    'the records that a guest finds by a visible address',
  )
  for (const condition of [
    `email = "${emails[0]}"`,
    `email ~ "${emails[1]}"`,
    'email != ""',
    'email > ""',
    'email:lower ~ "@"',
  ])
    expectEqual(
      (await sendRequest(condition)).filter((id) => id !== open.id),
      [],
      `the members with private addresses that a guest finds by ${condition}`,
    )
})

check('filter.password', async (context) => {
  const { api } = context
  const found = await sample(context, { with: { password: 'long enough 1' }, without: {} })
  expectEqual(
    await found.select("text = ''"),
    'with without',
    'the records that a filter on another field selects',
  )
  for (const filter of [
    "password != ''",
    "password = ''",
    "password ~ '$'",
    "password ~ '1'",
    "password = 'long enough 1'",
    "password > '$'",
  ]) {
    const response = await api.list(found.table, { filter: `${found.whole} && ${filter}` })
    if (response.status === 400 || response.status === 403) continue
    const ids = listOf(response).items.map(({ id }) => id)
    expectThat(
      ids.includes(sampleId(found, 'with')) === ids.includes(sampleId(found, 'without')),
      `${filter} distinguishes a record with a password from one without`,
      'both records or neither',
      ids,
    )
  }
})

check('filter.text-limit', async (context) => {
  const filled = (bytes: number, sign = 'x') => {
    const frame = "text = ''"
    const size = Buffer.byteLength(sign)
    const count = Math.floor((bytes - frame.length) / size)
    return `text = '${sign.repeat(count)}${'x'.repeat(bytes - frame.length - count * size)}'`
  }
  await accepts(context, filled(3500))
  await rejectsFilters(context, filled(3500), [filled(3501), filled(10_000)])
  await rejectsFilters(context, filled(3500, 'é'), [filled(3501, 'é'), filled(3600, '🐘')])
})

check('filter.comparison-limit', async (context) => {
  const many = (count: number) => Array.from({ length: count }, () => 'bool=1').join('||')
  await accepts(context, many(200))
  await rejectsFilters(context, many(200), [many(201), many(300), `(${many(150)})||(${many(51)})`])
})

async function accepts({ api, table }: CheckContext, filter: string): Promise<void> {
  expectSuccess(await api.list(table('everything'), { filter }), `a filter of ${filter.length} characters`)
}
