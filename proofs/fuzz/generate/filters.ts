/**
 * Filter, sort, expand and fields parameters: valid ones for a table, expensive ones, and mutated text.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { printLiteral, quote } from '../../../suites/oracle/print.ts'
import { byTable } from './by-table.ts'
import { oddStrings } from './odd-strings.ts'

const operators = ['=', '!=', '>', '>=', '<', '<=', '~', '!~']
const anyOperators = [...operators, ...operators.map((each) => `?${each}`)]
const macros = ['@now', '@yesterday', '@todayStart', '@monthEnd', '@year', '@weekday', '@hour']
const requestTerms = [
  '@request.auth.id',
  '@request.auth.team.name',
  '@request.method',
  '@request.context',
  '@request.query.filter',
  '@request.headers.x_conf',
  '@request.body.title',
  '@request.body.title:isset',
]

const literals: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '""',
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1.5',
    '9007199254740993',
    '"a"',
    "'%'",
    '"2024"',
  ),
  oddStrings.map((text) => printLiteral(text)),
  fc.constantFrom(...macros),
)

/** Names that a filter on this table can begin with, and steps from them on. */
const paths = byTable((table): Arbitrary<string> => {
  const fields = table.fields ?? []
  const plain = ['id', 'created', ...fields.map(({ name }) => name)]
  const relations = fields.flatMap((field) => (field.type === 'relation' ? [field.name] : []))
  const modified = plain.flatMap((name) => [`${name}:lower`, `${name}:length`, `${name}:each`])
  const steps = [...relations, 'parent', 'kids', 'relations', 'conf_related_via_parent', 'conf_web_via_kids']
  const deep = fc
    .tuple(
      fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('id', 'title', 'name'),
    )
    .map(([way, last]) => [...way, last].join('.'))
  return fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...plain) },
    { weight: 3, arbitrary: fc.constantFrom(...modified) },
    { weight: 2, arbitrary: deep },
    { weight: 1, arbitrary: fc.constantFrom('json.a', 'json.a.0', 'geo.lon', 'geoDistance(1, 2, 3, 4)') },
    { weight: 1, arbitrary: fc.constantFrom(...requestTerms, '@collection.conf_plain.title') },
    {
      weight: 1,
      arbitrary: fc.constantFrom("strftime('%Y-%m', created)", '@collection.conf_web:x.kids.title'),
    },
  )
})

const comparisons = byTable((table): Arbitrary<string> => {
  return fc
    .tuple(
      paths(table),
      fc.constantFrom(...anyOperators),
      fc.oneof({ weight: 5, arbitrary: literals }, paths(table)),
    )
    .map(([left, operator, right]) => `${left} ${operator} ${right}`)
})

