/** Pages and their sizes (standard profile, gap `list.paging`). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus, expectThat, objectBody } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { entriesOf, entryRecord, subRequests } from '../../shared/batch/entries.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { rawList } from './raw-list.ts'
import { rejectsQueries } from './rejects-queries.ts'

/** `count` records of `plain` with one title; gives the filter that selects them. */
async function titled(
  { table, makeMany, unique }: CheckContext,
  count: number,
): Promise<{ plain: TableRef; filter: string }> {
  const title = unique('title')
  await makeMany(
    table('plain'),
    Array.from({ length: count }, () => ({ title })),
  )
  return { plain: table('plain'), filter: `title = "${title}"` }
}

/** More than a page of the default size, for checks that only read them. */
function moreThanAPage(context: CheckContext): Promise<{ plain: TableRef; filter: string }> {
  return context.once('more than a page', () => titled(context, 31))
}

/** What a list says about its page for each query, and that it is that page: the first, of the size it says. */
async function expectEchoes(
  context: CheckContext,
  key: 'page' | 'perPage',
  cases: readonly [Query, number][],
): Promise<void> {
  const { plain, filter } = await moreThanAPage(context)
  for (const [query, echo] of cases) {
    const body = listOf(await rawList(context, plain, { filter, ...query }))
    expectEqual(body[key], echo, `${key} of a list with ${JSON.stringify(query)}`)
    expectEqual(
      body.items.length,
      Math.min(31, body.perPage),
      `the number of items with ${JSON.stringify(query)}`,
    )
  }
}

check('list.default-page', (context) =>
  expectEchoes(context, 'page', [
    [{}, 1],
    [{ perPage: 5 }, 1],
  ]),
)

check('list.default-per-page', async (context) => {
  const { plain, filter } = await moreThanAPage(context)
  const first = listOf(await context.api.list(plain, { filter }))
  expectEqual([first.perPage, first.items.length], [30, 30], 'perPage and the number of items of page 1')
  const second = listOf(await context.api.list(plain, { filter, page: 2 }))
  expectEqual([second.perPage, second.items.length], [30, 1], 'perPage and the number of items of page 2')
})

check('list.blank-parameters', async (context) => {
  const { api } = context
  const { plain, filter } = await titled(context, 3)
  const usual = listOf(await rawList(context, plain, { filter }))
  expectEqual(usual.items.length, 3, 'the number of items of the list without blank parameters')
  for (const name of ['page', 'perPage', 'sort', 'skipTotal', 'expand', 'fields'])
    expectEqual(
      listOf(await rawList(context, plain, { filter, [name]: '' })),
      usual,
      `the list with a blank ${name}`,
    )
  const whole = listOf(await api.list(plain, { filter: '', perPage: 1 }))
  expectThat(whole.totalItems >= 3, 'a blank filter excludes records', 'at least 3', whole.totalItems)
})

check('list.page-below-one', (context) =>
  expectEchoes(context, 'page', [
    [{ page: 0 }, 1],
    [{ page: -1 }, 1],
    [{ page: -1000 }, 1],
  ]),
)

check('list.per-page-below-one', async (context) => {
  await expectEchoes(context, 'perPage', [
    [{ perPage: 0 }, 30],
    [{ perPage: -1 }, 30],
    [{ perPage: -1000 }, 30],
  ])
  await context.property(
    [fc.integer({ min: -1_000_000, max: 0 })],
    (perPage) => expectEchoes(context, 'perPage', [[{ perPage }, 30]]),
    { runs: 5 },
  )
})

check('list.per-page-cap', async (context) => {
  await expectEchoes(context, 'perPage', [
    [{ perPage: 1000 }, 1000],
    [{ perPage: 1001 }, 1000],
    [{ perPage: 1_000_000 }, 1000],
  ])
  await context.property(
    [fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1_000_000 }))],
    (perPage) => expectEchoes(context, 'perPage', [[{ perPage }, Math.min(perPage, 1000)]]),
    { runs: 9 },
  )
  if (context.has('batch')) await expectLongPage(context)
})

