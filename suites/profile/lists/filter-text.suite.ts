/** How a filter is written: literals, white space, comments (standard profile, gap `filter.language`). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual } from '../../../harness/judging/expect.ts'
import { stringValues } from '../../oracle/arbitraries.ts'
import { quote } from '../../oracle/print.ts'
import { rejectsFilters } from './rejects-queries.ts'
import { sample } from './sample.ts'

check('filter.text-literal', (context) =>
  context.property(
    [fc.uniqueArray(stringValues, { minLength: 2, maxLength: 6 })],
    async (all) => {
      const { select } = await sample(
        context,
        Object.fromEntries(all.map((text, index) => [`r${index}`, { text }])),
      )
      for (const [index, text] of all.entries()) {
        expectEqual(
          await select(`text = ${quote(text, "'")}`),
          `r${index}`,
          `the records that text = ${quote(text, "'")} selects`,
        )
        expectEqual(
          await select(`text = ${quote(text, '"')}`),
          `r${index}`,
          `the records that text = ${quote(text, '"')} selects`,
        )
      }
    },
    { runs: 7 },
  ),
)

check('filter.text-escapes', async (context) => {
  const { selects } = await sample(context, {
    lines: { text: 'a\nb\tc\rd' },
    quotes: { text: `it's "so"` },
    slash: { text: 'a\\' },
    other: { text: '\\%\\x\\u0041' },
  })
  await selects({
    [String.raw`text = 'a\nb\tc\rd'`]: 'lines',
    "text = 'a\nb\tc\rd'": 'lines',
    [String.raw`text = 'it\'s "so"'`]: 'quotes',
    [String.raw`text = "it's \"so\""`]: 'quotes',
    [String.raw`text = 'it\'s \"so\"'`]: 'quotes',
    [String.raw`text = 'a\\'`]: 'slash',
    [String.raw`text = '\%\x\u0041'`]: 'other',
  })
})

check('filter.text-unterminated', (context) =>
  rejectsFilters(context, "text = 'abc'", [
    "text = 'abc",
    'text = "abc',
    `text = 'abc"`,
    String.raw`text = 'abc\'`,
    "text = abc'",
  ]),
)

check('filter.number-literal', async (context) => {
  const { selects } = await sample(context, {
    one: { number: 1 },
    minus: { number: -5 },
    half: { number: 2.5 },
  })
  await selects({
    'number = 1': 'one',
    'number = 01': 'one',
    'number = 1.0': 'one',
    'number = -5': 'minus',
    'number = 2.5': 'half',
    'number = 2.50': 'half',
    'number > -5.5 && number < 2': 'minus one',
  })
})

check('filter.number-malformed', (context) =>
  rejectsFilters(
    context,
    'number = 1',
    ['+1', '.5', '5.', '1e3', '0x1', '1_0', '--5', '1.2.3', '1,5', '1a'].map(
      (number) => `number = ${number}`,
    ),
  ),
)

check('filter.constant-literal', async (context) => {
  const { selects } = await sample(context, { yes: { bool: true, text: 'x' }, no: { bool: false } })
  await selects({
    'bool = true': 'yes',
    'bool = TRUE': 'yes',
    'bool = False': 'no',
    'text = null': 'no',
    'text != NULL': 'yes',
  })
})

check('filter.white-space', async (context) => {
  const { sendRequest, mark, whole } = await sample(context, { a: { text: 'x' }, b: {} })
  const filters = [
    `editor='${mark}'&&text='x'`,
    `  ${whole}  &&  text  =  'x'  `,
    `\t${whole}\n&&\n\ttext\t=\n'x'\n`,
    `( ${whole} )\n&& (\ttext = 'x' )`,
  ]
  for (const filter of filters)
    expectEqual(await sendRequest({ filter }), 'a', `what ${JSON.stringify(filter)} selects`)
})

check('filter.white-space-other', (context) =>
  rejectsFilters(
    context,
    "text = 'x'",
    ['\r', '\u00a0', '\u2003', '\v', '\f', '\u200b'].flatMap((space) => [
      `text =${space}'x'`,
      `text${space}= 'x'`,
    ]),
  ),
)

check('filter.comment', async (context) => {
  const { sendRequest, whole } = await sample(context, { a: { text: '// no comment' }, b: {} })
  const inside = "text = '// no comment'"
  for (const filter of [
    `${whole} && ${inside} // && text = 'none'`,
    `// the first line\n${whole} && ${inside}`,
    `${whole} // one\n&& // two\n ${inside}\n// three`,
    `${whole} && text = //'none'\n '// no comment'`,
  ])
    expectEqual(await sendRequest({ filter }), 'a', `what ${JSON.stringify(filter)} selects`)
})

check('filter.comment-other', (context) =>
  rejectsFilters(context, "text = 'x' // it", [
    "text = 'x' /* it */",
    "text = 'x' -- it",
    "text = 'x' # it",
    "text = 'x' / it",
    "/**/ text = 'x'",
  ]),
)

check('filter.blank', (context) =>
  rejectsFilters(context, "text = 'x'", [' ', '\n', '\t ', '// nothing', ' // nothing\n // more\n']),
)
