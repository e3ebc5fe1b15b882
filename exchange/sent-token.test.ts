import { expect, it } from 'vitest'
import { sentToken } from './sent-token.ts'

it.each([
  [undefined, ''],
  ['t', 't'],
  ['Bearer t', 't'],
  ['bEARER t', 't'],
  ['Bearer Bearer t', 'Bearer t'],
  ['Bearer  t', 'Bearer  t'],
  ['Bearer\tt', 'Bearer\tt'],
  ['Bearer ', 'Bearer '],
  ['Basic t', 'Basic t'],
])('the token of %j is %j', (authorization, token) => {
  expect(sentToken(authorization)).toBe(token)
})