/** Entries of a batch, and batches: together more than two hundred records on one page. */
const [ENTRIES, BATCHES] = [50, 5]

async function expectLongPage({ api, table, unique }: CheckContext): Promise<void> {
  const plain = table('plain')
  const title = unique('long')
  const { create } = subRequests(api)
  const ids: string[] = []
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const entries = entriesOf(
      await api.batch(Array.from({ length: ENTRIES }, () => create(plain, { title }))),
    )
    ids.push(...entries.map((_, at) => entryRecord(entries, at).id))
  }
  const page = listOf(await api.list(plain, { filter: `title = "${title}"`, perPage: 1000, sort: 'id' }))
  expectEqual(
    page.items.map(({ id }) => id),
    ids.sort(),
    'the ids on a page of 250 records',
  )
  const titles = new Set(page.items.map((item) => item.title))
  expectEqual([...titles], [title], 'the titles on a page of 250 records')
  expectEqual([page.totalItems, page.totalPages], [ids.length, 1], 'the totals of 250 records on one page')
}

check('list.signed-number', async (context) => {
  await expectEchoes(context, 'page', [[{ page: '+1' }, 1]])
  await expectEchoes(context, 'perPage', [[{ perPage: '+7' }, 7]])
})

const noWholeNumbers = ['x', '1.5', ' 1', '1 ', '1e3', '0x1', 'null', '99999999999999999999']

for (const name of ['page', 'perPage'] as const) {
  check(name === 'page' ? 'list.page-malformed' : 'list.per-page-malformed', (context) =>
    rejectsQueries(
      context,
      context.table('plain'),
      { [name]: '1' },
      noWholeNumbers.map((value) => ({ [name]: value })),
    ),
  )
}

check('list.page-past-end', async (context) => {
  const { plain, filter } = await titled(context, 3)
  for (const page of [3, 100]) {
    const response = await context.api.list(plain, { filter, perPage: 2, page })
    expectStatus(response, 200, `a list with page ${page}`)
    const { page: echo, perPage, totalItems, totalPages, items } = listOf(response)
    expectEqual(
      { echo, perPage, totalItems, totalPages, items },
      { echo: page, perPage: 2, totalItems: 3, totalPages: 2, items: [] },
      `page ${page}`,
    )
  }
})

check('list.page-huge', async (context) => {
  const { plain, filter } = await titled(context, 3)
  expectEqual(
    listOf(await context.api.list(plain, { filter, perPage: 2 })).items.length,
    2,
    'the number of items on page 1',
  )
  for (const page of ['9223372036854775807', '4611686018427387904', '9007199254740993']) {
    const response = await context.api.list(plain, { filter, perPage: 2, page })
    if (response.status !== 400) expectEqual(listOf(response).items, [], `the items of page ${page}`)
  }
})

check('list.no-match', async (context) => {
  const { plain, filter } = await titled(context, 1)
  expectEqual(listOf(await context.api.list(plain, { filter })).totalItems, 1, 'totalItems where one matches')
  const { totalItems, totalPages, items } = listOf(
    await context.api.list(plain, { filter: `${filter} && id = "none"` }),
  )
  expectEqual(
    { totalItems, totalPages, items },
    { totalItems: 0, totalPages: 0, items: [] },
    'a list without matches',
  )
})

check('list.refusal-envelope', async (context) => {
  const { plain } = await titled(context, 1)
  for (const attempt of [
    { page: 'x' },
    { perPage: 'x' },
    { sort: 'nope' },
    { filter: 'nope = 1' },
    { skipTotal: 'yes' },
  ]) {
    const response = await context.rejects({
      control: () => context.api.list(plain),
      attempt: () => rawList(context, plain, attempt),
      status: 400,
    })
    const { status, message, data } = objectBody(response)
    expectEqual(
      { status, data },
      { status: 400, data: {} },
      `status and data of the error response to ${JSON.stringify(attempt)}`,
    )
    expectThat(
      typeof message === 'string' && message !== '',
      'an error response has no message',
      'a string',
      message,
    )
  }
})
