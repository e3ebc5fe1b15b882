import { expect, it } from 'vitest'
import { operation, responseSchema } from './openapi.ts'
import { requirementAt } from './requirement-at.ts'

const list = responseSchema(operation('listRecords'), 200) ?? {}
const created = responseSchema(operation('createRecord'), 200) ?? {}
const batched = responseSchema(operation('batch'), 200) ?? {}
const refreshed = responseSchema(operation('authRefresh'), 200) ?? {}
const secondFactor = responseSchema(operation('authWithPassword'), 401) ?? {}
const signedIn = responseSchema(operation('authWithPassword'), 200) ?? {}
const rejected = responseSchema(operation('listRecords'), 400) ?? {}

it.each([
  [list, '/totalPages', 'list.total-pages'],
  [list, '/items', 'list.items'],
  [list, '/items/0/created', 'record.created'],
  [list, '/items/3/expand', 'wire.schema'],
  [list, '/items/3/expand/parent/id', 'wire.schema'],
  [list, '/items/3/expand/children/2/id', 'wire.schema'],
  [list, '/items/3/expand/children/2/tokenKey', 'wire.no-secrets'],
  [list, '/items/0/someField', 'list.items'],
  [list, '/items/3/password', 'password.never-shown'],
  [created, '', 'wire.schema'],
  [created, '/id', 'wire.schema'],
  [created, '/expand/parent/created', 'wire.schema'],
  [created, '/passwordHash', 'wire.no-secrets'],
  [created, '/password', 'password.never-shown'],
  [batched, '/0/status', 'batch.entry'],
  [batched, '/0/body/id', 'batch.entry'],
  [batched, '/0/body/tokenKey', 'wire.no-secrets'],
  [refreshed, '/token', 'wire.schema'],
  [refreshed, '/record/verified', 'wire.schema'],
  [secondFactor, '/mfaId', 'wire.schema'],
  [signedIn, '/token', 'auth.response-token'],
  [signedIn, '/record', 'auth.response-record'],
  [signedIn, '/record/email', 'auth-record.email'],
  [signedIn, '/record/verified', 'auth-record.verified'],
  [signedIn, '/record/collectionName', 'record.collection-name'],
  [rejected, '', 'error.envelope'],
  [rejected, '/data/title/code', 'error.field-shape'],
  [list, '/unheard', 'list.shape'],
  [responseSchema(operation('listAuthMethods'), 200) ?? {}, '/otp', undefined],
])('%#: %s', (schema, path, requirement) => {
  expect(requirementAt(schema, path)).toBe(requirement)
})

it('selects the part that was violated if several apply to one value', () => {
  expect(requirementAt(list, '/page', 'type')).toBe('list.page')
  expect(requirementAt(list, '/page', 'minimum')).toBe('wire.schema')
  expect(requirementAt(list, '/perPage', 'minimum')).toBe('wire.schema')
  expect(requirementAt(list, '/totalItems', 'minimum')).toBe('list.total-items')
})
