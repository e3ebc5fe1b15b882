/** Related records under `expand` (standard profile, gap `expand.syntax`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount } from '../../shared/auth/accounts.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { chain } from './relation-chain.ts'
import { type ListSample, sample } from './sample.ts'

/** What `expand.depth` reads of a record. */
interface Expanded {
  id?: unknown
  expand?: { parent?: Expanded | null }
}

interface Relations extends ListSample {
  x: WireRecord
  y: WireRecord
  parent: WireRecord
  /** What `expand` of each record holds, by name, for one value of the parameter. */
  expanded(expand: string): Promise<Record<string, unknown>>
}

/** `full` points to x (which has a parent), and to y and x; `none` to nothing. */
async function relations(context: CheckContext): Promise<Relations> {
  const related = context.table('related')
  const parent = await context.make(related, { name: context.unique('parent') })
  const x = await context.make(related, { name: context.unique('x'), rank: 1, parent: parent.id })
  const y = await context.make(related, { name: context.unique('y'), rank: 2 })
  const found = await sample(context, { full: { relation: x.id, relations: [y.id, x.id] }, none: {} })
  return {
    ...found,
    x,
    y,
    parent,
    async expanded(expand) {
      const { items } = listOf(await context.api.list(found.table, { filter: found.whole, expand }))
      expectEqual(items.length, 2, 'the number of records')
      const by = (name: string) => items.find(({ id }) => id === found.records[name]?.id)?.expand
      return { full: by('full'), none: by('none') }
    },
  }
}

check('expand.single', async (context) => {
  const { expanded, x } = await relations(context)
  const { full } = await expanded('relation')
  expectEqual(full, { relation: x }, 'expand of the record that points to x')
})

check('expand.multiple', async (context) => {
  const { expanded, x, y } = await relations(context)
  expectEqual(
    (await expanded('relations')).full,
    { relations: [y, x] },
    'expand of the record that points to y and x',
  )
})

check('expand.several', async (context) => {
  const { expanded, x, y, parent } = await relations(context)
  const both = { relation: x, relations: [y, x] }
  for (const expand of [
    'relation,relations',
    'relations,relation',
    ' relation , relations ',
    're lation,rela tions',
  ])
    expectEqual((await expanded(expand)).full, both, `expand with "${expand}"`)
  const nested = { relation: { ...x, expand: { parent } }, relations: [y, x] }
  expectEqual(
    (await expanded('relation.parent,relations')).full,
    nested,
    'expand with relation.parent,relations',
  )
})

check('expand.nested', async (context) => {
  const { expanded, x, y, parent } = await relations(context)
  const inner = { ...x, expand: { parent } }
  expectEqual((await expanded('relation.parent')).full, { relation: inner }, 'expand with relation.parent')
  const { full } = await expanded('relations.parent')
  const list = (full as { relations?: unknown } | undefined)?.relations
  expectEqual(
    Array.isArray(list) ? list.map((record: { id?: unknown } | null) => record?.id) : list,
    [y.id, x.id],
    'the ids under expand.relations',
  )
  expectEqual(Array.isArray(list) ? list[1] : list, inner, 'the second record under expand.relations')
})

check('expand.back-relation', async (context) => {
  const { x, y, records, table } = await relations(context)
  for (const name of [table.name, table.name.toUpperCase()]) {
    const key = `${name}_via_relations`
    const { expand } = recordOf(await context.api.view(context.table('related'), x.id, { expand: key }))
    expectEqual(expand, { [key]: [records.full] }, `expand with ${key}`)
  }
  const both = `${table.name}_via_relations.relation,${table.name}_via_relation`
  const viewed = recordOf(await context.api.view(context.table('related'), y.id, { expand: both }))
  expectEqual(
    (viewed.expand as Record<string, unknown> | undefined)?.[`${table.name}_via_relations`],
    [{ ...records.full, expand: { relation: x } }],
    'the records that point to y, with what they point to',
  )
})

check('expand.back-relation-one', async (context) => {
  const { table, make, api } = context
  const related = await make(table('related'), { name: context.unique('name') })
  const key = `${table('unique').name}_via_twin`
  const sendRequest = async () => [
    recordOf(await api.view(table('related'), related.id, { expand: key })).expand,
    listOf(await api.list(table('related'), { filter: `id = "${related.id}"`, expand: key })).items[0]
      ?.expand,
  ]
  expectEqual(await sendRequest(), [{}, {}], 'expand while no record points here')
  const twin = await make(table('unique'), { twin: related.id })
  expectEqual(await sendRequest(), [{ [key]: twin }, { [key]: twin }], 'expand when one points here')
})

check('expand.back-relation-old', async (context) => {
  const { x, records, table } = await relations(context)
  const view = async (expand: string) =>
    Object.values(recordOf(await context.api.view(context.table('related'), x.id, { expand })).expand ?? {})
  expectEqual(await view(`${table.name}_via_relations`), [[records.full]], 'the expansion of the usual form')
  expectEqual(await view(`${table.name}(relations)`), [[records.full]], 'the expansion of the older form')
})

