import { expect, it } from 'vitest'
import { valuesFor } from './values-for.ts'

it.each<[string, string, string, Record<string, unknown>[], unknown]>([
  ['a consent by its name', 'acceptTerms', 'Required', [], true],
  ['a name', 'first_name', 'first_name is required', [], 'Text {unique}'],
  ['a name that is unique', 'userName', 'userName is required', [], '{unique}'],
  ['a date by its name', 'date_of_birth', 'Cannot be blank.', [], '2020-01-01'],
  ['a moment by its type', 'begins', 'must be a timestamp', [], '2020-01-01T12:00:00.000Z'],
  ['a number by its name', 'price', 'This field is required.', [], 20],
  ['a number by its type', 'floor', '{"expected":"number","message":"Required"}', [], 20],
  ['a country by its name', 'country', 'missing', [], 'US'],
  ['one of the values that a message lists', 'kind', 'must be one of: draft, published', [], 'draft'],
  ['one of a list', 'kind', '{"params":{"allowedValues":["news","blog"]}}', [], 'news'],
  ['one of a sentence', 'kind', "Invalid enum value. Expected 'a1' | 'b2'", [], 'a1'],
  ['one that the value should be', 'kind', "Input should be 'low', 'mid' or 'high'", [], 'low'],
  ['a number that records have', 'level', 'required', [{ level: 7 }], 7],
  ['a text that two records share', 'kind', 'required', [{ kind: 'a' }, { kind: 'b' }, { kind: 'b' }], 'b'],
  ['the id of another record', 'author', 'required', [{ id: 'abc12', author: 'xyz34' }], 'xyz34'],
  ['what records have under a name like it', 'companyId', 'required', [{ company_id: 3 }], 3],
])('tries %s first', (_, field, complaint, rows, value) => {
  expect(valuesFor(field, complaint, rows)[0]).toEqual(value)
})

it('tries a text of one record last: it may have to be unique', () => {
  const values = valuesFor('code', 'required', [{ id: 'a1', code: 'DE-7' }])
  expect(values).toEqual(['Text {unique}', 'Ann', 'DE-7'])
})

it('takes no long value from a record', () => {
  expect(valuesFor('data', 'required', [{ data: ['x'.repeat(200)] }])).toEqual(['Text {unique}', 'Ann'])
})
