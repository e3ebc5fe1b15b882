import { expect, it } from 'vitest'
import { createReference, type ReferenceOptions } from '../reference.ts'

const create = (definition: object) => () =>
  createReference({ tables: [{ name: 'posts', ...definition }] } as unknown as ReferenceOptions)
const field = (given: unknown) => ({ fields: [given] })

it.each<[object, string]>([
  [{ id: 5 }, '"id" of table "posts" must be a text; found number.'],
  [{ listRule: true }, '"listRule" of table "posts" must be a text; found boolean.'],
  [{ fields: 5 }, '"fields" of table "posts" must be a list; found number.'],
  [{ indexes: [5] }, '"indexes" of table "posts" must be a list of texts; found a list.'],
  [{ type: 'auth', oauth2: 5 }, '"oauth2" of table "posts" must be an object; found number.'],
  [
    { type: 'auth', oauth2: { providers: 5 } },
    '"oauth2.providers" of table "posts" must be a list; found number.',
  ],
  [
    { type: 'auth', oauth2: { providers: [null] } },
    '"oauth2.providers.0" of table "posts" must be an object; found null.',
  ],
  [
    { type: 'auth', oauth2: { providers: [{ name: 5 }] } },
    '"oauth2.providers.0.name" of table "posts" must be a text; found number.',
  ],
  [
    { type: 'auth', passwordAuth: { identityFields: 5 } },
    '"passwordAuth.identityFields" of table "posts" must be a list of texts; found number.',
  ],
  [field(null), '"fields.0" of table "posts" must be an object; found null.'],
  [field({ name: 5, type: 'text' }), '"name" of field 0 of table "posts" must be a text; found number.'],
  [
    field({ name: 'kind', type: 'select', values: 5 }),
    '"values" of field "kind" of table "posts" must be a list of texts; found number.',
  ],
  [
    field({ name: 'rank', type: 'number', min: 'a' }),
    '"min" of field "rank" of table "posts" must be a number; found string.',
  ],
  [
    field({ name: 'at', type: 'date', min: 5 }),
    '"min" of field "at" of table "posts" must be a text; found number.',
  ],
])('a definition %j is refused with table, place and what is expected', (definition, message) => {
  expect(create(definition)).toThrow(message)
})

it('what is null counts as left out, and what nobody knows means nothing', () => {
  expect(
    create({ id: null, oauth2: null, odd: 5, fields: [{ name: 'rank', type: 'number', min: null, odd: 5 }] }),
  ).not.toThrow()
})
