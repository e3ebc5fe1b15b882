import { expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { codeCandidates, emailedCode, emailedToken, segmentBefore, tokenCandidates } from './email-reading.ts'

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
  '1-2 is a a a a ',
  'a@',
  'a-',
  'href =',
  'http://a/',
  '12345-',
  'A ',
  'A\n',
  'AB ',
  'a=',
  'a:',
  'value="',
  '&#',
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

const foot =
  '\n\nExample GmbH, 10115 Berlin. Tel. +49 30 1234567. HRB 98765. 2026. Sent on 2026-11-28 at 02:30.'
const cells = [...'482913'].map((digit) => `<td>\n ${digit}\n</td>`).join('\n')

it.each([
  ['Ihr Code lautet 482913.', '482913'],
  ['あなたのコードは482913です', '482913'],
  ['コード：４８２９１３', '482913'],
  ['Your code is 482 913', '482913'],
  ['Your code: 123 45678', '12345678'],
  ['<h1>482&nbsp;913</h1>', '482913'],
  ['<h1>ABC\u2011DEF</h1>', 'ABC-DEF'],
  ['<h1>&#52;82&#x39;13</h1>', '482913'],
  ['<p>482<wbr>913</p>', '482913'],
  ['<p>482\u200b913</p>', '482913'],
  ['Your code is _482913_', '482913'],
  [`<table><tr>${cells}</tr></table>`, '482913'],
  ['4 8 2 9 1 3', '482913'],
  ['<p>Your code:</p><h1>a7k2m9</h1>', 'a7k2m9'],
  ['<h1>aB3dE9</h1>', 'aB3dE9'],
  ['<p>Code</p><p>48291348291348291311</p>', '48291348291348291311'],
  ['<a href="https://app.example.com/login?code=482913">Sign in</a>', '482913'],
  ['<a href="example-app://login?otp=aZ4kQ8mN2xR6tV0bC3dE5f">Sign in</a>', 'aZ4kQ8mN2xR6tV0bC3dE5f'],
])('the code of %j, before an address and numbers', (html, code) => {
  expect(emailedCode({ html: html + foot, text: '' })).toBe(code)
})

it.each([
  ['<h1>kqzvwb</h1>', 'kqzvwb'],
  ['Ihr Code lautet a7k2m9.', 'a7k2m9'],
  ['<h1>ABC DEF</h1>', 'ABCDEF'],
  ['<h1>482-913</h1>', '482913'],
  ['<a href="https://app.example.com/#/login/482913">Sign in</a>', '482913'],
])('the code of %j is among the words that are tried', (html, code) => {
  const words = codeCandidates({ html: html + foot, text: '' }).map(({ word }) => word)
  expect(words.slice(0, 6)).toContain(code)
})

it.each([
  ['123-456 is your code', '123-456'],
  ['AB12-CD34 is your Example verification code', 'AB12-CD34'],
  ['"482-913" ist dein Code', '482-913'],
  ['482-913 es tu código de acceso', '482-913'],
  ['2026-11 is not the code: 482-913', '482-913'],
  ['Order 123-456 is on its way', undefined],
])('the code of the subject %j', (subject, code) => {
  const text = 'Enter the code from the subject.'
  expect(emailedCode({ html: '', text, subject })).toBe(code)
})

it('two spellings of a code have two places: a target accepts one of them', () => {
  const [one, other] = codeCandidates({ html: '', text: 'Code: 482-913' })
  expect(one?.place).not.toBe(other?.place)
})

const base64 = 'CfDJ8Ab+c/dEf12+34gh/IJkl56mnop=='
const signed = 'MTI:1pXyZ3:Ab-cD_efGhIjKlMnOpQrStUv'
const page = 'https://app.example.com/verify'

it.each([
  [`Visit ${page}/${proof}.`, proof],
  [`Visit ${page}?token=${proof}, please`, proof],
  [`**${page}?token=${proof}**`, proof],
  [`<a href="${page}?token=${encodeURIComponent(base64)}&amp;type=x">Go</a>`, base64],
  [`<a href="${page}?token=${base64}">Go</a>`, base64],
  [`<a href="${page}?token=${encodeURIComponent(signed)}">Go</a>`, signed],
  [`<a href="${page}/${signed}/">Go</a>`, signed],
  [`<a href="${page}?token&#x3D;${proof}">Go</a>`, proof],
  [`<a href="https:&#x2F;&#x2F;app.example.com&#x2F;verify&#x2F;${proof}">Go</a>`, proof],
  [`<a href="com.example.app://verify?token=482913">Go</a>`, '482913'],
  [`<a href=" ${page}?token=${proof} ">Go</a>`, proof],
  [`<a href="verify?token=${proof}">Go</a>`, proof],
  [`<a href="${page};token=${proof}">Go</a>`, proof],
  [`<a href="${page}?token=kqzvwbxy">Go</a>`, 'kqzvwbxy'],
  [`<a href="${page}/kqzvwbxyabcdefghijklmnop">Go</a>`, 'kqzvwbxyabcdefghijklmnop'],
  [`<a href="${page}?uid=5f2b9c1e7d3a4b6c8e0f1a2b&token=482913">Go</a>`, '482913'],
  [`<a href="${page}?until=2026-11-28T02:30:16Z&t=${proof}">Go</a>`, proof],
  [`<a href="${page}?next=/verify?token=${proof}">Go</a>`, proof],
  [`<form action="${page}"><input type="hidden" name="token" value="${proof}"></form>`, proof],
  [`Ihr Token lautet "${proof}".`, proof],
  ['<p>Your code</p><h1>482 913</h1>', '482913'],
])('the token of %j, before an address and numbers', (html, token) => {
  expect(emailedToken({ html: html + foot, text: '' }, 'verification')).toBe(token)
})

it('a short token after the account in a path is among the words that are tried', () => {
  const html = `<a href="${page}/5f2b9c1e7d3a4b6c8e0f1a2b/482913">Go</a>${foot}`
  expect(tokenCandidates({ html, text: '' }, 'verification')[1]?.word).toBe('482913')
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
    ['Hello', false],
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

it.each([
  ['stands alone', (token: string) => `Reset your password with\n\n${token}\n`],
  ['ends a sentence', (token: string) => `Your token is ${token}.`],
  ['is in quotes', (token: string) => `Use "${token}" within an hour.`],
])('a token that begins with a hyphen or an underscore, and %s', (_, text) => {
  const random = 'Xq3ZkR8vT1mN4pW7yB2cD5fG'
  for (const token of [`-${random}`, `_${random}`, `--${random}-`, random])
    expect(emailedToken({ html: '', text: text(token) }, 'password-reset')).toBe(token)
})

it('reads a token without the signs that emphasize it', () => {
  const token = 'Xq3ZkR8vT1mN4pW7yB2cD5fG'
  for (const text of [`_${token}_`, `*${token}*`, `--${token}--`, `> ${token}`])
    expect(emailedToken({ html: '', text }, 'password-reset')).toBe(token)
})

it.each([
  ['https://example.com/activate/MTI/abcdef0123456789/', 'MTI'],
  ['https://example.com/activate/a%2Bb/abcdef0123456789?next=/', 'a+b'],
  ['https://example.com/#/activate/MTI/abcdef0123456789', 'MTI'],
  ['https://example.com/?token=abcdef0123456789', undefined],
  ['https://example.com/verify?abcdef0123456789', undefined],
  ['https://example.com/verify#abcdef0123456789', undefined],
])('reads the part of the path before a proof: %s', (link, expected) => {
  expect(segmentBefore({ html: `<a href="${link}">Go</a>`, text: '' }, 'abcdef0123456789')).toBe(expected)
})
