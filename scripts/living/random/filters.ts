/**
 * Random query strings of lists, mostly well-formed, over the table of all field types and what it is related to.
 * It omits what the standard profile does differently on purpose: passwords, NUL, modifiers that do not fit, a group
 * without a join before it, malformed `fields`. Also left out is `*` in the middle of a path of `fields`, which finds
 * nothing there, against what contract-records 1.7 saw.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { relatedIds, words } from './values.ts'

const oneOf = (text: string) => fc.constantFrom(...words(text))

const own = 'text number bool email url editor date select selects json relation relations geo id file files'
const paths = `json.a json.b json.0 json.a.b json.a.0 geo.lon geo.lat geo.x text.x select.x nope Text relation.nope
  relation.id relations.id relation.name relation.rank relations.name relations.rank relation.parent
  relation.parent.name relations.parent.name relation.parent.id relations.parent relations.parent.id
  relation.parent.parent.parent.name relation.conf_related_via_parent.name
  relation.conf_everything_via_relation.text relations.conf_everything_via_relations.number
  conf_everything_via_relation.text collectionId collectionName expand @rowid`
/** Fields that only superusers can use. Guests get an error response, which is compared too. Ids of superusers differ;
 * what is not set is left out too, since `json.a = @request.body.x:isset` holds there for a text. */
const requests = `@request.auth.email @request.auth.collectionName @request.auth.nope
  @request.method @request.context @request.query.x @request.query.x:lower @request.query.x:isset
  @request.query.nope @request.headers.x_conf @request.headers.x_conf:lower @request.headers.nope
  @request.body.text @request.body.relations:length
  @request.body.relation.name @request.body.json.a @collection.conf_related.name
  @collection.conf_related:a.name @collection.conf_related:b.id @collection.conf_everything.text
  @collection.conf_everything.selects:each @collection.conf_plain.title @collection.nope.id`

const hasElements = /^(selects?|files?|relations?)$|\.parent$/
const isInside = /^(json|geo|text|select)\./

const fields = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: oneOf(own) }, { weight: 1, arbitrary: oneOf(paths) }),
    fc.constantFrom('', '', '', ':lower', ':length', ':each'),
  )
  .map(([path, modifier]) => {
    const fits = hasElements.test(path) || (modifier === ':lower' && !isInside.test(path))
    return fits ? path + modifier : path
  })

const literals = fc.oneof(
  oneOf(`'' "" 'a' 'A' "b" 'ab' 'abc' 'hello' 'h_llo' 'h%' '%l%' '50\\%' '_' '%' 'é' 'É' '["a"]' '[]' '[]%' '{}'
    'true' '1' '10' '1.5' 'null' 'O\\'Brien' 'back\\\\' 'two\\nlines' '2024-02-29' 'c' 'name1' 'Name2' 'q' '1e3'
    0 1 -1 2 5 10 1.5 01 -0 0.1 1e3 .5 100000000000000000000 null NULL true TRUE false Null`),
  fc.constantFrom(
    "'2024-02-29 10:11:12.000Z'",
    '"say \\"hi\\""',
    ...relatedIds.slice(0, 2).map((id) => `'${id}'`),
  ),
)
const macros = oneOf('@now @year @todayStart @monthEnd @weekday @nope @yesterday')

const numeric = oneOf('geo.lon geo.lat number 0 1 90 -45.5 nope json.a relation.rank relations.rank null')
const formats =
  oneOf(`'%Y' '%Y-%m' '%d' '%H:%M' '%s' '%j' '%w' '%f' '%%' 'x' '' '%q' '%J' '%e' '%I' '%u' '%F' '%T'
  '%G-%V' '%U' '%R' '%k' '%l' '%P' '%' '%1'`)
const times = fc.oneof(
  oneOf(`date '2024-02-29' 'now' 0 2460000.5 text json.a number '10:11' '' '2024-02-29T10:11+02:00' relation.name
    '2024-02-30' '2023-02-31' '2024-13-01' '24:30' null 1709200000 '9999-12-31'`),
  fc.constant("'2024-02-29 10:11:12.345Z'"),
)
const shifts = fc.constantFrom(
  ...["'+1 day'", "'start of month'", "'-1 month'", "'weekday 0'", "'unixepoch'", "'utc'", "'+1.5 hours'"],
  ...["'nope'", "'auto'", "'+01:30'", "'-2 years'", "'julianday'", "'floor'", "'subsec'", "'+0001-01-00'"],
  ...["'+1 month'", "'start of year'", "'localtime'", "'+.5 days'", "'-0001-02-29 10:30'"],
  ...["'weekday 7'", "'+1 DAY'", "'1 day'", "'ceiling'", "'start of day'"],
)
const calls = fc.oneof(
  fc
    .tuple(numeric, numeric, numeric, numeric)
    // A point to itself: contract-records section 12 says how the family's rounding loses it.
    .filter(([lonA, latA, lonB, latB]) => lonA !== lonB || latA !== latB)
    .map((parts) => `geoDistance(${parts.join(', ')})`),
  fc
    .array(numeric, { maxLength: 5 })
    .filter(({ length }) => length !== 4)
    .map((parts) => `geoDistance(${parts.join(',')})`),
  fc
    .tuple(formats, fc.array(times, { maxLength: 1 }), fc.array(shifts, { maxLength: 2 }))
    // Two servers get the request one after the other: by then a running clock says something else.
    .filter(([format, [time = "'now'"]]) => time !== "'now'" || !/%[fHIJklMPRsT]/.test(format))
    .map(
      ([format, time, rest]) => `strftime(${[format, ...time, ...(time.length > 0 ? rest : [])].join(', ')})`,
    ),
)

