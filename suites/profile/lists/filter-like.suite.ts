/** Looking for parts of text with `~` and `!~` (standard profile, gap `filter.language`). */

import { check } from '../../../harness/check.ts'
import { sample } from './sample.ts'

check('filter.like-case', async (context) => {
  const { selects } = await sample(context, {
    hello: { text: 'Say Hello' },
    upper: { text: 'ÉCOLE' },
    lower: { text: 'école' },
  })
  await selects({
    "text ~ 'hELLO'": 'hello',
    "text ~ 'École'": 'upper',
    "text ~ 'éCOLE'": 'lower',
    "text ~ 'COLE'": 'lower upper',
    "text !~ 'HELLO'": 'lower upper',
  })
})

check('filter.like-literal', async (context) => {
  const { selects } = await sample(context, {
    score: { text: 'x H_llo x' },
    letter: { text: 'x Hello x' },
    slash: { text: 'a\\b' },
    regular: { text: 'a.*[b]' },
  })
  await selects({
    "text ~ 'H_llo'": 'score',
    "text ~ 'Hello'": 'letter',
    "text !~ '_'": 'letter regular slash',
    [String.raw`text ~ 'a\\b'`]: 'slash',
    [String.raw`text ~ '\\'`]: 'slash',
    "text ~ '.*[b'": 'regular',
    "text ~ 'a.*b'": '',
  })
})

check('filter.like-pattern', async (context) => {
  const { selects } = await sample(context, {
    first: { text: 'hello world' },
    last: { text: 'say hello' },
    other: { text: 'hallo world' },
    empty: {},
  })
  await selects({
    "text ~ 'hello%'": 'first',
    "text ~ '%hello'": 'last',
    "text ~ '%hello%'": 'first last',
    "text ~ 'h_llo%'": 'first other',
    "text ~ 'h%o%d'": 'first other',
    "text ~ '%'": 'empty first last other',
    "text !~ 'h%'": 'empty last',
    "text ~ '_%'": 'first last other',
  })
})

check('filter.like-escaped', async (context) => {
  const { selects } = await sample(context, {
    percent: { text: '50% off' },
    number: { text: '500 off' },
    end: { text: 'all of 50%' },
  })
  await selects({
    [String.raw`text ~ '50\%'`]: 'end percent',
    [String.raw`text ~ '50\% %'`]: 'percent',
    "text ~ '50%'": 'number percent',
    [String.raw`text ~ '%\%'`]: 'end',
  })
})

check('filter.like-empty', async (context) => {
  const { selects } = await sample(context, { text: { text: 'x' }, empty: {} })
  await selects({ "text ~ ''": 'empty text', "text !~ ''": '', "text ~ 'x'": 'text' })
})

check('filter.like-number', async (context) => {
  const { selects } = await sample(context, {
    ten: { number: 10 },
    more: { number: 21 },
    half: { number: 2.5 },
    text: { text: 'a10b' },
  })
  await selects({
    'number ~ 1': 'more ten',
    'number ~ 2.5': 'half',
    'text ~ 10': 'text',
    "number ~ '2%'": 'half more',
    'number !~ 0': 'half more',
  })
})
