import { describe, expect, it } from 'vitest'
import { oneField, stillEnvironment } from '../../test/support/one-field.ts'

describe('select', async () => {
  const values = ['a', 'b', 'c']
  const single = await oneField({ name: 'f', type: 'select', values, maxSelect: 1 })
  const multiple = await oneField({ name: 'f', type: 'select', values, maxSelect: 2 })

  it.each([
    ['a', 'a', ['a']],
    [['a', 'b'], 'b', ['a', 'b']],
    ['["a","b"]', 'b', ['a', 'b']],
    ['a,b', 'a,b', ['a,b']],
    ['[a', '[a', ['[a']],
    [['', null, 'a', 'a'], 'a', ['a']],
    [['a', {}], '', []],
    [[['a']], '', []],
    [{ a: 1 }, '', []],
    [5, '5', ['5']],
    [true, 'true', ['true']],
    [null, '', []],
    ['', '', []],
    [[], '', []],
  ])('stores %j as %j or %j', (input, one, many) => {
    expect(single.stored(input)).toEqual(one)
    expect(multiple.stored(input)).toEqual(many)
  })

  it.each([
    [['a', 'b'], undefined],
    [
      ['a', 'b', 'c'],
      { code: 'validation_too_many_values', message: 'Select no more than 2.', params: { maxSelect: 2 } },
    ],
    [
      ['why? '],
      { code: 'validation_invalid_value', message: 'Invalid value why?', params: { value: 'why? ' } },
    ],
    [['x', 'a'], { code: 'validation_invalid_value', message: 'Invalid value x.', params: { value: 'x' } }],
  ])('checks %j', (input, error) => {
    expect(multiple.error(input)).toEqual(error)
  })

  it('looks only at the value that a single field keeps', () => {
    expect(single.error(['x', 'a'])).toBeUndefined()
    expect(single.error(['a', 'x'])?.code).toBe('validation_invalid_value')
  })

  it('must not be empty when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'select', values, required: true })
    expect(mandatory.error([])?.code).toBe('validation_required')
  })

  it.each([
    ['append', ['c', 'a'], ['a', 'b', 'c'], 'c'],
    ['append', 'c', ['a', 'b', 'c'], 'c'],
    ['prepend', ['b', 'c'], ['b', 'c', 'a'], 'a'],
    ['remove', ['x', 'a'], ['b'], ''],
    ['remove', 'b', ['a'], 'a'],
  ] as const)('%s %j gives %j or %j', (modifier, input, many, one) => {
    expect(multiple.field.modifiers[modifier]?.(['a', 'b'], input, stillEnvironment)).toEqual(many)
    expect(single.field.modifiers[modifier]?.('a', input, stillEnvironment)).toEqual(one)
  })
})
