/** What comparisons mean for each type of field (standard profile, gap `filter.language`). */

import { check } from '../../../harness/check.ts'
import { sample } from './sample.ts'

check('filter.text-order', async (context) => {
  const { selects } = await sample(context, {
    lower: { text: 'a' },
    upper: { text: 'Z' },
    accent: { text: 'é' },
    elephant: { text: '🐘' },
    wide: { text: 'ﾮ' },
    none: {},
  })
  await selects({
    "text > 'Z'": 'accent elephant lower wide',
    "text < 'a'": 'none upper',
    "text > 'z'": 'accent elephant wide',
    "text >= 'ﾮ'": 'elephant wide',
    "text < 'A'": 'none',
  })
})

check('filter.text-case', async (context) => {
  const { selects } = await sample(context, { lower: { text: 'abc' }, upper: { text: 'ABC' } })
  await selects({
    "text = 'abc'": 'lower',
    "text = 'ABC'": 'upper',
    "text = 'Abc'": '',
    "text != 'abc'": 'upper',
  })
})

check('filter.text-empty', async (context) => {
  const { selects } = await sample(context, {
    empty: {},
    text: { text: 'x', date: '2024-02-29 00:00:00.000Z', select: 'a', email: 'a@example.com' },
  })
  for (const field of ['text', 'date', 'select', 'email', 'url', 'relation', 'file']) {
    const [none, some] = ['url', 'relation', 'file'].includes(field) ? ['empty text', ''] : ['empty', 'text']
    await selects({
      [`${field} = ''`]: none,
      [`${field} = null`]: none,
      [`${field} != ''`]: some,
      [`${field} != null`]: some,
    })
  }
})

check('filter.number-empty', async (context) => {
  const { selects } = await sample(context, { zero: { number: 0 }, one: { number: 1 } })
  await selects({
    'number = 0': 'zero',
    "number = ''": '',
    'number = null': '',
    "number != ''": 'one zero',
    'number != null': 'one zero',
  })
})

check('filter.number-quoted', async (context) => {
  const { selects } = await sample(context, {
    one: { number: 1 },
    ten: { number: 10 },
    minus: { number: -2.5 },
  })
  await selects({
    "number = '1'": 'one',
    "number > '9'": 'ten',
    "number < '-2'": 'minus',
    "number = '-2.5'": 'minus',
  })
})

check('filter.bool', async (context) => {
  const { selects } = await sample(context, { yes: { bool: true }, no: { bool: false } })
  await selects({
    'bool = true': 'yes',
    'bool = false': 'no',
    'bool = 1': 'yes',
    'bool = 0': 'no',
    'bool != true': 'no',
    'bool != false': 'yes',
  })
})

check('filter.date', async (context) => {
  const { selects } = await sample(context, {
    leap: { date: '2024-02-29 10:00:00.000Z' },
    next: { date: '2024-03-01 00:00:00.000Z' },
    old: { date: '1969-12-31 23:59:59.999Z' },
    none: {},
  })
  await selects({
    "date = '2024-02-29 10:00:00.000Z'": 'leap',
    "date >= '2024-02-29' && date < '2024-03-01'": 'leap',
    "date > '2024-02-29 10:00:00.000Z'": 'next',
    "date < '1970'": 'none old',
    "date ~ '2024-'": 'leap next',
  })
})

check('filter.json-path', async (context) => {
  const { selects } = await sample(context, {
    deep: { json: { a: { b: [{ c: 5 }, { c: 6 }] }, list: ['x', 'y'] } },
    flat: { json: { a: 'x', list: ['y'] } },
    list: { json: [1, 2, 3] },
    none: {},
  })
  await selects({
    'json.a.b.0.c = 5': 'deep',
    'json.a.b.1.c > 5': 'deep',
    "json.list.0 = 'y'": 'flat',
    "json.list.1 = 'y'": 'deep',
    "json.a = 'x'": 'flat',
    'json.2 = 3': 'list',
  })
})

check('filter.json-types', async (context) => {
  const { selects } = await sample(context, {
    number: { json: { a: 1 } },
    text: { json: { a: '1' } },
    word: { json: { a: 'true' } },
    flag: { json: { a: false } },
  })
  await selects({
    'json.a = 1': 'number',
    "json.a = '1'": 'text',
    "json.a = 'true'": 'word',
    'json.a = false': 'flag',
    "json.a = 'false'": '',
    "json.a ~ '1'": 'number text',
  })
})

check('filter.json-null', async (context) => {
  const { selects } = await sample(context, {
    null: { json: { a: null } },
    missing: { json: {} },
    empty: { json: { a: '' } },
    none: { json: null },
    full: { json: { a: 'x' } },
  })
  await selects({
    'json.a = null': 'missing none null',
    "json.a = ''": 'empty',
    'json.a != null': 'empty full',
    'json = null': 'none',
  })
})

check('filter.geo', async (context) => {
  const { selects } = await sample(context, {
    berlin: { geo: { lon: 13.4, lat: 52.5 } },
    lima: { geo: { lon: -77.03, lat: -12.05 } },
    none: {},
  })
  await selects({
    'geo.lon > 13 && geo.lon < 14': 'berlin',
    'geo.lat < 0': 'lima',
    'geo.lat = 0': 'none',
    'geo.lon = -77.03': 'lima',
  })
})

check('filter.list-text', async (context) => {
  const { selects } = await sample(context, {
    two: { selects: ['a', 'b'] },
    turned: { selects: ['b', 'a'] },
    one: { selects: ['a'] },
    none: {},
  })
  await selects({
    'selects = \'["a","b"]\'': 'two',
    "selects ~ 'a'": 'one turned two',
    'selects ~ \'"b"\'': 'turned two',
    "selects = 'a'": '',
    "selects = '[]'": 'none',
  })
})
