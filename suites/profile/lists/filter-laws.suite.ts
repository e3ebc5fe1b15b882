/**
 * What must hold between filters, whatever they say, and what they must mean by our own account of the language
 * (standard profile, gap `filter.language`). Records and expressions are random.
 */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import {
  expressions,
  independentExpressions,
  oracleValues,
  reversibleComparisons,
  reversibleExpressions,
} from '../../oracle/arbitraries.ts'
import { evaluate } from '../../oracle/evaluate.ts'
import { type Expression, type OracleValues, opposite } from '../../oracle/expression.ts'
import { print } from '../../oracle/print.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { sample } from './sample.ts'

const sets = fc.array(oracleValues, { minLength: 3, maxLength: 8 })
const several = fc.array(expressions, { minLength: 2, maxLength: 6 })
const independent = fc.array(independentExpressions, { minLength: 2, maxLength: 6 })

interface Selection {
  all: string[]
  of(filter: string): Promise<string[]>
}

/** Makes the records and gives the indexes of those that a filter selects. */
async function recordsOf(context: CheckContext, set: readonly OracleValues[]): Promise<Selection> {
  const { select, sendRequest, whole } = await sample(
    context,
    Object.fromEntries(set.map((each, index) => [String(index), { ...each }])),
  )
  // Laws hold between empty lists whatever the filters say.
  if ((await sendRequest({ filter: whole })) === '')
    throw new BlockedError('a list contains none of the records that were just created')
  return {
    all: set.map((_, index) => String(index)),
    of: async (filter) => (await select(filter)).split(' ').filter((name) => name !== ''),
  }
}

/** A law of two filters: what their combination selects, derived from what each of them selects. */
function law(id: string, join: '&&' | '||', keeps: (inLeft: boolean, inRight: boolean) => boolean): void {
  check(id, (context) =>
    context.property(
      [sets, independent],
      async (set, all) => {
        const { all: names, of } = await recordsOf(context, set)
        const selected = await Promise.all(all.map((each) => of(print(each))))
        for (let index = 1; index < all.length; index += 1) {
          const [left, right] = [selected[index - 1] ?? [], selected[index] ?? []]
          const text = [all[index - 1], all[index]]
            .map((each) => `(${print(each as Expression)})`)
            .join(` ${join} `)
          const expected = names.filter((name) => keeps(left.includes(name), right.includes(name)))
          expectEqual(await of(text), expected, `what ${text} selects`)
        }
      },
      { runs: 5 },
    ),
  )
}

law('filter.law-and', '&&', (left, right) => left && right)
law('filter.law-or', '||', (left, right) => left || right)

/** The opposite of each expression must select exactly the other records. */
function parts(id: string, arbitrary: fc.Arbitrary<Expression>): void {
  check(id, (context) =>
    context.property(
      [sets, fc.array(arbitrary, { minLength: 1, maxLength: 8 })],
      async (set, all) => {
        const { all: names, of } = await recordsOf(context, set)
        for (const expression of all) {
          const [text, other] = [print(expression), print(opposite(expression))]
          const selected = await of(text)
          expectEqual(
            await of(other),
            names.filter((name) => !selected.includes(name)),
            `the records that ${other} selects, the opposite of ${text},`,
          )
        }
      },
      { runs: 5 },
    ),
  )
}

parts('filter.law-complement', reversibleComparisons)
parts('filter.law-de-morgan', reversibleExpressions)

check('filter.law-narrows', (context) =>
  context.property(
    [sets, several],
    async (set, [first, ...more]) => {
      const { all, of } = await recordsOf(context, set)
      let text = first === undefined ? '1 = 1' : `(${print(first)})`
      let before = await of(text)
      expectThat(
        before.every((name) => all.includes(name)),
        `${text} selects records outside the set`,
        `none but ${all.join(' ')}`,
        before,
      )
      for (const next of more) {
        text += ` && (${print(next)})`
        const after = await of(text)
        const added = after.filter((name) => !before.includes(name))
        expectEqual(added, [], `the records that the last part of ${text} adds`)
        before = after
      }
      expectEqual(await of('1 = 1'), all, 'what 1 = 1 selects')
    },
    { runs: 5 },
  ),
)

check('filter.law-total', (context) =>
  context.property(
    [sets, fc.array(expressions, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 4 })],
    async (set, all, perPage) => {
      const { table, whole } = await sample(
        context,
        Object.fromEntries(set.map((each, index) => [String(index), { ...each }])),
      )
      const { totalItems: every } = listOf(await context.api.list(table, { filter: whole, perPage: 1 }))
      expectEqual(every, set.length, 'totalItems of all records')
      for (const expression of all) {
        const filter = `${whole} && (${print(expression)})`
        const { items } = listOf(await context.api.list(table, { filter, perPage: 1000 }))
        const { totalItems, totalPages } = listOf(await context.api.list(table, { filter, perPage }))
        expectEqual(
          { totalItems, totalPages },
          { totalItems: items.length, totalPages: Math.ceil(items.length / perPage) },
          `the totals with ${filter} and perPage ${perPage}`,
        )
      }
    },
    { runs: 5 },
  ),
)

check('filter.meaning', (context) =>
  context.property(
    [sets, fc.array(expressions, { minLength: 1, maxLength: 10 })],
    async (set, all) => {
      const { of } = await recordsOf(context, set)
      for (const expression of all) {
        const expected = set.flatMap((each, index) => (evaluate(expression, each) ? [String(index)] : []))
        expectEqual(await of(print(expression)), expected, `what ${print(expression)} selects`)
      }
    },
    { runs: 15 },
  ),
)

check('filter.by-id', async (context) => {
  const { table, records } = await sample(context, { a: {}, b: {}, c: {} })
  for (const { id } of Object.values(records)) {
    const { items, totalItems } = listOf(await context.api.list(table, { filter: `id = '${id}'` }))
    expectEqual(
      [items.map((item) => item.id), totalItems],
      [[id], 1],
      `the records with id ${id}, and totalItems`,
    )
  }
})
