import { expect, it } from 'vitest'
import type { Reply } from '../../../harness/vocabulary/api.ts'
import { passingOf, responsesOf } from './alike.ts'

const reply = (headers: Record<string, string>) => ({ status: 200, headers, body: {} }) as Reply

it.each<[string, Record<string, string>]>([
  ['how many requests are left', { 'x-ratelimit-remaining': '7' }],
  ['how long it took', { 'server-timing': 'total;dur=3' }],
  ['which trace it belongs to', { traceparent: '00-1-2-01' }],
])('two answers are alike though a gateway says %s', (_, headers) => {
  expect(responsesOf(reply(headers))).toEqual(responsesOf(reply({})))
})

it('leaves out what two answers to the same request do not share', () => {
  const [one, again, other] = ['a1', 'b2', 'c3'].map((ray) => reply({ 'x-ray': ray, vary: 'origin' }))
  const passing = passingOf(one as Reply, again as Reply)
  expect([...passing]).toEqual(['x-ray'])
  expect(responsesOf(one as Reply, passing)).toEqual(responsesOf(other as Reply, passing))
})

it('still sees a header that only one of the two has', () => {
  const passing = passingOf(reply({ 'x-ray': 'a1' }), reply({ 'x-ray': 'b2' }))
  const known = responsesOf(reply({ 'x-ray': 'c3', 'x-user': '1' }), passing)
  expect(responsesOf(reply({ 'x-ray': 'd4' }), passing)).not.toEqual(known)
})
