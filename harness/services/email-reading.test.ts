import { expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { emailedCode, emailedToken } from './email-reading.ts'

it.each([
  ['Your code is 123456', '123456'],
  ['Code:\t«123456»', '123456'],
  ['123-456 is old, but the password: 987-654', '987-654'],
  ['the kid is ABCD', 'ABCD'],
  ['see ABCD', undefined],
  ['from a.b@example12345.org to c+12345@example.org', undefined],
])('the code of %j', (text, code) => {
  expect(emailedCode({ html: '', text })).toBe(code)
})

it.each([
  ['<STYLE>p { color: #123456 }</Style><p>654321</p>', '654321'],
  ['<p>654321</p><style>unclosed', '654321'],
  ['<p>654321</p> 1 < 2', '654321'],
])('the code of the page %j', (html, code) => {
  expect(emailedCode({ html, text: '' })).toBe(code)
})

it.each([
  '<',
  '<style',
  '<style>',
  'a.',
  ': ',
  ': 12345 ',
  'is ',
  'a@',
  'a-',
  'href =',
  'http://a/',
  '12345-',
])('a long email of %j is read quickly', (piece) => {
  const text = `${piece.repeat(100_000 / piece.length)} 12345 x`
  const read = () => [emailedCode({ html: text, text }), emailedToken({ html: text, text }, 'verification')]
  const [, ms] = timed(read)
  expectWithin(ms, 1_000)
})
