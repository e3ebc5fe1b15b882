import { expect, it } from 'vitest'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import { passingOf, responsesOf } from './expect-alike.ts'

const response = (headers: Record<string, string>) => ({ status: 200, headers, body: {} }) as ApiResponse

it.each<[string, Record<string, string>]>([
  ['how many requests are left', { 'x-ratelimit-remaining': '7' }],
  ['how long it took', { 'server-timing': 'total;dur=3' }],
  ['which trace it belongs to', { traceparent: '00-1-2-01' }],
])('two answers are alike though a gateway says %s', (_, headers) => {
  expect(responsesOf(response(headers))).toEqual(responsesOf(response({})))
})

it('leaves out what two answers to the same request do not share', () => {
  const [one, again, other] = ['a1', 'b2', 'c3'].map((ray) => response({ 'x-ray': ray, vary: 'origin' }))
  const passing = passingOf(one as ApiResponse, again as ApiResponse)
  expect([...passing]).toEqual(['x-ray'])
  expect(responsesOf(one as ApiResponse, passing)).toEqual(responsesOf(other as ApiResponse, passing))
})

it('still sees a header that only one of the two has', () => {
  const passing = passingOf(response({ 'x-ray': 'a1' }), response({ 'x-ray': 'b2' }))
  const known = responsesOf(response({ 'x-ray': 'c3', 'x-user': '1' }), passing)
  expect(responsesOf(response({ 'x-ray': 'd4' }), passing)).not.toEqual(known)
})
