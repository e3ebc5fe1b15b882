import { expect, it } from 'vitest'
import { mismatchOf } from './mismatch.ts'

it.each([
  ['not', {}, 'must not be there'],
  ['required', { missingProperty: 'id' }, 'is missing'],
  ['type', { type: 'string' }, 'has the wrong type'],
  ['enum', { allowedValues: ['a'] }, 'has a value that is not described'],
  ['pattern', { pattern: '^a$' }, 'has the wrong form'],
  ['minimum', { limit: 1 }, 'is not as described'],
])('says what is wrong, without a word of JSON Schema: %s', (keyword, params, fault) => {
  const instancePath = keyword === 'required' ? '/record' : '/record/id'
  const error = { instancePath, schemaPath: '#', keyword, params }
  const { message } = mismatchOf(error, {}, { record: { id: 1 } }, 'viewRecord 200')
  expect(message).toBe(`viewRecord 200: /record/id ${fault}`)
})
