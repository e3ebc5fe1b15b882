import { expect, it } from 'vitest'
import { reveals, shownOf } from './reveals.ts'

const proof = 'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6ImEifQ.c2lnbmF0dXJl'
const base64 = (text: string) => Buffer.from(text).toString('base64')

it.each<[string, string, Record<string, string>, string]>([
  ['123456', '{"code":"123456"}', {}, 'in the body'],
  ['123456', '{}', { 'x-debug-code': '123456' }, 'in a header'],
  ['123456', '{}', { 'set-cookie': 'a=1; Path=/, otp=123456; Path=/' }, 'in one of two cookies'],
  ['123456', '{}', { 'x-debug': 'code=%22123456%22' }, 'percent-encoded'],
  ['123456', `{"data":"${base64('123456')}"}`, {}, 'as base64'],
  ['123456', '{"data":"313233343536"}', {}, 'as hexadecimal digits'],
  ['123456', `{"state":"e30.${base64('{"code":"123456"}')}.c2ln"}`, {}, 'in an encoded object'],
  [proof, '', { location: `/confirm?token=${proof}` }, 'in an address'],
  [proof, '', { link: `</confirm/${proof}>; rel="next"` }, 'in a link'],
  [proof, `{"debug":"${base64(proof)}"}`, {}, 'encoded once more'],
  ['ab+c/defghijklmnop==', '{"debug":"ab+c\\/defghijklmnop=="}', {}, 'with escaped slashes'],
])('%s is revealed by %s and %j: %s', (secret, text, headers) => {
  expect(reveals({ text, headers }, secret)).toBe(true)
})

it.each<[string, string, Record<string, string>]>([
  [
    '123456',
    '{"otpId":"a"}',
    { 'content-length': '123456', etag: '"123456"', 'x-ratelimit-reset': '123456' },
  ],
  ['123456', '{}', { 'x-request-id': '91234567', 'x-time': '1700123456', 'x-at': '123456.789' }],
  ['1234', '{}', { 'x-request-id': '550e8400-e29b-1234-a716-446655440000' }],
  ['123456', `{"otpId":"${base64('{"iat":1700123456}')}"}`, {}],
  [proof, '{}', { 'set-cookie': 'session=eyJhbGciOiJIUzI1NiJ9.eyJpZCI6ImEifQ.b3RoZXI; Path=/' }],
])('%s is not revealed by %s and %j', (secret, text, headers) => {
  expect(reveals({ text, headers }, secret)).toBe(false)
})

it('shows the headers that it looks into', () => {
  expect(shownOf({ text: '{}', headers: { date: 'x', 'x-debug': '1' } })).toBe('x-debug: 1\n{}')
})
