import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('url', async () => {
  const plain = await oneField({ name: 'f', type: 'url' })

  it.each([
    'http://x',
    'https://x.com/a?b=c#d',
    'example.com',
    'a.bc',
    'localhost:80',
    'mailto:a@b.c',
    'user:pass@x.com',
    'ftp://a.b',
    'ws://a',
    'http://[::1]:80/x',
    'http://1.2.3.4',
    'http://ü.de',
    'http://x.com.',
    '',
  ])('accepts %j', (text) => {
    expect(plain.stored(text)).toBe(text)
    expect(plain.error(text)).toBeUndefined()
  })

  it.each([
    'a.b',
    'localhost',
    'x',
    '/x',
    '//x.com',
    'javascript:alert(1)',
    'gopher://a.b',
    'HTTP://X.COM',
    'http://a b',
    'http://',
    'http://x.com:abc',
    'http://x.com/%zz',
    'http://999.1.1.1',
    '.a.bc',
    '.a@example.com',
    `http://x.com/${'a'.repeat(2083)}`,
  ])('rejects %j', (text) => {
    expect(plain.error(text)).toEqual({ code: 'validation_invalid_url', message: 'Must be a valid url.' })
  })

  it.each([
    [{ onlyDomains: ['example.com'] }, 'https://example.com/x', undefined],
    [{ onlyDomains: ['example.com'] }, 'https://u@example.com', undefined],
    [{ onlyDomains: ['example.com'] }, 'https://example.com:80', 'validation_url_domain_not_allowed'],
    [{ onlyDomains: ['example.com'] }, 'example.com', 'validation_url_domain_not_allowed'],
    [{ exceptDomains: ['example.com'] }, 'https://example.com', 'validation_url_domain_not_allowed'],
    [{ exceptDomains: ['example.com'] }, 'example.com', undefined],
    [{ required: true }, '', 'validation_required'],
  ])('with %j, %j gives %s', async (options, text, code) => {
    const field = await oneField({ name: 'f', type: 'url', ...options })
    expect(field.error(text)?.code).toBe(code)
  })
})
