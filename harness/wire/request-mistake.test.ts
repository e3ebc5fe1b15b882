import { expect, it } from 'vitest'
import { operations } from '../../spec/openapi.ts'
import { requestMistake } from './request-mistake.ts'

it('finds an error in a body of ours', () => {
  expect(requestMistake('batch', {}, { requests: 1 })).toMatch(/requests/)
  expect(requestMistake('batch', {}, { requests: [] })).toBeUndefined()
})

it('accepts an identifier of a first factor as the target sent it', () => {
  const body = { otpId: 'a', password: 'b' }
  expect(requestMistake('authWithOtp', {}, { ...body, mfaId: 1234567890 })).toBeUndefined()
  expect(requestMistake('authWithOtp', {}, { ...body, mfaId: true })).toMatch(/mfaId type/)
})

it.each<[string, Record<string, string | number | boolean | undefined>, RegExp | undefined]>([
  ['a described query', { page: 2, perPage: '5', sort: 'a', skipTotal: true }, undefined],
  ['a parameter left out', { page: undefined }, undefined],
  ['a page that is not a number', { page: 'x' }, /page.*type/],
  ['a value that is none of those described', { skipTotal: 'yes' }, /skipTotal.*type/],
  ['a parameter that is not described', { Page: 1 }, /Page.*not in the API description/],
  ['a name that every object has', { toString: 1 } as never, /toString.*not in the API description/],
])('validates parameters: %s', (_, query, mistake) => {
  const found = requestMistake('listRecords', query)
  if (mistake === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(mistake)
})

it('finds an error in a form of ours', () => {
  const form = new FormData()
  form.append('files', new Blob(['a']))
  form.append('files', new Blob(['b']))
  expect(requestMistake('createRecord', {}, form)).toBeUndefined()
  expect(requestMistake('authRefresh', {}, form)).toMatch(/does not accept a form/)
  expect(requestMistake('authWithPassword', {}, form)).toMatch(/identity/)
})

it('a schema exists for everything that the suite sends', () => {
  for (const { id, parameters, requestBody } of operations()) {
    const query = parameters.filter((each) => each.in === 'query').map(({ name }) => [name, '1'])
    expect(() => requestMistake(id, Object.fromEntries(query))).not.toThrow()
    if (requestBody !== undefined) expect(requestMistake(id, {}, 'not an object' as never), id).toBeDefined()
    expect(() => requestMistake(id, {}, new FormData())).not.toThrow()
  }
})
