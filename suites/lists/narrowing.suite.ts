/** Filtered lists (document, sections 4.1 and 4.3), with nothing but equality. */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectEqual } from '../../harness/judging/expect.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { listOf } from '../records/record-of.ts'
import { equals, idsOf } from './pile.ts'

/** Records whose titles are one of three, at random; gives the filter and the ids of each title. */
async function groups(context: CheckContext, letters: readonly string[]) {
  const plain = context.table('plain')
  const mark = context.unique('group')
  const made = await context.makeMany(
    plain,
    letters.map((letter) => ({ title: `${mark}-${letter}` })),
  )
  return [...new Set(letters)].map((letter) => ({
    filter: equals(context, plain, 'title', `${mark}-${letter}`),
    ids: idsOf(made.filter((_, index) => letters[index] === letter)),
  }))
}

const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 9 })

check('list.filter-narrows', (context) =>
  context.property(
    [letters],
    async (all) => {
      for (const { filter, ids } of await groups(context, all)) {
        const { items } = listOf(await context.api.list(context.table('plain'), { filter }))
        expectEqual(idsOf(items).sort(), ids.toSorted(), `the ids that meet ${filter}`)
      }
    },
    { runs: 12 },
  ),
)

check('list.filter-all-pages', (context) =>
  context.property(
    [letters, fc.integer({ min: 1, max: 3 })],
    async (all, perPage) => {
      for (const { filter, ids } of await groups(context, all)) {
        const shown: string[] = []
        for (let page = 1; page <= Math.ceil(ids.length / perPage); page += 1) {
          const body = listOf(await context.api.list(context.table('plain'), { filter, perPage, page }))
          expectEqual(
            [body.totalItems, body.totalPages],
            [ids.length, Math.ceil(ids.length / perPage)],
            `the totals of what meets ${filter}, on page ${page},`,
          )
          shown.push(...idsOf(body.items))
        }
        expectEqual(shown.sort(), ids.toSorted(), `the ids that meet ${filter}, on all pages`)
      }
    },
    { runs: 10 },
  ),
)