const operands = fc.oneof(
  { weight: 8, arbitrary: fields },
  { weight: 6, arbitrary: literals },
  { weight: 2, arbitrary: oneOf(requests) },
  { weight: 1, arbitrary: calls },
  { weight: 1, arbitrary: macros },
)
const operators = oneOf('= != > >= < <= ~ !~ ?= ?!= ?> ?>= ?< ?<= ?~ ?!~')
const comparisons = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fields }, { weight: 1, arbitrary: operands }),
    operators,
    operands,
    fc.constantFrom('', ' ', ' ', '\n', '\t'),
  )
  // The family puts `%` around every argument of a function to the right of `~`, so that the comparison mostly proves nothing.
  .filter(([, operator, right]) => !(operator.endsWith('~') && right.includes('(')))
  // To the right of `=` and `!=`, the family reads `:isset` as a condition of the left side, so that 2 and '10' are true.
  .filter(([, , right]) => !right.endsWith(':isset'))
  .map(([left, operator, right, space]) => left + space + operator + space + right)

const { trees } = fc.letrec<{ trees: string; groups: string }>((tie) => ({
  trees: fc.oneof({ maxDepth: 3 }, comparisons, tie('groups')),
  groups: fc
    .array(fc.record({ part: tie('trees'), join: oneOf('&& ||'), wrapped: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) =>
      parts
        .map(({ part, join, wrapped }, at) => (at === 0 ? '' : ` ${join} `) + (wrapped ? `(${part})` : part))
        .join(''),
    ),
}))

/** One sign put in or overwritten: what a slip of the finger makes. */
const slips = fc
  .record({
    text: trees,
    at: fc.nat(),
    sign: fc.constantFrom(...'\'"&|=!?,\\\r\u00a0#@-é0', '', ' '),
    over: fc.boolean(),
  })
  .map(({ text, at, sign, over }) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + sign + text.slice(over ? place + 1 : place)
  })

const filters = fc.oneof(
  { weight: 5, arbitrary: comparisons.map((filter) => ({ filter, slipped: false })) },
  { weight: 3, arbitrary: trees.map((filter) => ({ filter, slipped: false })) },
  { weight: 2, arbitrary: slips.map((filter) => ({ filter, slipped: true })) },
)

// Of several related records the family takes any one for the order.
const single = words(paths).filter((path) => !/relations|_via_/.test(path))

const sorts = fc
  .array(
    fc
      .tuple(
        fc.constantFrom('', '', '-', '+', ' ', '--', '- '),
        fc.oneof({ weight: 4, arbitrary: oneOf(own) }, { weight: 1, arbitrary: fc.constantFrom(...single) }),
      )
      .map((parts) => parts.join('')),
    { minLength: 1, maxLength: 3 },
  )
  .map((keys) => [...keys, 'id'].join(','))
const listOf = (text: string) =>
  fc.array(oneOf(text), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','))
const expands =
  listOf(`relation relations relation.parent relations.parent.parent conf_everything_via_relation
  relation.conf_everything_via_relation relation.conf_related_via_parent nope relation.nope text relation. .relation
  Relation CONF_EVERYTHING_via_relation relation.conf_related_0001_via_parent relation..parent
  relations.conf_everything_via_relations.relation conf_everything(relation)`)
const picks =
  listOf(`* id text expand expand.relation expand.* expand.relation.name expand.relation.* json json.a
  json.* json.a.b geo.lon geo text.x selects.0 selects.x items.id nope text:excerpt(3) text:excerpt(3,true)
  editor:excerpt(2,true) number:excerpt(1) expand.relation.name:excerpt(2,true) ID expand.relations.name
  json.a:excerpt(1) text:excerpt(3,1)`)

export interface FilterQuery {
  /** Ready to be sent. */
  text: string
  /** The filter holds a slip, which the family's parser may tolerate and the standard profile may reject. */
  slipped: boolean
}

export const queries: Arbitrary<FilterQuery> = fc
  .record({
    condition: filters,
    sort: fc.oneof({ weight: 2, arbitrary: fc.constant('id') }, { weight: 1, arbitrary: sorts }),
    expand: fc.option(expands, { freq: 1, nil: undefined }),
    fields: fc.oneof({ weight: 2, arbitrary: fc.constant('id,expand') }, { weight: 1, arbitrary: picks }),
  })
  .map(({ condition: { filter, slipped }, ...others }) => ({
    slipped,
    text: Object.entries({ perPage: '100', x: 'Abc', filter, ...others })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
      .join('&'),
  }))
