import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('email', async () => {
  const plain = await oneField({ name: 'f', type: 'email' })

  it.each(['a@b.co', 'A+b@B.CO', 'ü@ü.de', 'a@b_c.de', 'a@b.co.', '"a"@c.de', 'a@b~c.de', ''])(
    'accepts %j',
    (text) => {
      expect(plain.stored(text)).toBe(text)
      expect(plain.error(text)).toBeUndefined()
    },
  )

  it.each([
    'a@b',
    'x@localhost',
    '@b.co',
    'a..b@c.de',
    '.a@c.de',
    'a@-b.co',
    'a@1.2.3.4',
    'a@b@c.de',
    ' a@b.co',
    'a b@c.de',
    '"a b"@c.de',
    'a@b.co\n',
    'a',
  ])('rejects %j', (text) => {
    expect(plain.error(text)).toEqual({
      code: 'validation_is_email',
      message: 'Must be a valid email address.',
    })
  })

  it('takes no longer for a long text', () => {
    expect(plain.error(`${'a-'.repeat(200_000)}@${'b.'.repeat(200_000)}1`)?.code).toBe('validation_is_email')
  })

  it.each([
    [{ onlyDomains: ['example.com'] }, 'a@example.com', undefined],
    [{ onlyDomains: ['example.com'] }, 'a@EXAMPLE.com', 'validation_email_domain_not_allowed'],
    [{ onlyDomains: ['example.com'] }, 'a@x.example.com', 'validation_email_domain_not_allowed'],
    [{ exceptDomains: ['example.org'] }, 'a@example.org', 'validation_email_domain_not_allowed'],
    [{ exceptDomains: ['example.org'] }, 'a@example.com', undefined],
    [{ required: true }, '', 'validation_required'],
  ])('with %j, %j gives %s', async (options, text, code) => {
    const field = await oneField({ name: 'f', type: 'email', ...options })
    expect(field.error(text)?.code).toBe(code)
  })
})
