import { describe, expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { oneField, stillEnvironment } from '../../test/support/one-field.ts'

describe('number', async () => {
  const plain = await oneField({ name: 'f', type: 'number' })

  it.each([
    [5, 5],
    ['5', 5],
    ['5.50', 5.5],
    ['1e3', 1000],
    ['+5', 5],
    ['1_000', 1000],
    ['-1_0.5e1_0', -105e9],
    ['1__0', 0],
    ['_1', 0],
    ['1_', 0],
    ['1_.5', 0],
    ['1_e3', 0],
    ['.5', 0.5],
    [true, 1],
    [' 5 ', 0],
    ['0x10', 0],
    ['abc', 0],
    ['1e400', 0],
    ['', 0],
    [null, 0],
    [[1], 0],
    [{ a: 1 }, 0],
  ])('stores %j as %j', (input, stored) => {
    expect(plain.stored(input)).toBe(stored)
  })

  const bounded = await oneField({ name: 'f', type: 'number', min: 5, max: 10, onlyInt: true })

  it.each([
    [5, undefined],
    [10, undefined],
    [0, undefined],
    ['NaN', 'validation_not_a_number'],
    ['-Inf', 'validation_not_a_number'],
    [5.5, 'validation_only_int_constraint'],
    [4, 'validation_min_number_constraint'],
    [11, 'validation_max_number_constraint'],
  ])('checks %j: %s', (input, code) => {
    expect(bounded.error(input)?.code).toBe(code)
  })

  it('is read in a time by the length of the text', () => {
    const [stored, ms] = timed(() => plain.stored(`${'1'.repeat(200_000)}x`))
    expect(stored).toBe(0)
    expectWithin(ms, 5_000)
  })

  it('accepts integers of up to 64 bits as integers', async () => {
    const whole = await oneField({ name: 'f', type: 'number', onlyInt: true })
    expect(whole.error(-(2 ** 63))).toBeUndefined()
    expect(whole.error(2 ** 63 - 1024)).toBeUndefined()
    expect(whole.error(2 ** 63)?.code).toBe('validation_only_int_constraint')
    expect(whole.error(-1e300)?.code).toBe('validation_only_int_constraint')
  })

  it('reports the bound', () => {
    expect(bounded.error(4)).toMatchObject({
      message: 'Must be greater or equal than 5.',
      params: { min: 5 },
    })
    expect(bounded.error(11)).toMatchObject({
      message: 'Must be less or equal than 10.',
      params: { max: 10 },
    })
  })

  it('must not be zero when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'number', required: true })
    expect(mandatory.error('abc')?.code).toBe('validation_required')
  })

  it.each([
    ['append', 2, 7],
    ['remove', '3', 2],
    ['append', 'abc', 5],
    ['append', null, 5],
  ] as const)('%s %j', (modifier, input, result) => {
    expect(plain.field.modifiers[modifier]?.(5, input, stillEnvironment)).toBe(result)
  })

  it('cannot be prepended to', () => {
    expect(plain.field.modifiers.prepend).toBeUndefined()
  })
})
