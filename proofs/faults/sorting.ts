/** Defects in the order of lists. */

import { all, type JsonValue, listItems, reorder, rewriteQuery } from './combinators/combinators.ts'
import { misreadsQuery, overlooks, rejectsQuery, tamperList } from './combinators/query.ts'
import { fault } from './fault.ts'

const misreadsSort = (find: RegExp | string, replacement: string) =>
  misreadsQuery('sort', (text) => text.replaceAll(find, replacement))
/** The items of lists that are sorted by one field alone, in another order. */
const sorts = (sort: RegExp, order: (left: JsonValue, right: JsonValue) => number) =>
  tamperList('sort', sort, (body) => ({ ...body, items: listItems(body).toSorted(order) }))

fault(
  'a minus in front is overlooked',
  { trips: ['sort.direction', 'sort.reverse', 'list.sort-orders'] },
  misreadsSort('-', ''),
)
fault('a plus in front is refused', { trips: ['sort.direction'] }, rejectsQuery('sort', /^\+/))
fault('only the first key counts', { trips: ['sort.several-keys', 'sort.order'] }, misreadsSort(/,.*/g, ''))
fault('a key with spaces around is unknown', { trips: ['sort.spaces'] }, rejectsQuery('sort', / /))
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
fault('@random is insertion', { trips: ['sort.random'] }, misreadsSort('@random', '@rowid'))
fault(
  'orders through relations are refused',
  { trips: ['sort.relation'] },
  rejectsQuery('sort', /relation\./),
)
fault('orders inside json are refused', { trips: ['sort.json'] }, rejectsQuery('sort', /json\./))
fault('a sort is four keys at most', { trips: ['sort.key-limit'] }, rejectsQuery('sort', /(,[^,]*){4}/))
fault(
  'an order that cannot be had is left out',
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
  'keys are found in any case',
  { trips: ['sort.unknown-field'] },
  misreadsQuery('sort', (text) => text.replace('Number', 'number')),
)
fault(
  'from page 2 on only the first of several conditions counts',
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
  'text is sorted the wrong way round',
  { trips: ['list.sort-text', 'sort.text'] },
  all(misreadsSort(/^(-?)(name|text)$/g, '-$1$2'), misreadsSort('--', '')),
)
fault(
  'text is sorted by its second letter',
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

// What the document's own checks see: any field, and orders that distinguish some records.
fault(
  'an order by a text is upside down',
  { trips: ['list.sort-orders'] },
  misreadsQuery('sort', (text) => text.replace(/^-?(?=email$)/, (sign) => (sign === '' ? '-' : ''))),
)
fault(
  'an order by a date is one by its day of the month',
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
  'an order by a number is one by its last three digits',
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
  'an order by the moment of the create is upside down',
  { trips: ['list.sort-orders'] },
  misreadsQuery('sort', (text) => text.replace(/^-?(?=created$)/, (sign) => (sign === '' ? '-' : ''))),
)
