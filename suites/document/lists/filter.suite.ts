/** Filtered lists (document, sections 4.1 and 4.3), with nothing but equality. */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { expectForm } from '../../../harness/wire/expect-form.ts'
import { formHint } from '../../../harness/wire/query-text.ts'
import { isAboutBody } from '../../../spec/status-range.ts'
import { conditionRejected, equals, expectFilters, idsOf } from '../../shared/lists/shared-records.ts'
import { walk } from '../../shared/lists/walk.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { takesSameText } from '../../shared/records/takes-same-text.ts'
import { expectUpdatedEmailFollowed } from '../auth/expect-email-followed.ts'
import { expectLongToldApart } from './expect-long-told-apart.ts'
import { expectNarrowsByOthers } from './expect-narrows-by-others.ts'
import { expectOnceByEither } from './expect-once-by-either.ts'
import { expectUnusualFound } from './expect-unusual-found.ts'
import { expectUpdatedFound } from './expect-updated-found.ts'
import { type PageSize, pageSize } from './page-size.ts'

/** Titles where one is the beginning of another, and the end of a third. */
const titles = {
  whole: (mark: string) => mark,
  begins: (mark: string) => `${mark}-b`,
  ends: (mark: string) => `b-${mark}`,
}

type Kind = keyof typeof titles

/** Records whose titles are one of three, at random; gives the filter, the ids and the pages of each title. */
async function groups(context: CheckContext, kinds: readonly Kind[]) {
  expectForm(context, 'filter')
  const plain = context.table('plain')
  const mark = context.unique('group')
  const titled = (await takesSameText(context, 'plain')) ? kinds : [...new Set(kinds)]
  const made = await context.makeMany(
    plain,
    titled.map((kind) => ({ title: titles[kind](mark) })),
  )
  return [...new Set(kinds)].map((kind) => {
    const filter = equals(context, plain, 'title', titles[kind](mark))
    const request = (query: Query) => context.api.list(plain, { filter, ...query })
    const list = async (query: Query) => listOf(await request(query))
    const ids = idsOf(made.filter((_, index) => titled[index] === kind))
    return { filter, ids, request, pages: (query: Query) => walk(list, query, ids.length) }
  })
}

/**
 * The document does not say which fields a condition can be about. A server that rejects one on a text, and takes another one,
 * filters by other fields.
 *
 * @param id of a record of the table
 * @throws UntestableError if the server takes another condition
 */
async function expectNoOtherTaken(context: CheckContext, id: string, rejection: number): Promise<void> {
  const { api, hasTable, table } = context
  const plain = table('plain')
  const others: [of: TableRef, field: string, value: string][] = [[plain, 'id', id]]
  if (hasTable('related')) others.push([table('related'), 'parent', id], [table('related'), 'rank', '3'])
  for (const [of, field, value] of others) {
    if (!(await api.list(of, { filter: equals(context, of, field, value) })).ok) continue
    throw conditionRejected(plain, 'title', rejection)
  }
}

/** More of a few kinds where pages are large, so that one kind still fills more than a page. */
function enough(kinds: readonly Kind[], { size }: PageSize): readonly Kind[] {
  if (size <= 3) return kinds
  return kinds.slice(0, 2).flatMap((kind) => Array.from({ length: size + 1 }, () => kind))
}

const kinds = fc.array(fc.constantFrom('whole', 'begins', 'ends'), { minLength: 2, maxLength: 9 })

check('list.filter-narrows', (context) =>
  context.property(
    [kinds],
    async (all) => {
      for (const { filter, ids, request } of await groups(context, all)) {
        const response = await request({})
        if (isAboutBody(response.status)) await expectNoOtherTaken(context, ids[0] ?? '', response.status)
        // Pages, totals and page sizes are not judged here: most checks of lists build on this one alone.
        const { items } = listOf(response)
        const stranger = items.find(({ id }) => !ids.includes(id))
        expectThat(
          stranger === undefined,
          `a list with ${filter} contains a record that does not match (if filters have another form, ${formHint('filter')})`,
          'only matching records',
          stranger,
        )
        expectThat(
          items.length > 0,
          `a list with ${filter} contains no record`,
          `records: ${ids.length} match`,
          items,
        )
      }
    },
    { runs: 8 },
  ),
)

check('list.filter-all-pages', async (context) => {
  await expectFilters(context, context.table('plain'), 'title')
  await context.property(
    [kinds, fc.integer({ min: 1, max: 3 })],
    async (some, which) => {
      const given = await pageSize(context, which)
      for (const { filter, ids, pages } of await groups(context, enough(some, given))) {
        const shown: string[] = []
        for (const { page, perPage, totalItems, totalPages, items } of await pages({
          perPage: given.requested,
        })) {
          expectEqual(
            { totalItems, totalPages },
            { totalItems: ids.length, totalPages: Math.ceil(ids.length / perPage) },
            `the totals of the records that match ${filter}, on page ${page},`,
          )
          shown.push(...idsOf(items))
        }
        expectEqual(shown.sort(), ids.toSorted(), `the ids that match ${filter}, on all pages`)
      }
    },
    { runs: 7 },
  )
  await expectNarrowsByOthers(context)
  await expectOnceByEither(context)
  await expectUpdatedFound(context)
  await expectUpdatedEmailFollowed(context)
  await expectUnusualFound(context)
  await expectLongToldApart(context)
})
