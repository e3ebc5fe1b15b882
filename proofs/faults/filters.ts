/** Defects in reading filters and in what they mean. */

import {
  all,
  another,
  type JsonValue,
  listItems,
  on,
  parsedBody,
  tamperRecord,
} from './combinators/combinators.ts'
import { misreadsFilter, misreadsQuery, rejectsQuery, tamperList } from './combinators/query.ts'
import { fault } from './fault.ts'

// How it is written.
fault('every condition is rejected', { trips: ['list.filter-narrows'] }, rejectsQuery('filter', /./))
fault(
  'a quote inside a string literal is lost',
  { trips: ['filter.text-literal', 'filter.text-escapes'] },
  misreadsFilter(/\\['"]/g, ''),
)
fault('escapes are not decoded', { trips: ['filter.text-escapes'] }, misreadsFilter(/\\n/g, '\\\\n'))
fault(
  'unknown escapes lose their backslash',
  { trips: ['filter.text-escapes'] },
  misreadsFilter(/\\(?=[%xu])/g, ''),
)
fault('fractions are truncated', { trips: ['filter.number-literal'] }, misreadsFilter(/(\d)\.\d+/g, '$1'))
fault(
  'constants are case-sensitive',
  { trips: ['filter.constant-literal'] },
  rejectsQuery('filter', /TRUE|False|NULL/),
)
fault(
  'a filter must be one line',
  { trips: ['filter.white-space', 'filter.comment'] },
  rejectsQuery('filter', /[\n\t]/),
)
fault(
  'two slashes in a string literal begin a comment',
  { trips: ['filter.comment'] },
  misreadsFilter(/'\/\/ no comment'/g, "''"),
)
fault(
  'a literal must be on the right',
  { trips: ['filter.sides'] },
  rejectsQuery('filter', /&& \(('[^']*'|\d+) /),
)
fault(
  '&& and || have the same precedence',
  { trips: ['filter.precedence'] },
  misreadsFilter(/(text = '\w') \|\| (text = '\w') && (?=text)/g, '($1 || $2) && '),
)
fault('groups can be nested eight deep', { trips: ['filter.groups'] }, rejectsQuery('filter', /\({9}/))
fault(
  'parentheses are ignored',
  { trips: ['filter.groups'] },
  misreadsFilter(/\((text = 'A' \|\| text = 'B')\)/g, '$1'),
)

// Laws and meaning.
fault(
  '&& between groups means or',
  { trips: ['filter.law-and', 'filter.law-narrows'] },
  misreadsFilter(') && (', ') || ('),
)
fault('|| between groups means and', { trips: ['filter.law-or'] }, misreadsFilter(') || (', ') && ('))
fault(
  '!= skips empty values',
  { trips: ['filter.meaning'] },
  misreadsFilter(/select != '(\w)'/g, "(select != '$1' && select != '')"),
)
fault(
  '>= means >',
  { trips: ['filter.law-complement', 'filter.law-de-morgan', 'filter.meaning'] },
  misreadsFilter('>=', '>'),
)
fault(
  'strings are compared in lower case',
  { trips: ['filter.text-order'] },
  misreadsFilter(/text > 'Z'/g, "text:lower > 'z'"),
)
fault('= ignores case', { trips: ['filter.text-case'] }, misreadsFilter(/\btext =/g, 'text:lower ='))
fault('a filter by id is ignored', { trips: ['filter.by-id'] }, misreadsFilter(/^id = .*/g, ''))
fault(
  'the prefix ? works for relations only',
  { trips: ['filter.any-of-single'] },
  rejectsQuery('filter', /(text|number|date|bool) \?/),
)
fault(
  'a name on the right is read as a string',
  { trips: ['filter.two-fields'] },
  misreadsFilter(/text = select/g, "text = 'select'"),
)
fault(
  'totals are those without the filter in groups',
  { trips: ['filter.law-total'] },
  tamperList('filter', /&& \(/, (body) => ({ ...body, totalItems: Number(body.totalItems) + 1 })),
)

// Parts of text.
fault(
  '~ is case-sensitive',
  { trips: ['filter.like-case'] },
  tamperList('filter', /text ~ '\w+'/, (body, text) => {
    const wanted = /text ~ '(\w+)'/.exec(text)?.[1] ?? ''
    return { ...body, items: listItems(body).filter((item) => String(item.text).includes(wanted)) }
  }),
)
fault(
  '~ ignores the case of all letters',
  { trips: ['filter.like-case'] },
  misreadsFilter(/~ 'éCOLE'/g, "~ 'cole'"),
)
fault(
  '_ is always a wildcard',
  { trips: ['filter.like-literal'] },
  misreadsFilter(/~ '([^'%]*_[^'%]*)'/g, "~ '%$1%'"),
)
fault('% is never a wildcard', { trips: ['filter.like-pattern'] }, misreadsFilter(/(~ '[^'\\]*)%/g, '$1\\%'))
fault(
  'a pattern matches a part of the string',
  { trips: ['filter.like-pattern'] },
  misreadsFilter(/~ 'hello%'/g, "~ '%hello%'"),
)
fault('a percent sign cannot be escaped', { trips: ['filter.like-escaped'] }, misreadsFilter('\\%', '%'))
fault(
  '~ with an empty string matches nothing',
  { trips: ['filter.like-empty'] },
  misreadsFilter("text ~ ''", '1 = 2'),
)
fault('~ on a number is equality', { trips: ['filter.like-number'] }, misreadsFilter('number ~', 'number ='))

// Types.
fault(
  'null is never equal',
  { trips: ['filter.text-empty', 'filter.constant-literal'] },
  misreadsFilter(/\w+ = null/g, '1 = 2'),
)
fault(
  '0 is read as empty',
  { trips: ['filter.number-empty'] },
  misreadsFilter(/number = (''|null)/g, 'number = 0'),
)
fault(
  'a number in quotes is not read as a number',
  { trips: ['filter.number-quoted'] },
  misreadsFilter(/number [<>=]+ '[^']*'/g, '1 = 2'),
)
fault('a bool is not read as a number', { trips: ['filter.bool'] }, misreadsFilter(/bool = [01]/g, '1 = 2'))
fault(
  'a date bound must be complete',
  { trips: ['filter.date'] },
  rejectsQuery('filter', /'\d{4}-\d\d-\d\d'/),
)
fault(
  'JSON arrays cannot be indexed',
  { trips: ['filter.json-path'] },
  misreadsFilter(/json\.list\.\d/g, 'json.list'),
)
fault(
  'JSON numbers equal their string',
  { trips: ['filter.json-types'] },
  misreadsFilter("json.a = '1'", "(json.a = '1' || json.a = 1)"),
)
fault(
  'an empty string matches missing JSON values',
  { trips: ['filter.json-null'] },
  misreadsFilter("json.a = ''", "(json.a = '' || json.a = null)"),
)
fault(
  'filters and sorts swap latitude and longitude',
  { trips: ['filter.geo', 'sort.json'] },
  (tools) => async (request, next) => {
    const url = new URL(request.url)
    for (const name of ['filter', 'sort']) {
      const text = url.searchParams.get(name)
      if (text !== null)
        url.searchParams.set(
          name,
          text.replaceAll(/geo\.(lon|lat)/g, (_, key) => (key === 'lon' ? 'geo.lat' : 'geo.lon')),
        )
    }
    return request.method === 'GET' && url.pathname.startsWith(tools.prefix)
      ? next(another(request, 'GET', url.href))
      : next(request)
  },
)
fault(
  'a list equals each of its values',
  { trips: ['filter.list-text'] },
  misreadsFilter("selects = 'a'", "selects:each ?= 'a'"),
)

// Modifiers, macros, functions.
fault(
  'an empty list has length 1',
  { trips: ['filter.length'] },
  misreadsFilter(':length = 0', ':length = 1'),
)
fault(':each matches any value', { trips: ['filter.each'] }, misreadsFilter(/:each (?=[=<!~])/g, ':each ?'))
fault(':each requires all values', { trips: ['filter.each-any'] }, misreadsFilter(':each ?', ':each '))
fault(':lower is ignored', { trips: ['filter.lower', 'sort.lower'] }, (tools) => {
  const [filter, sort] = [
    misreadsFilter(':lower', '')(tools),
    misreadsQuery('sort', (text) => text.replaceAll(':lower', ''))(tools),
  ]
  return (request, next) => filter(request, (inner) => sort(inner, next))
})
fault('@now is a day late', { trips: ['filter.macro-time'] }, misreadsFilter('@now', '@yesterday'))
fault(
  '@monthEnd is the end of the year',
  { trips: ['filter.macro-time'] },
  misreadsFilter('@monthStart', '@yearEnd'),
)
fault('@month returns the year', { trips: ['filter.macro-number'] }, misreadsFilter('@month ', '@year '))
fault(
  'geoDistance takes latitude first',
  { trips: ['filter.distance'] },
  misreadsFilter(
    'geoDistance(geo.lon, geo.lat, 2.3522, 48.8566)',
    'geoDistance(geo.lat, geo.lon, 48.8566, 2.3522)',
  ),
)
fault('strftime ignores its modifiers', { trips: ['filter.strftime'] }, misreadsFilter(", '+1 day'", ''))

// Paths.
fault(
  'a related record has no fields',
  { trips: ['filter.relation'] },
  misreadsFilter(/relation\.name = '[\w-]+'/g, '1 = 2'),
)
fault(
  'id after a relation is rejected',
  { trips: ['filter.relation-id'] },
  rejectsQuery('filter', /relation\.id/),
)
fault(
  'paths are limited to five relations',
  { trips: ['filter.relation-depth'] },
  rejectsQuery('filter', /(parent\.){6}/),
)
fault('there are no back-relations', { trips: ['filter.back-relation'] }, rejectsQuery('filter', /_via_/))
fault(
  'multiple related records: any match is enough',
  { trips: ['filter.many-all'] },
  misreadsFilter(/relations\.(\w+) (=|>)/g, 'relations.$1 ?$2'),
)
fault(
  'multiple related records: all must match',
  { trips: ['filter.many-any'] },
  misreadsFilter(/relations\.(\w+) \?/g, 'relations.$1 '),
)
fault(
  'no related record is never empty',
  { trips: ['filter.many-none'] },
  misreadsFilter(/relations\.name = (''|null)/g, '1 = 2'),
)
fault(
  'one matching pair of two lists is enough',
  { trips: ['filter.many-pairs'] },
  misreadsFilter('selects:each = relations.name', 'selects:each ?= relations.name'),
)
fault(
  'two comparisons on one path can match two records',
  { trips: ['filter.many-same'] },
  misreadsFilter(/(relations\.name \?= '[\w-]+') && (relations\.name \?= '[\w-]+')/g, '$1 || $2'),
)
fault(
  'superusers cannot reach other tables',
  { trips: ['filter.other-table'] },
  rejectsQuery('filter', /@collection\./, 403),
)

// Limits.
fault(
  'filters are limited to 1000 bytes',
  { trips: ['filter.text-limit'] },
  rejectsQuery('filter', /^.{1001}/s),
)
fault(
  'filters are limited to 100 comparisons',
  { trips: ['filter.comparison-limit'] },
  rejectsQuery('filter', /(\|\|[^|]*){100}/),
)

for (const [what, field] of [
  ['a number', 'number'],
  ['a bool', 'bool'],
  ['an email', 'email'],
  ['a date', 'date'],
  ['a relation', 'parent'],
] as const)
  fault(
    `filters by ${what} are ignored`,
    { trips: ['list.filter-all-pages'] },
    misreadsQuery('filter', (text) => (text.startsWith(`${field} = `) ? '' : text)),
  )
fault(
  'a minus sign in a filter is ignored',
  { trips: ['list.filter-all-pages'] },
  misreadsQuery('filter', (text) => text.replace(/number = -(\d+)$/, 'number = $1')),
)
fault(
  'a condition on false is ignored',
  { trips: ['list.filter-all-pages'] },
  misreadsQuery('filter', (text) => text.replace('bool = false', 'bool = bool')),
)
fault(
  'a condition on 0 is ignored',
  { trips: ['list.filter-all-pages'] },
  misreadsQuery('filter', (text) => text.replace(/number = 0$/, 'number = number')),
)
fault(
  'a condition on a number finds records without a number, too',
  { trips: ['list.filter-all-pages'] },
  (tools) => {
    const known = new Set<unknown>()
    const writes = on(['createRecord', 'updateRecord'], async (request, next) => {
      const sent = await parsedBody(request)
      const response = await next(request)
      if (response.ok && sent?.number !== undefined)
        known.add(((await response.clone().json()) as JsonValue).id)
      return response
    })
    const isOther = ({ id, number }: JsonValue) => number === 0 && known.has(id)
    const lists = tamperList('filter', /number = [1-9]/, (body) => ({
      ...body,
      items: listItems(body).filter((item) => !isOther(item)),
    }))
    const reads = misreadsFilter(/(number = [1-9]\d*)$/g, '($1 || number = 0)')
    const shows = tamperRecord('*', (record) =>
      'number' in record && !known.has(record.id) ? { ...record, number: null } : record,
    )
    return all(shows, lists, reads, writes)(tools)
  },
)
fault(
  'a percent sign in a filter is a wildcard',
  { trips: ['list.filter-all-pages'] },
  misreadsQuery('filter', (text) => text.replace(/^title = "([^"]*)%[^"]*"$/, 'title ~ "$1"')),
)
fault(
  'an underscore in a filter is a wildcard',
  { trips: ['list.filter-all-pages'] },
  misreadsQuery('filter', (text) => text.replace(/^title = "([^"]*)_[^"]*"$/, 'title ~ "$1"')),
)
for (const [what, ends] of [
  ['other letters than those of ASCII', '漢字'],
  ['letters of four bytes', '𠮷'],
  ['an apostrophe', "o'clock"],
  ['a semicolon', ';'],
] as const)
  fault(
    `filters find no title with ${what}`,
    { trips: ['list.filter-all-pages'] },
    misreadsQuery('filter', (text) => (text.includes(ends) ? 'id = "none"' : text)),
  )

for (const [what, when] of [
  ['with an apostrophe', /'/],
  ['of more than 60 characters', /^.{60}/],
  ['of more than 255 characters', /^.{255}/],
] as const)
  fault(
    `filters ${what} are ignored`,
    { trips: ['list.filter-all-pages'] },
    misreadsQuery('filter', (text) => (/^title = /.test(text) && when.test(text) ? '' : text)),
  )
fault(
  'filters compare the first 32 characters of strings',
  { trips: ['list.filter-all-pages'] },
  misreadsQuery('filter', (text) => text.replace(/^title = "([^"]{32})[^"]+"$/, 'title ~ "$1%"')),
)
fault(
  'a comma in a filter separates values',
  { trips: ['list.filter-all-pages'] },
  misreadsFilter(/^title = "([^",]*), ([^"]*)"$/g, 'title = "$1" || title = "$2"'),
)
fault(
  'a filter ends at an ampersand',
  { trips: ['list.filter-all-pages'] },
  misreadsFilter(/^(title = "[^"&]*)&.*"$/g, '$1"'),
)
fault(
  'strings of digits are compared as numbers',
  { trips: ['list.filter-all-pages'] },
  misreadsFilter(/^(text = )"(\d+)"$/g, '$1"$2" || $1"00$2"'),
)

fault(
  'a record that matches both conditions of a filter with || is listed twice',
  { trips: ['list.filter-all-pages'] },
  tamperList('filter', /^id = .*\|\|/, (body) => ({
    ...body,
    items: listItems(body).flatMap((item) => [item, item]),
  })),
)
