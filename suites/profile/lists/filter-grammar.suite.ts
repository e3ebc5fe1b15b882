/** Operators, joins and groups of the filter language (standard profile, gap `filter.language`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { rejectsFilters } from './rejects-queries.ts'
import { sample } from './sample.ts'

const letters = { a: { text: 'A', number: 1 }, b: { text: 'B', number: 2 }, c: { text: 'C', number: 3 } }

check('filter.operator-malformed', (context) =>
  rejectsFilters(
    context,
    "text = 'x'",
    ['==', '===', '<>', '=!', '~=', '! ~', '? =', '=>', '!', '?', '!==', '=~', '<<', '^', 'like', 'in'].map(
      (operator) => `text ${operator} 'x'`,
    ),
  ),
)

check('filter.join-malformed', (context) =>
  rejectsFilters(
    context,
    "text = 'x' && number = 1",
    ['and', 'or', 'AND', '&', '|', ',', ';', '&&&', '&& &&', '||||', '&|', ''].map(
      (join) => `text = 'x' ${join} number = 1`,
    ),
  ),
)

check('filter.incomplete', (context) =>
  rejectsFilters(context, 'bool = true', [
    'bool',
    '!bool',
    'not bool = true',
    'bool =',
    '= true',
    'bool = true &&',
    '&& bool = true',
    '||',
    'bool = true = true',
    "'x'",
    '1',
  ]),
)

check('filter.group-malformed', (context) =>
  rejectsFilters(context, "(text = 'x')", [
    '()',
    '( )',
    "(text = 'x'",
    "text = 'x')",
    "text = 'x' && ()",
    "((text = 'x')",
    ")text = 'x'(",
    "[text = 'x']",
  ]),
)

check('filter.sides', async (context) => {
  const { selects } = await sample(context, letters)
  await selects({
    "text = 'A'": 'a',
    "'A' = text": 'a',
    '2 < number': 'c',
    '1 = 1': 'a b c',
    '1 = 2': '',
    "'x' != 'x'": '',
    "'ABC' ~ text": 'a b c',
    "'AC' ~ text": 'a c',
    "2 <= number && 'C' > text": 'b',
  })
})

check('filter.precedence', async (context) => {
  const { sendRequest, whole, selects } = await sample(context, letters)
  await selects({
    "text = 'A' || text = 'B' && text = 'C'": 'a',
    "text = 'B' && text = 'C' || text = 'A'": 'a',
    "text = 'A' || text = 'B' && number = 2 || text = 'C' && number = 1": 'a b',
  })
  const flat = `${whole} && text = "A" || ${whole} && text = "B"`
  expectEqual((await sendRequest({ filter: flat })).split(' ').sort(), ['a', 'b'], `what ${flat} selects`)
})

check('filter.groups', async (context) => {
  const { selects } = await sample(context, letters)
  await selects({
    "(text = 'A' || text = 'B') && number > 1": 'b',
    "text = 'A' || (text = 'B' && text = 'C')": 'a',
    "((text = 'A') || ((text = 'B') || (text = 'C'))) && (number != 2)": 'a c',
    "(text != ')' && text != '(') && number = 1": 'a',
    [`${'('.repeat(300)}text = 'A'${')'.repeat(300)}`]: 'a',
  })
})

check('filter.any-of-single', async (context) => {
  const { select } = await sample(context, {
    ...letters,
    empty: {},
    date: { text: 'A%', date: '2024-02-29 00:00:00.000Z', bool: true },
  })
  let selected = 0
  for (const operator of ['=', '!=', '>', '>=', '<', '<=', '~', '!~']) {
    for (const [field, literal] of [
      ['text', "'B'"],
      ['number', '2'],
      ['date', "'2024-02-29 00:00:00.000Z'"],
      ['bool', 'true'],
    ]) {
      const plain = await select(`${field} ${operator} ${literal}`)
      expectEqual(
        await select(`${field} ?${operator} ${literal}`),
        plain,
        `what ${field} ?${operator} ${literal} selects`,
      )
      if (plain !== '') selected += 1
    }
  }
  expectThat(selected > 16, 'most comparisons select nothing', 'more than 16 of 32 that select', selected)
})

check('filter.two-fields', async (context) => {
  const { selects } = await sample(context, {
    same: { text: 'a', select: 'a', number: 1, geo: { lon: 1, lat: 2 } },
    other: { text: 'b', select: 'c', number: 3, geo: { lon: 3, lat: 2 } },
    none: {},
  })
  await selects({
    'text = select': 'none same',
    'text < select': 'other',
    'number > geo.lat': 'other',
    'geo.lon = number': 'none other same',
  })
})
