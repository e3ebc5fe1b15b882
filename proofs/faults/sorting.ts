/** Defects in the order of lists. */

import { all, type JsonValue, listItems, on, reorder, rewriteQuery } from './combinators/combinators.ts'
import { misreadsQuery, overlooks, rejectsQuery, tamperList } from './combinators/query.ts'
import { fault } from './fault.ts'

const misreadsSort = (find: RegExp | string, replacement: string) =>
  misreadsQuery('sort', (text) => text.replaceAll(find, replacement))
/** The items of lists that are sorted by one field alone, in another order. */
const sorts = (sort: RegExp, order: (left: JsonValue, right: JsonValue) => number) =>
  tamperList('sort', sort, (body) => ({ ...body, items: listItems(body).toSorted(order) }))

fault(
  'a leading minus is ignored',
  { trips: ['sort.direction', 'sort.reverse', 'list.sort-orders'] },
  misreadsSort('-', ''),
)
fault('a leading plus is rejected', { trips: ['sort.direction'] }, rejectsQuery('sort', /^\+/))
fault(
  'only the first sort key is used',
  { trips: ['sort.several-keys', 'sort.order'] },
  misreadsSort(/,.*/g, ''),
)
fault('a sort key with spaces around it is unknown', { trips: ['sort.spaces'] }, rejectsQuery('sort', / /))
fault('text is sorted in lower case', { trips: ['sort.text'] }, misreadsSort(/^text$/g, 'text:lower'))
fault(
  'empty text comes last',
  { trips: ['sort.text', 'sort.date'] },
  sorts(
    /^(text|date)$/,
    (left, right) =>
      Number((left.text ?? '') === '' && left.date === '') -
      Number((right.text ?? '') === '' && right.date === ''),
  ),
)
fault(
  'numbers are sorted as text',
  { trips: ['sort.number'] },
  sorts(/^number$/, (left, right) => (String(left.number) < String(right.number) ? -1 : 1)),
)
fault('true comes before false', { trips: ['sort.bool'] }, misreadsSort(/^bool$/g, '-bool'))
fault('dates are sorted by day', { trips: ['sort.date'] }, misreadsSort(/^date$/g, '-date'))
fault('@rowid sorts by the last', { trips: ['sort.insertion'] }, misreadsSort(/^@rowid/g, '-@rowid'))
fault('@random is the order of creation', { trips: ['sort.random'] }, misreadsSort('@random', '@rowid'))
fault(
  'sorts through relations are rejected',
  { trips: ['sort.relation'] },
  rejectsQuery('sort', /relation\./),
)
fault('sorts inside JSON are rejected', { trips: ['sort.json'] }, rejectsQuery('sort', /json\./))
fault('sorts are limited to four keys', { trips: ['sort.key-limit'] }, rejectsQuery('sort', /(,[^,]*){4}/))
fault(
  'an invalid sort key is ignored',
  {
    trips: [
      'sort.sign-malformed',
      'sort.key-empty',
      'sort.unknown-field',
      'sort.not-sortable',
      'sort.key-limit',
      'sort.key-length',
      'sort.hidden-field',
      'sort.closed-table',
    ],
  },
  overlooks((query) => query.delete('sort')),
)
fault(
  'sort keys are case-insensitive',
  { trips: ['sort.unknown-field'] },
  misreadsQuery('sort', (text) => text.replace('Number', 'number')),
)
fault(
  'later pages apply only the first of several conditions',
  { trips: ['sort.pages'] },
  rewriteQuery('listRecords', (query) => {
    if (Number(query.get('page')) > 1) query.set('filter', (query.get('filter') ?? '').replace(/ && .*/s, ''))
  }),
)
fault(
  'lists are sorted page by page',
  { trips: ['sort.pages'] },
  reorder((items, request) => (/[&?]perPage=[1-4](&|$)/.test(request.url) ? items.toReversed() : items)),
)
fault(
  'strings are sorted in reverse',
  { trips: ['list.sort-text', 'sort.text'] },
  all(misreadsSort(/^(-?)(name|text)$/g, '-$1$2'), misreadsSort('--', '')),
)
fault(
  'strings are sorted by their second letter',
  { trips: ['list.sort-text'] },
  tamperList('sort', /^-?name$/, (body, sort) => {
    const sign = sort.startsWith('-') ? -1 : 1
    const letterOf = ({ name }: JsonValue) => String(name).charCodeAt(1)
    return {
      ...body,
      items: listItems(body).toSorted((left, right) => sign * (letterOf(left) - letterOf(right))),
    }
  }),
)

