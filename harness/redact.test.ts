import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Redactor } from './redact.ts'

/** Long enough that no other text holds it by chance; with every character that JSON or URLs write differently. */
const secret = fc
  .string({ unit: 'binary', minLength: 8, maxLength: 40 })
  .filter((text) => !/\$[A-Z]/.test(text))
const keys = [
  'password',
  'passwordConfirm',
  'oldPassword',
  'token',
  'tokenKey',
  'clientSecret',
  'codeVerifier',
  'apiKey',
]

function holds(text: string, value: string): boolean {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].some((form) =>
    text.includes(form),
  )
}

describe('redaction', () => {
  it('lets no secret survive that entered by configuration', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const redactor = new Redactor()
        redactor.give(value, '$TOKEN')
        const text = `${before}${value}${after}`
        expect(redactor.text(text)).not.toContain(value)
        expect(holds(redactor.body(JSON.stringify({ deep: [{ note: text }] }), 'response'), value)).toBe(
          false,
        )
        expect(holds(redactor.url(`http://host/p?filter=${encodeURIComponent(text)}`), value)).toBe(false)
        expect(holds(JSON.stringify(redactor.headers({ 'x-any': text }, 'user')), value)).toBe(false)
      }),
    )
  })

  it('lets no secret survive under a key that holds secrets, nor where it comes again', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...keys), (value, key) => {
        const redactor = new Redactor()
        expect(holds(redactor.body(JSON.stringify({ a: { [key]: value } }), 'request'), value)).toBe(false)
        expect(holds(redactor.body(JSON.stringify({ echo: `you sent ${value}` }), 'response'), value)).toBe(
          false,
        )
        expect(holds(redactor.url(`/x?${key}=${encodeURIComponent(value)}&page=1`), value)).toBe(false)
      }),
    )
  })

  it('replaces a header by the name of its actor', () => {
    const redactor = new Redactor()
    expect(redactor.headers({ authorization: 'opaque-token', accept: 'a/b' }, 'user B')).toEqual({
      authorization: '$TOKEN_USER_B',
      accept: 'a/b',
    })
    expect(redactor.text('again opaque-token')).toBe('again $TOKEN_USER_B')
  })

  it('knows signed tokens and project keys by their form', () => {
    const text = new Redactor().text('a eyJhbGciOiJIUzI1NiJ9.eyJpZCI6IjEifQ.abc-_1 b rak_x1_Abc123 c')
    expect(text).toBe('a $TOKEN b $KEY c')
  })

  it('takes a code for a secret in requests only', () => {
    const redactor = new Redactor()
    expect(redactor.body('{"code":"abc12345"}', 'request')).toBe('{"code":"$CODE"}')
    expect(redactor.body('{"code":"validation_required"}', 'response')).toBe('{"code":"validation_required"}')
  })

  it('finds keys in broken JSON', () => {
    expect(new Redactor().body('{"password":"hunter22222"', 'request')).not.toContain('hunter22222')
  })

  it('keeps __proto__ a key like any other', () => {
    expect(new Redactor().body('{"__proto__":{"token":"abcdefgh"}}', 'request')).toBe(
      '{"__proto__":{"token":"$TOKEN"}}',
    )
  })
})
