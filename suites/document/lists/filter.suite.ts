/** Filtered lists (document, sections 4.1 and 4.3), with nothing but equality. */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { expectForm } from '../../../harness/wire/expect-form.ts'
import { formHint } from '../../../harness/wire/query-text.ts'
import { equals, idsOf } from '../../shared/lists/shared-records.ts'
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
    const list = async (query: Query) => listOf(await context.api.list(plain, { filter, ...query }))
    const ids = idsOf(made.filter((_, index) => titled[index] === kind))
    return { filter, ids, list, pages: (query: Query) => walk(list, query, ids.length) }
  })
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
      for (const { filter, ids, list } of await groups(context, all)) {
        // Pages, totals and page sizes are not judged here: most checks of lists build on this one alone.
        const { items } = await list({})
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
