import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('bool', async () => {
  const plain = await oneField({ name: 'f', type: 'bool' })

  it.each([true, 1, 2, -1, '1', 't', 'T', 'true', 'TRUE', 'True'])('%j is true', (input) => {
    expect(plain.stored(input)).toBe(true)
  })

  it.each([false, 0, '0', 'f', 'false', 'tRUE', 'yes', 'on', '', null, [], {}])('%j is false', (input) => {
    expect(plain.stored(input)).toBe(false)
  })

  it('must be true when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'bool', required: true })
    expect(mandatory.error('yes')?.code).toBe('validation_required')
    expect(mandatory.error('true')).toBeUndefined()
  })
})
