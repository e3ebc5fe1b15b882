/** Filters through relations (standard profile, gap `filter.language`). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newId } from '../../shared/records/new-id.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { rejectsFilters, rejectsQueries } from './rejects-queries.ts'
import { chain } from './relation-chain.ts'
import { sample, sampleId } from './sample.ts'

/** Records of `everything` that point to x, to x and y, to y, and to none. x is below a parent. */
async function pointing(context: CheckContext) {
  const related = context.table('related')
  const names = { parent: context.unique('parent'), x: context.unique('x'), y: context.unique('y') }
  const parent = await context.make(related, { name: names.parent, rank: 7 })
  const x = await context.make(related, { name: names.x, rank: 1, parent: parent.id })
  const y = await context.make(related, { name: names.y, rank: 2 })
  const found = await sample(context, {
    onlyx: { relation: x.id, relations: [x.id] },
    both: { relation: y.id, relations: [x.id, y.id] },
    onlyy: { relations: [y.id] },
    none: {},
  })
  return { found, names, x: x.id, y: y.id }
}

check('filter.relation', async (context) => {
  const { found, names } = await pointing(context)
  await found.selects({
    [`relation.name = '${names.x}'`]: 'onlyx',
    'relation.rank > 1': 'both',
    [`relation.parent.name = '${names.parent}'`]: 'onlyx',
    'relation.parent.rank = 7 || relation.rank = 2': 'both onlyx',
    "relation.name = ''": 'none onlyy',
  })
})

check('filter.relation-id', async (context) => {
  const { found, x, y } = await pointing(context)
  await found.selects({
    [`relation.id = '${x}'`]: 'onlyx',
    [`relation = '${y}'`]: 'both',
    [`relation.id = '${y}'`]: 'both',
    "relation.id = ''": 'none onlyy',
  })
})

check('filter.relation-depth', async (context) => {
  const { table, ids, mark } = await chain(context, 8)
  const hops = (count: number) => `${'parent.'.repeat(count)}name = "${mark} 0"`
  for (const count of [1, 6]) {
    const { items } = listOf(await context.api.list(table, { filter: hops(count) }))
    expectEqual(
      items.map(({ id }) => id),
      [ids[count]],
      `the records ${count} relations below the first`,
    )
  }
  await rejectsQueries(context, table, { filter: hops(6) }, [{ filter: hops(7) }])
})

check('filter.back-relation', async (context) => {
  const { found, x, y } = await pointing(context)
  const related = context.table('related')
  const name = found.table.name
  const all = `(id = '${x}' || id = '${y}')`
  const cases: [string, string[]][] = [
    [`${name}_via_relations.id ?= '${sampleId(found, 'onlyx')}'`, [x]],
    [`${name}_via_relations.id ?= '${sampleId(found, 'both')}'`, [x, y]],
    [`${name}_via_relation.editor ?= '${found.mark}'`, [x, y]],
    [`${name}_via_relation.id = '${sampleId(found, 'both')}'`, [y]],
  ]
  for (const [filter, expected] of cases) {
    const { items } = listOf(await context.api.list(related, { filter: `${all} && ${filter}` }))
    expectEqual(items.map(({ id }) => id).sort(), expected.sort(), `what ${filter} selects`)
  }
})

check('filter.back-relation-end', (context) => {
  const { name } = context.table('everything')
  return rejectsQueries(
    context,
    context.table('related'),
    { filter: `${name}_via_relation.id != ''` },
    ['', ':length', ':each'].map((end) => ({ filter: `${name}_via_relation${end} != ''` })),
  )
})

check('filter.many-all', async (context) => {
  const { found, names } = await pointing(context)
  await found.selects({
    [`relations.name = '${names.x}'`]: 'onlyx',
    [`relations.name != '${names.x}'`]: 'none onlyy',
    'relations.rank > 0': 'both onlyx onlyy',
    'relations.rank > 1': 'onlyy',
  })
})

check('filter.many-any', async (context) => {
  const { found, names } = await pointing(context)
  await found.selects({
    [`relations.name ?= '${names.x}'`]: 'both onlyx',
    [`relations.name ?~ '${names.y.toUpperCase()}'`]: 'both onlyy',
    'relations.rank ?> 1': 'both onlyy',
    [`relations.parent.name ?= '${names.parent}'`]: 'both onlyx',
  })
})

check('filter.many-none', async (context) => {
  const { found, names } = await pointing(context)
  await found.selects({
    "relations.name = ''": 'none',
    [`relations.name ?= '${names.x}' || relations.name = null`]: 'both none onlyx',
    'relations.rank < 100': 'both onlyx onlyy',
  })
})

check('filter.many-same', async (context) => {
  const { found, names } = await pointing(context)
  await found.selects({
    [`relations.name ?= '${names.x}' && relations.rank ?= 1`]: 'both onlyx',
    [`relations.name ?= '${names.x}' && relations.name ?= '${names.y}'`]: '',
    [`relations.name ?= '${names.x}' || relations.name ?= '${names.y}'`]: 'both onlyx onlyy',
  })
})

check('filter.many-pairs', async (context) => {
  // Their names are values of `selects`: by their ids they are known as the run's own, so the server has to keep these.
  const related = context.table('related')
  const own = newId(context.unique)
  const { id: kept } = await context.make(related, { id: own, name: context.unique('own') })
  if (kept !== own)
    throw new BlockedError('an id that a client chooses is ignored, so the records could not be cleaned up')
  const [a, b] = await context.makeMany(related, [
    { id: newId(context.unique), name: 'a' },
    { id: newId(context.unique), name: 'b' },
  ])
  const ids = [a?.id, b?.id]
  const found = await sample(context, {
    same: { selects: ['a'], relations: [a?.id] },
    other: { selects: ['b', 'c'], relations: [a?.id] },
    some: { selects: ['a', 'b'], relations: ids },
    more: { selects: ['c', 'd'], relations: ids },
  })
  await found.selects({
    'selects:each = relations.name': 'same',
    'selects:each != relations.name': 'more other',
    'selects:each ?= relations.name': 'same some',
    'relations.name < selects:each': 'more other',
    'relations.name ?< selects:each': 'more other some',
  })
})

check('filter.unknown-field', (context) =>
  rejectsFilters(context, 'text = 1', [
    'nope = 1',
    'TEXT = 1',
    'text.x.y = 1',
    'relation.nope = 1',
    'conf_none_via_x.id = 1',
    'texts = 1',
  ]),
)

check('filter.reserved-name', (context) =>
  rejectsFilters(
    context,
    'id = 1',
    ['collectionId', 'collectionName', 'expand', '_rowid_', '@rowid'].map((name) => `${name} != ''`),
  ),
)
