import { expect, it } from 'vitest'
import { standardBinding } from '../../spec/gaps.ts'
import { conditionText, expansionText, orderText, queryText } from './query-text.ts'

const standard = standardBinding()

it('builds a query with the standard names', () => {
  const filter = conditionText(standard, 'title', 'a b')
  expect(filter).toBe('title = "a b"')
  expect(orderText(standard, 'rank', 'descending')).toBe('-rank')
  expect(expansionText(standard, 'parent')).toBe('parent')
  expect(queryText(standard, { filter, page: 2, sort: undefined })).toBe('?filter=title+%3D+%22a+b%22&page=2')
  expect(queryText(standard, {})).toBe('')
})

it('uses a value as a piece of the query if its parameter has no name', () => {
  const binding = { ...standard, 'list.filter': '', 'filter.equals': 'filter[{field}]={value}' }
  const filter = conditionText(binding, 'title', 'a&b=c %41')
  const query = new URLSearchParams(queryText(binding, { filter, perPage: 3 }))
  expect([...query]).toEqual([
    ['filter[title]', 'a&b=c %41'],
    ['perPage', '3'],
  ])
})

it('writes an order as two parameters', () => {
  const binding = { ...standard, 'list.sort': '', 'sort.ascending': 'orderBy={field}&order=asc' }
  expect(queryText(binding, { sort: orderText(binding, 'rank', 'ascending') })).toBe(
    '?orderBy=rank&order=asc',
  )
})

it('keeps other braces of a template', () => {
  const binding = { ...standard, 'filter.equals': '{"{field}":{"$eq":"{value}"}}' }
  expect(conditionText(binding, 'title', 'x')).toBe('{"title":{"$eq":"x"}}')
})