check('expand.view', async (context) => {
  const { table, records, x, y, expanded } = await relations(context)
  const expand = 'relation,relations'
  const viewed = recordOf(await context.api.view(table, records.full?.id ?? '', { expand }))
  expectEqual(viewed, { ...records.full, expand: { relation: x, relations: [y, x] } }, 'the viewed record')
  expectEqual(viewed.expand, (await expanded(expand)).full, 'expand of the viewed record')
  if (context.hasTable('owned') && context.hasTable('members') && context.knows('superuser'))
    await expectOwnersAsViewed(context)
})

/** Accounts that differ from each other in everything: lists and expansions show them as views do. */
async function expectOwnersAsViewed(context: CheckContext): Promise<void> {
  const [members, owned] = [context.table('members'), context.table('owned')]
  const root = context.api.as('superuser')
  for (const yes of [true, false]) {
    const flags = { verified: yes, emailVisibility: yes, name: context.unique('name') }
    const { id } = await newAccount(context, 'members', flags)
    const shown = recordOf(await root.view(members, id))
    const { items } = listOf(await root.list(members, { filter: `id = "${id}"` }))
    expectEqual(items, [shown], 'the items of a list of the account')
    const theirs = await context.make(owned, { title: context.unique('owned'), owner: id })
    const { expand } = recordOf(await root.view(owned, theirs.id, { expand: 'owner' }))
    expectEqual(expand, { owner: shown }, 'expand of a record of the account')
  }
}

check('expand.writes', async (context) => {
  const { table, x, y } = await relations(context)
  const created = recordOf(await context.api.create(table, { relation: x.id }, { expand: 'relation' }))
  expectEqual(created.expand, { relation: x }, 'expand of the created record')
  const updated = recordOf(
    await context.api.update(table, created.id, { relation: y.id }, { expand: 'relation' }),
  )
  expectEqual(updated.expand, { relation: y }, 'expand of the updated record')
  expectEqual(recordOf(await context.api.view(table, created.id)).relation, y.id, 'relation in a view')
})

check('expand.unknown', async (context) => {
  const { expanded, table, records, x } = await relations(context)
  expectEqual((await expanded('relation,nope')).full, { relation: x }, 'expand with relation,nope')
  for (const expand of [
    'nope',
    'text',
    'Relation',
    'relation.nope',
    'conf_none_via_x',
    '.',
    ',',
    '..',
    'relation..parent',
    '@request.auth',
    '%',
    '(',
  ]) {
    const response = await context.api.view(table, records.full?.id ?? '', { expand })
    expectSuccess(response, `a view with expand=${expand}`)
    expectThat(
      recordOf(response).id === records.full?.id,
      `a view with expand=${expand} shows another record`,
      String(records.full?.id),
      response.body,
    )
  }
})

check('expand.empty', async (context) => {
  const { expanded, x } = await relations(context)
  expectEqual(
    await expanded('relation'),
    { full: { relation: x }, none: {} },
    'expand by record, with relation',
  )
  expectEqual((await expanded('relations')).none, {}, 'expand of a record without relations')
})

check('expand.absent', async (context) => {
  const { expanded, table, records, x } = await relations(context)
  expectEqual((await expanded('relation')).full, { relation: x }, 'expand with relation')
  for (const query of [{}, { expand: '' }, { expand: 'nope' }]) {
    const viewed = recordOf(await context.api.view(table, records.full?.id ?? '', query))
    expectEqual(viewed, records.full, `the record with ${JSON.stringify(query)}`)
  }
})

check('expand.depth', async (context) => {
  const { table, ids } = await chain(context, 9)
  const last = ids.at(-1) ?? ''
  const depthOf = async (levels: number) => {
    let here: Expanded | null | undefined = recordOf(
      await context.api.view(table, last, {
        expand: Array.from({ length: levels }, () => 'parent').join('.'),
      }),
    )
    const seen: unknown[] = []
    for (;;) {
      here = here?.expand?.parent
      if (here === undefined || here === null) return seen
      seen.push(here.id)
    }
  }
  const above = ids.toReversed().slice(1)
  for (const levels of [1, 5, 6])
    expectEqual(await depthOf(levels), above.slice(0, levels), `the records above with ${levels} levels`)
  expectEqual(await depthOf(7), above.slice(0, 6), 'the records above with 7 levels')
})

check('expand.merged', async (context) => {
  const { expanded, x, parent } = await relations(context)
  expectEqual((await expanded('relation,relation')).full, { relation: x }, 'expand with relation,relation')
  const inner = { relation: { ...x, expand: { parent } } }
  for (const expand of [
    'relation,relation.parent',
    'relation.parent,relation',
    'relation.parent,relation.parent',
  ])
    expectEqual((await expanded(expand)).full, inner, `expand with ${expand}`)
})
