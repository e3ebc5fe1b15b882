/** Totals that are skipped, and parameters in addition to the known ones (standard profile, gap `list.paging`). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { spelledQuery } from '../spelled-query.ts'
import { rawList } from './raw-list.ts'
import { rejectsQueries } from './rejects-queries.ts'
import { sample } from './sample.ts'

const three = (context: CheckContext) => sample(context, { a: {}, b: {}, c: {} }, 'plain')

check('list.skip-total', async (context) => {
  const { table, records } = await sample(context, { a: {}, b: {}, c: {}, d: {}, e: {} }, 'plain')
  await context.property(
    [
      fc.subarray(Object.values(records).map(({ id }) => id)),
      fc.constantFrom('id', '-id', '@rowid', '-created,id'),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
    ],
    async (ids, sort, perPage, page) => {
      const filter = ['none', ...ids].map((id) => `id = "${id}"`).join(' || ')
      const query = { filter, sort, perPage, page }
      const counted = listOf(await context.api.list(table, query))
      expectEqual(
        [counted.totalItems, counted.totalPages, counted.items.length],
        [
          ids.length,
          Math.ceil(ids.length / perPage),
          Math.min(perPage, Math.max(0, ids.length - (page - 1) * perPage)),
        ],
        'totals and items with totals',
      )
      const skipped = listOf(await context.api.list(table, { ...query, skipTotal: true }))
      expectEqual(skipped, { ...counted, totalItems: -1, totalPages: -1 }, 'the list with skipTotal')
    },
    { runs: 9 },
  )
})

check('list.skip-total-values', async (context) => {
  const { table, whole: filter } = await three(context)
  const spellings: [number, string[]][] = [
    [-1, ['1', 't', 'T', 'true', 'True', 'TRUE']],
    [3, ['0', 'f', 'F', 'false', 'False', 'FALSE']],
  ]
  for (const [total, values] of spellings)
    for (const skipTotal of values)
      expectEqual(
        listOf(await context.api.list(table, { filter, skipTotal })).totalItems,
        total,
        `totalItems with skipTotal=${skipTotal}`,
      )
})

check('list.skip-total-malformed', (context) =>
  rejectsQueries(
    context,
    context.table('plain'),
    { skipTotal: '1' },
    ['yes', 'on', '2', 'tRUE', ' true'].map((skipTotal) => ({ skipTotal })),
  ),
)

check('list.unknown-parameter', async (context) => {
  const { table, whole: filter } = await three(context)
  const usual = listOf(await rawList(context, table, { filter, sort: 'id' }))
  expectEqual(usual.items.length, 3, 'the number of items without unknown parameters')
  const unknown = { conf_unknown: 'x', limit: 1, offset: 1, 'a[b]': '' }
  expectEqual(
    listOf(await rawList(context, table, { filter, sort: 'id', ...unknown })),
    usual,
    'the list with unknown parameters',
  )
})

check('list.parameter-case', async (context) => {
  const { table, whole: filter } = await three(context)
  const usual = listOf(await rawList(context, table, { filter, sort: 'id', perPage: 2 }))
  expectEqual([usual.page, usual.items.length], [1, 2], 'page and the number of items with perPage 2')
  for (const other of [
    { PAGE: 2 },
    { PerPage: 1 },
    { Filter: 'nope = 1' },
    { SORT: 'nope' },
    { skiptotal: true },
  ]) {
    const body = listOf(await rawList(context, table, { filter, sort: 'id', perPage: 2, ...other }))
    expectEqual(body, usual, `the list with ${JSON.stringify(other)}`)
  }
})

check('list.repeated-parameter', async (context) => {
  const { api } = context
  const { table, whole } = await three(context)
  const filter = encodeURIComponent(whole)
  const sendRequest = async (...pairs: [string, string | number][]) =>
    listOf(
      await api.raw({
        method: 'GET',
        path: `${api.path.records(table)}?${spelledQuery(context, ['filter', filter], ['sort', 'id'], ['perPage', 2], ...pairs)}`,
        operation: 'listRecords',
      }),
    )
  const [first, second] = [await sendRequest(['page', 1]), await sendRequest(['page', 2])]
  expectEqual([first.items.length, second.items.length], [2, 1], 'the number of items on pages 1 and 2')
  expectEqual(await sendRequest(['page', 1], ['page', 2]), first, 'the list with pages 1 and 2')
  expectEqual(await sendRequest(['perPage', 1], ['page', 2]), second, 'the list with page sizes 2 and 1')
  expectEqual(await sendRequest(['page', 2], ['filter', 'nope']), second, 'the list with a second filter')
})

check('list.joins-count-once', async (context) => {
  const name = context.unique('x')
  const [x, y, z] = await context.makeMany(context.table('related'), [
    { name },
    { name },
    { name: context.unique('y') },
  ])
  const { table, whole, sendRequest } = await sample(context, {
    a: { relations: [x?.id, y?.id, z?.id] },
    b: { relations: [x?.id] },
    c: {},
  })
  const query = { filter: `${whole} && relations.name ?= "${name}"`, sort: 'id' }
  expectEqual(
    (await sendRequest(query)).split(' ').sort(),
    ['a', 'b'],
    'the records that a filter through a list of relations selects',
  )
  const { totalItems, totalPages } = listOf(await context.api.list(table, { ...query, perPage: 1 }))
  expectEqual([totalItems, totalPages], [2, 2], 'totalItems and totalPages with that filter')
})