/** Expressions in the words of the language. Some name what the table does not have. */
export const filters = byTable((table): Arbitrary<string> => {
  const joined = fc
    .array(fc.tuple(comparisons(table), fc.constantFrom(' && ', ' || ', '&&', ' || ('), fc.boolean()), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => {
      const text = parts.map(([part, join, last]) => part + (last ? '' : join)).join(' && ')
      const opened = (text.match(/\|\| \(/g) ?? []).length
      return text.replace(/( &&| \|\||&&| \|\| \()? *$/, '') + ')'.repeat(opened)
    })
  return fc.oneof({ weight: 6, arbitrary: comparisons(table) }, { weight: 3, arbitrary: joined })
})

/** Few bytes that cause much work, each in the size that the number says. */
const heavy: readonly ((size: number) => string)[] = [
  (size) => `id != "" && ${'kids.'.repeat(1 + (size % 6))}title != "x"`,
  (size) => `${'kids.'.repeat(1 + (size % 6))}title ?~ "x"`,
  (size) => `${'conf_web_via_kids.'.repeat(1 + (size % 6))}id ?!= "x"`,
  (size) => `body ~ "%_${'a'.repeat(size % 3400)}b%"`,
  (size) => `body ~ "${'%a'.repeat(size % 1700)}%"`,
  (size) => `body ~ "${'%_'.repeat(size % 1700)}%b"`,
  (_size) => `title ~ body && body !~ title && body ~ body`,
  (size) => `${'('.repeat(size)}id = "x"${')'.repeat(size)}`,
  (size) => Array.from({ length: 1 + (size % 250) }, () => 'title~"a"').join('||'),
  (size) => Array.from({ length: 1 + (size % 180) }, (_, at) => `kids.title!="${at}"`).join('&&'),
  (size) => `title = ${quote('x'.repeat(size))}`,
  (size) => `@collection.conf_web.kids.title ?= title && @collection.conf_web:b.kids.kids.title ?~ "${size}"`,
  (size) => `title = "${'\\'.repeat(size)}"`,
  (size) => `title = ${'9'.repeat(size)}`,
  (size) => `title ${'!'.repeat(size)}= 1`,
  (size) => `strftime('${'%Y'.repeat(size % 1500)}', created) = "x"`,
  (size) => `${'a.'.repeat(size % 1500)}b = 1`,
  (size) => `kids:each ?~ "%${'web%'.repeat(size % 800)}" && kids:length > 1`,
]

export const heavyFilters: Arbitrary<string> = fc
  .tuple(fc.constantFrom(...heavy), fc.integer({ min: 0, max: 3500 }))
  .map(([make, size]) => make(size))

/** Changes text in a few places. */
export function mutatedText(source: Arbitrary<string>): Arbitrary<string> {
  const edit = fc.tuple(
    fc.double({ min: 0, max: 0.999, noNaN: true }),
    fc.integer({ min: 0, max: 4 }),
    fc.oneof(
      fc.constantFrom('(', ')', '"', "'", '&&', '||', '~', '?', '@', '.', ':', '//', '\\', '\0', ' '),
      oddStrings,
    ),
  )
  return fc.tuple(source, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) => {
    let changed = text
    for (const [where, removed, added] of edits) {
      const at = Math.floor(where * (changed.length + 1))
      changed = changed.slice(0, at) + added + changed.slice(at + removed)
    }
    return changed
  })
}

const anyNames = ['id', 'created', 'title', '@random', '@rowid', 'nothing', 'parent.name', '']

export const sorts = byTable((table): Arbitrary<string> => {
  const names = [...anyNames, ...(table.fields ?? []).map(({ name }) => name)]
  const key = fc
    .tuple(fc.constantFrom('', '-', '+'), fc.constantFrom(...names))
    .map((parts) => parts.join(''))
  return fc.array(key, { minLength: 1, maxLength: 9 }).map((keys) => keys.join(','))
})

export const expands = byTable((table): Arbitrary<string> => {
  const relations = (table.fields ?? []).flatMap((field) => (field.type === 'relation' ? [field.name] : []))
  const steps = [
    ...relations,
    'parent',
    'kids',
    'owner',
    'conf_web_via_kids',
    'conf_related_via_parent',
    'nothing',
  ]
  const way = fc
    .array(fc.constantFrom(...steps), { minLength: 1, maxLength: 7 })
    .map((names) => names.join('.'))
  return fc.array(way, { minLength: 1, maxLength: 3 }).map((ways) => ways.join(','))
})

export const picks = byTable((table): Arbitrary<string> => {
  const names = [
    '*',
    'id',
    'items.id',
    'token',
    'record.id',
    'expand.*.id',
    'otpId',
    'password',
    'status',
    'body.id',
  ]
  const all = [...names, ...(table.fields ?? []).map(({ name }) => name)]
  const pick = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...all) },
    { weight: 1, arbitrary: fc.constantFrom(...all).map((name) => `${name}:excerpt(5,true)`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('id:excerpt(', 'id:nothing(1)', '..', '*.*', ':excerpt(1)', 'a'.repeat(300)),
    },
  )
  return fc.array(pick, { minLength: 1, maxLength: 4 }).map((each) => each.join(','))
})
