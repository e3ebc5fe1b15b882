import { expect, it } from 'vitest'
import { createReference, type ReferenceOptions } from '../reference.ts'

const create = (definition: object) => () =>
  createReference({ tables: [{ name: 'posts', ...definition }] } as unknown as ReferenceOptions)
const field = (given: unknown) => ({ fields: [given] })

it.each<[object, string]>([
  [{ id: 5 }, '"id" of table "posts" must be a string; found a number.'],
  [{ listRule: true }, '"listRule" of table "posts" must be a string; found a boolean.'],
  [{ fields: 5 }, '"fields" of table "posts" must be an array; found a number.'],
  [{ indexes: [5] }, '"indexes.0" of table "posts" must be a string; found a number.'],
  [{ type: 'auth', oauth2: 5 }, '"oauth2" of table "posts" must be an object; found a number.'],
  [
    { type: 'auth', oauth2: { providers: 5 } },
    '"oauth2.providers" of table "posts" must be an array; found a number.',
  ],
  [
    { type: 'auth', oauth2: { providers: [null] } },
    '"oauth2.providers.0" of table "posts" must be an object; found nothing.',
  ],
  [
    { type: 'auth', oauth2: { providers: [{ name: 5 }] } },
    '"oauth2.providers.0.name" of table "posts" must be a string; found a number.',
  ],
  [
    { type: 'auth', passwordAuth: { identityFields: 5 } },
    '"passwordAuth.identityFields" of table "posts" must be an array; found a number.',
  ],
  [
    { type: 'auth', authToken: { duration: '600' } },
    '"authToken.duration" of table "posts" must be a number; found a string.',
  ],
  [
    field({ name: 'tags', type: 'select', values: ['a', 5] }),
    '"values.1" of field "tags" of table "posts" must be a string; found a number.',
  ],
  [field(null), '"fields.0" of table "posts" must be an object; found nothing.'],
  [field({ name: 5, type: 'text' }), '"name" of field 0 of table "posts" must be a string; found a number.'],
  [
    field({ name: 'kind', type: 'select', values: 5 }),
    '"values" of field "kind" of table "posts" must be an array; found a number.',
  ],
  [
    field({ name: 'rank', type: 'number', min: 'a' }),
    '"min" of field "rank" of table "posts" must be a number; found a string.',
  ],
  [
    field({ name: 'at', type: 'date', min: 5 }),
    '"min" of field "at" of table "posts" must be a string; found a number.',
  ],
])('a definition %j is rejected with the table, the place and what is expected', (definition, message) => {
  expect(create(definition)).toThrow(message)
})

it.each<[object, string]>([
  [{ listRul: '' }, '"listRul" of table "posts" is unknown. Did you mean "listRule"?'],
  [
    { schema: [{ name: 'rank', type: 'number', options: { min: 1 } }] },
    '"schema" of table "posts" is how old servers of the living family export fields.',
  ],
  [{ feilds: [] }, '"feilds" of table "posts" is unknown. Did you mean "fields"?'],
  [
    { type: 'auth', otp: { enabeld: true } },
    '"otp.enabeld" of table "posts" is unknown. Did you mean "enabled"?',
  ],
  [
    { type: 'auth', passwordAuth: { identityField: ['email'] } },
    '"passwordAuth.identityField" of table "posts" is unknown. Did you mean "identityFields"?',
  ],
  [
    { type: 'auth', oauth2: { providers: [{ name: 'oidc', clientID: 'x' }] } },
    '"oauth2.providers.0.clientID" of table "posts" is unknown. Did you mean "clientId"?',
  ],
  [{ lsitRule: '' }, '"lsitRule" of table "posts" is unknown. Did you mean "listRule"?'],
  [
    field({ name: 'rank', type: 'number', requird: true }),
    '"requird" of field "rank" of table "posts" is unknown. Did you mean "required"?',
  ],
])('a misspelled key in %j is rejected', (definition, message) => {
  expect(create(definition)).toThrow(message)
})

it('null counts as left out, and unknown keys mean nothing', () => {
  expect(
    create({ id: null, oauth2: null, odd: 5, fields: [{ name: 'rank', type: 'number', min: null, odd: 5 }] }),
  ).not.toThrow()
})

it('a field type that does not exist is rejected with the nearest one', () => {
  expect(create(field({ name: 'rank', type: 'nubmer' }))).toThrow(
    'field "rank", type: There is no field type "nubmer". Did you mean "number"? The types are text, number,',
  )
  expect(create(field({ name: 'rank', type: 'toString' }))).toThrow('There is no field type "toString".')
})
