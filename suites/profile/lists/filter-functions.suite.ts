/** Modifiers, macros and functions of the filter language (standard profile, gap `filter.language`). */

import { check } from '../../../harness/check.ts'
import { rejectsFilters } from './rejects-queries.ts'
import { sample } from './sample.ts'

check('filter.length', async (context) => {
  const [x, y] = await context.makeMany(context.table('related'), [
    { name: context.unique('x') },
    { name: context.unique('y') },
  ])
  const { selects } = await sample(context, {
    two: { selects: ['a', 'b'], select: 'a', relations: [x?.id, y?.id] },
    one: { selects: ['c'], relation: x?.id, relations: [y?.id] },
    none: {},
  })
  await selects({
    'selects:length = 2': 'two',
    'selects:length > 0': 'one two',
    'selects:length = 0': 'none',
    'select:length = 1': 'two',
    'relation:length = 1': 'one',
    'relation:length = 0': 'none two',
    'relations:length >= 1': 'one two',
    'files:length = 0': 'none one two',
  })
})

const lists = {
  ab: { selects: ['a', 'b'] },
  aonly: { selects: ['a'] },
  bc: { selects: ['b', 'c'] },
  none: {},
}

check('filter.each', async (context) => {
  const { selects } = await sample(context, lists)
  await selects({
    "selects:each = 'a'": 'aonly',
    "selects:each < 'c'": 'ab aonly',
    "selects:each != 'a'": 'bc none',
    "selects:each ~ 'B'": '',
    "selects:each !~ 'c'": 'ab aonly',
  })
})

check('filter.each-any', async (context) => {
  const { selects } = await sample(context, lists)
  await selects({
    "selects:each ?= 'a'": 'ab aonly',
    "selects:each ?> 'a'": 'ab bc',
    "selects:each ?!= 'a'": 'ab bc none',
    "selects:each ?~ 'C'": 'bc',
  })
})

check('filter.lower', async (context) => {
  const { selects } = await sample(context, {
    upper: { text: 'HELLO' },
    mixed: { text: 'hElLo' },
    other: { text: 'ÀB' },
  })
  await selects({
    "text:lower = 'hello'": 'mixed upper',
    "text = 'hello'": '',
    "text:lower = 'HELLO'": '',
    "text:lower = 'Àb'": 'other',
  })
})

check('filter.modifier-unknown', (context) =>
  rejectsFilters(context, "text:lower = 'x'", [
    "text:upper = 'x'",
    "text:lower:lower = 'x'",
    "text:LOWER = 'x'",
    "text: = 'x'",
    "text:lower.a = 'x'",
  ]),
)

check('filter.macro-time', async (context) => {
  const { selects } = await sample(context, { now: {} })
  const forms: [string, string][] = [
    ['@now', '____-__-__ __:__:__.___Z%'],
    ['@yesterday', '____-__-__ __:__:__.___Z%'],
    ['@tomorrow', '____-__-__ __:__:__.___Z%'],
    ['@todayStart', '____-__-__ 00:00:00.000Z%'],
    ['@todayEnd', '____-__-__ 23:59:59.999Z%'],
    ['@monthStart', '____-__-01 00:00:00.000Z%'],
    ['@monthEnd', '____-__-__ 23:59:59.999Z%'],
    ['@yearStart', '____-01-01 00:00:00.000Z%'],
    ['@yearEnd', '____-12-31 23:59:59.999Z%'],
  ]
  for (const [macro, form] of forms) await selects({ [`${macro} ~ '${form}'`]: 'now' })
  await selects({
    'created <= @now && created > @yesterday && created < @tomorrow': 'now',
    'created > @now': '',
    '@yearStart <= @monthStart && @monthStart <= @todayStart && @todayStart <= @now': 'now',
    '@now <= @todayEnd && @todayEnd <= @monthEnd && @monthEnd <= @yearEnd': 'now',
    '@yesterday < @now && @yesterday < @todayStart && @tomorrow > @now && @tomorrow > @todayEnd': 'now',
    'created < @yearStart && created < @yesterday': '',
  })
})

check('filter.macro-number', async (context) => {
  const { selects } = await sample(context, { now: {} })
  const ranges: [string, number, number][] = [
    ['@second', 0, 59],
    ['@minute', 0, 59],
    ['@hour', 0, 23],
    ['@day', 1, 31],
    ['@month', 1, 12],
    ['@weekday', 0, 6],
    ['@year', 2024, 9999],
  ]
  for (const [macro, from, to] of ranges)
    await selects({
      [`${macro} >= ${from} && ${macro} <= ${to}`]: 'now',
      [`${macro} < ${from} || ${macro} > ${to}`]: '',
    })
})

check('filter.macro-unknown', (context) =>
  rejectsFilters(
    context,
    'created <= @now',
    ['@later', '@NOW', '@', '@now.x', '@rand()'].map((macro) => `created <= ${macro}`),
  ),
)

check('filter.distance', async (context) => {
  const { selects } = await sample(context, {
    berlin: { geo: { lon: 13.405, lat: 52.52 } },
    lima: { geo: { lon: -77.0428, lat: -12.0464 } },
  })
  const toParis = 'geoDistance(geo.lon, geo.lat, 2.3522, 48.8566)'
  await selects({
    [`${toParis} > 870 && ${toParis} < 885`]: 'berlin',
    [`${toParis} > 10200 && ${toParis} < 10300`]: 'lima',
    [`1000 > ${toParis}`]: 'berlin',
    'geoDistance(0, 0, 0, 1) > 111 && geoDistance(0, 0, 0, 1) < 112': 'berlin lima',
  })
})

check('filter.strftime', async (context) => {
  const { selects } = await sample(context, {
    leap: { date: '2024-02-29 10:20:30.000Z' },
    old: { date: '1999-12-31 23:59:59.000Z' },
  })
  await selects({
    "strftime('%Y-%m', date) = '2024-02'": 'leap',
    "strftime('%d.%m.%Y %H:%M:%S', date) = '31.12.1999 23:59:59'": 'old',
    "strftime('%Y-%m-%d', date, '+1 day') = '2024-03-01'": 'leap',
    "strftime('%Y-%m-%d', date, 'start of month', '+1 month', '-1 day') = '2024-02-29'": 'leap',
    "strftime('%j', date) = '365' || strftime('%w', date) = '4'": 'leap old',
    "'2000' > strftime('%Y', date)": 'old',
  })
})

check('filter.function-malformed', (context) =>
  rejectsFilters(context, "strftime('%Y', date) = '2024' && geoDistance(1, 2, 3, 4) > 1", [
    'geoDistance(1, 2, 3) > 1',
    'geoDistance(1, 2, 3, 4, 5) > 1',
    "geoDistance('1', 2, 3, 4) > 1",
    'geoDistance() > 1',
    "strftime() = ''",
    "strftime(date) = ''",
    "strftime('%Y', strftime('%Y', date)) = ''",
    `strftime('%Y', date${", '+1 day'".repeat(9)}) = ''`,
    "STRFTIME('%Y', date) = ''",
    'lower(text) = 1',
    "strftime('%Y', date = ''",
    "strftime('%Y', nope) = ''",
  ]),
)
