import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('password', async () => {
  const pin = await oneField({ name: 'f', type: 'password', min: 4, max: 6, pattern: '^[0-9]+$' })

  it('is never shown', () => {
    expect(pin.field.accept(1234)).toBe('1234')
    expect(pin.stored('1234')).toBe('')
  })

  it.each([
    ['1234', undefined],
    ['', undefined],
    ['123', { code: 'validation_min_text_constraint', message: 'Must be at least 4 character(s).' }],
    ['1234567', { code: 'validation_max_text_constraint', message: 'Must be less than 6 character(s).' }],
    ['abcd', { code: 'validation_invalid_format', message: 'Invalid value format.' }],
  ])('checks %j', (input, error) => {
    expect(pin.error(input)).toEqual(error)
  })

  it('accepts 71 characters if there is no max', async () => {
    const plain = await oneField({ name: 'f', type: 'password' })
    expect(plain.error('x'.repeat(71))).toBeUndefined()
    expect(plain.error('x'.repeat(72))?.code).toBe('validation_max_text_constraint')
  })

  it('takes 72 bytes, which may be fewer characters', async () => {
    const plain = await oneField({ name: 'f', type: 'password' })
    expect(plain.error('é'.repeat(36))).toBeUndefined()
    for (const long of ['é'.repeat(37), 'x'.repeat(73)]) {
      expect(plain.error(long)).toEqual({ code: 'validation_invalid_value', message: 'Invalid value.' })
    }
  })

  it('leaves an untouched hash alone', () => {
    expect(pin.error('scrypt$a-long-hash', { stored: 'scrypt$a-long-hash' })).toBeUndefined()
  })

  it('must not be empty when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'password', required: true })
    expect(mandatory.error('')?.code).toBe('validation_required')
  })
})