for (const [count, letters] of [
  ['eight', 8],
  ['twenty', 20],
] as const)
  fault(
    `strings are sorted by their first ${count} letters`,
    { trips: ['list.sort-text'] },
    tamperList('sort', /^-?name$/, (body, sort) => {
      const sign = sort.startsWith('-') ? -1 : 1
      const begin = ({ name }: JsonValue) => String(name).slice(0, letters)
      const order = (left: JsonValue, right: JsonValue) =>
        begin(left) === begin(right) ? 0 : begin(left) < begin(right) ? -sign : sign
      const items = listItems(body).toSorted((left, right) =>
        String(left.created) < String(right.created) ? -1 : 1,
      )
      return { ...body, items: items.toSorted(order) }
    }),
  )

// What the document's own checks see: any field, and orders that distinguish some records.
fault(
  'a sort by a string is reversed',
  { trips: ['list.sort-orders'] },
  misreadsQuery('sort', (text) => text.replace(/^-?(?=email$)/, (sign) => (sign === '' ? '-' : ''))),
)
fault(
  'a sort by a date uses its day of the month',
  { trips: ['list.sort-orders'] },
  tamperList('sort', /^-?date$/, (body, sort) => {
    const day = ({ date }: JsonValue) => Number(String(date).slice(8, 10))
    const sign = sort.startsWith('-') ? -1 : 1
    return {
      ...body,
      items: listItems(body).toSorted((left, right) => sign * (day(left) - day(right))),
    }
  }),
)
fault(
  'a sort by a number uses its last three digits',
  { trips: ['list.sort-orders'] },
  tamperList('sort', /^-?number$/, (body, sort) => {
    const sign = sort.startsWith('-') ? -1 : 1
    return {
      ...body,
      items: listItems(body).toSorted(
        (left, right) => sign * ((Number(left.number) % 1_000) - (Number(right.number) % 1_000)),
      ),
    }
  }),
)
fault(
  'a sort by a number ignores fractions',
  { trips: ['list.sort-orders'] },
  tamperList('sort', /^-?number$/, (body, sort) => {
    const sign = sort.startsWith('-') ? -1 : 1
    const wholeOf = ({ number }: JsonValue) => Math.trunc(Number(number))
    // As they were created among those with the same whole number.
    const items = listItems(body).toSorted((left, right) =>
      String(left.created) < String(right.created) ? -1 : 1,
    )
    return { ...body, items: items.toSorted((left, right) => sign * (wholeOf(left) - wholeOf(right))) }
  }),
)
fault(
  'a sort by updated is reversed',
  { trips: ['list.sort-orders'] },
  misreadsQuery('sort', (text) => text.replace(/^-?(?=updated$)/, (sign) => (sign === '' ? '-' : ''))),
)
fault(
  'a sort by created is reversed',
  { trips: ['list.sort-orders'] },
  misreadsQuery('sort', (text) => text.replace(/^-?(?=created$)/, (sign) => (sign === '' ? '-' : ''))),
)
fault(
  'a sorted list leaves out the records without a value',
  { trips: ['list.sort-keeps-set'] },
  on('listRecords', async (request, next) => {
    const url = new URL(request.url)
    const field = url.searchParams.get('sort')?.replace(/^[-+]/, '')
    if (!/^[a-z]+$/.test(field ?? '')) return next(request)
    const filter = url.searchParams.get('filter')
    url.searchParams.set('filter', `${filter ? `(${filter}) && ` : ''}${field} != "" && ${field} != 0`)
    const response = await next(new Request(url, request))
    return response.ok ? response : next(request)
  }),
)
fault(
  'a list that is sorted by a text leaves out the records without one',
  { trips: ['list.sort-keeps-set'] },
  on('listRecords', async (request, next, { table = '' }) => {
    const url = new URL(request.url)
    const isByText = table.startsWith('conf_plain') && /^[-+]?title$/.test(url.searchParams.get('sort') ?? '')
    if (!isByText) return next(request)
    const filter = url.searchParams.get('filter')
    url.searchParams.set('filter', `${filter ? `(${filter}) && ` : ''}title != ""`)
    return next(new Request(url, { headers: request.headers }))
  }),
)
