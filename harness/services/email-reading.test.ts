import { expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { codeCandidates, emailedCode, emailedToken, tokenCandidates } from './email-reading.ts'

it.each([
  ['Your code is 123456', '123456'],
  ['Code:\t«123456»', '123456'],
  ['123-456 is old, but the password: 987-654', '987-654'],
  ['the kid is ABCD', 'ABCD'],
  ['see ABCD', undefined],
  ['your code is G-123456\nACME Ltd, 12345 Springfield', 'G-123456'],
  ['your code is 123\nACME Ltd, 12345 Springfield', '123'],
  ['your code is apple-river-stone\nACME Ltd, 12345 Springfield', 'apple-river-stone'],
  ['your code is valid for ten minutes: 123456', '123456'],
  ['your code is below.\n123456', '123456'],
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

const proof = 'aZ4kQ8mN2xR6tV0bC3dE5fG7hJ9lP1sU'
const real = `https://app.example.com/auth/reset?proof=${proof}`

it.each([
  [`https://click.example.net/ls?upn=${encodeURIComponent(real)}&h=0123456789abcdefabcdef`],
  [`https://click.example.net/ls/${encodeURIComponent(real)}/1/0123456789abcdefabcdef`],
  [
    `https://a.example.net/?to=${encodeURIComponent(`https://b.example.net/?to=${encodeURIComponent(real)}`)}`,
  ],
])('the token of the link in the link %s', (text) => {
  expect(emailedToken({ html: '', text }, 'password-reset')).toBe(proof)
})

it('a link that leads to itself ends', () => {
  let text = real
  for (let depth = 0; depth < 9; depth += 1) text = `https://a.example.net/?to=${encodeURIComponent(text)}`
  expect(emailedToken({ html: '', text }, 'password-reset')).toBeUndefined()
})

it('each word that may be a code, the likeliest first', () => {
  const text = 'Hello\n\nyour code is 4711\n\nTel. 0800 123456'
  const found = codeCandidates({ html: '<p>Code 4711</p>', text })
  expect(found.map(({ word, isClear }) => [word, isClear])).toEqual([
    ['4711', true],
    ['123456', false],
    ['0800', false],
  ])
})

it('the word whose place was proven comes first, whatever it is', () => {
  const write = (campaign: string, token: string) =>
    tokenCandidates(
      { html: '', text: `https://example.com/go?campaign=${campaign}&k=${token}` },
      'verification',
      {
        isProven: (place) => place === 'link example.com/go k',
      },
    )
  expect(write('0123456789abcdefabcdef0123', '0123456789abcdef').map(({ word }) => word)).toEqual([
    '0123456789abcdef',
    '0123456789abcdefabcdef0123',
  ])
})

it('a place is the same in emails that are written alike', () => {
  const placeOf = (id: string) =>
    tokenCandidates(
      { html: '', text: `https://example.com/u/${id}/reset/${id}0123456789abcdef` },
      'password-reset',
    ).map(({ place }) => place)
  expect(placeOf('12')).toEqual(placeOf('345'))
})
