import { expect, it } from 'vitest'
import { mentionedIn, tablesNamedBy } from './mentioned.ts'

const id = 'abcdefghijklmno'
const other = 'zyxwvutsrqponml'

it.each<[string, Record<string, unknown>, string[]]>([
  ['the id of another record', { author: other }, ['authors', 'author']],
  ['a list of ids', { line_items: [other, id] }, ['line_itemses', 'line_items']],
  [
    'the id of a table with an underscore',
    { lineItemId: other },
    ['lineItems', 'lineItem', 'line_items', 'line_item'],
  ],
  ['an expanded record', { expand: { author: { id: other, collectionName: 'line_items' } } }, ['line_items']],
  ['a text, a list of texts and an empty list', { title: 'A title', tags: ['one'], links: [] }, []],
])('tables that records mention by %s', (_name, fields, names) => {
  expect(mentionedIn([{ id, ...fields }])).toEqual(names)
})

it.each([
  ['author_id', 'authors'],
  ['categoryId', 'categories'],
  ['orderItemIds', 'order_items'],
  ['order_item', 'order_items'],
])('%s names the table %s', (field, name) => {
  expect(tablesNamedBy(field)).toContain(name)
})
