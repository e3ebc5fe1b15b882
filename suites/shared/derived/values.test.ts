import { describe, expect, it } from 'vitest'
import { fitting, padded, shapeOf, wrongParameters, wrongValues } from './values.ts'

const none = () => ({})
const textOf = (value: ReturnType<typeof wrongValues>[number]) =>
  `${value.mutation}${value.detail === undefined ? '' : ` (${value.detail})`}`

describe('wrong values', () => {
  it('of a string are of all other types', () => {
    const types = wrongValues({ types: ['string'] }, false)
      .filter(({ mutation }) => mutation === 'of a wrong type')
      .map(({ change }) => change('right'))
    expect(types).toEqual([[42], [true], [[]], [{ $ne: null }], [['right']]])
  })

  it('of a number are at its bounds and beyond', () => {
    const values = wrongValues({ types: ['integer'], minimum: 0, maximum: 9 }, true)
    const bounds = values.filter(({ mutation }) => mutation.endsWith('a bound'))
    expect(bounds.map((value) => [textOf(value), ...value.change(1)])).toEqual([
      ['at a bound (minimum)', 0],
      ['beyond a bound (minimum)', -1],
      ['at a bound (maximum)', 9],
      ['beyond a bound (maximum)', 10],
    ])
    expect(values[0]).toMatchObject({ mutation: 'omitted' })
  })

  it('of a list have as many items as it may have, and one more', () => {
    const sizes = wrongValues({ types: ['array'], minItems: 2, maxItems: 4 }, true)
      .filter(({ mutation }) => mutation.endsWith('a bound'))
      .map((value) => [textOf(value), ...value.change(['a', 'b', 'c'])])
    expect(sizes).toEqual([
      ['at a bound (as few items as it may have)', ['a', 'b']],
      ['beyond a bound (an item less)', ['a']],
      ['at a bound (as many items as it may have)', ['a', 'b', 'c', 'c']],
      ['beyond a bound (an item more)', ['a', 'b', 'c', 'c', 'c']],
    ])
  })

  it('of a bound that is not a number are at it and beyond it', () => {
    const bounds = [{ detail: 'options', at: ['a'], beyond: ['a', 'b'] }]
    const values = wrongValues({ types: ['array'], bounds }, false)
    expect(values.filter(({ detail }) => detail === 'options').map(({ change }) => change('x'))).toEqual([
      [['a']],
      [['a', 'b']],
    ])
  })

  it('of an integer in a query are at both bounds and beyond', () => {
    const strings = wrongParameters({ types: ['integer'], minimum: 1, maximum: 1000 })
      .filter(({ mutation }) => mutation.endsWith('a bound'))
      .flatMap(({ change }) => change('1'))
    expect(strings).toEqual(['1', '1000', '0', '1001', '9'.repeat(40)])
  })

  it('keep the right value where a server may find it', () => {
    const keeping = wrongValues({ types: ['string'], maxLength: 20 }, true).filter(({ keeps }) => keeps)
    expect(keeping.length).toBeGreaterThan(0)
    for (const { change } of keeping) expect(JSON.stringify(change('right'))).toContain('right')
    const taking = wrongValues({ types: ['string'], minLength: 3, maxLength: 20 }, true).filter(
      ({ keeps }) => !keeps,
    )
    expect(taking.length).toBeGreaterThan(0)
    for (const { change } of taking) expect(JSON.stringify(change('right'))).not.toContain('right')
  })

  it('of a list or an object appear twice alike', () => {
    for (const type of ['array', 'object'] as const) {
      const twice = wrongValues({ types: [type] }, false).filter(({ mutation }) => mutation === 'duplicated')
      expect(twice.map(({ change }) => change('right'))).toEqual([['right', 'right']])
    }
  })

  it('of an integer in a query are words, fractions and numbers too large', () => {
    const strings = wrongParameters({ types: ['integer'] }).map(textOf)
    expect(strings).toContain('of a wrong type (1.5)')
    expect(strings).toContain('beyond a bound (of 40 digits)')
  })
})

describe('a string is padded', () => {
  it('in front', () => {
    expect(padded('end', 6)).toBe('xxxend')
  })

  it('in the query of a path', () => {
    expect(padded('/path', 10)).toBe('/path?xxxx')
  })

  it('in labels of the domain of an address, which are neither too long nor empty', () => {
    for (const length of [30, 72, 73, 133, 254]) {
      const address = padded('m@example.com', length)
      expect(address).toHaveLength(length)
      expect(address).toMatch(/^m@(?:x{1,60}\.)+example\.com$/)
    }
  })
})

describe('the shape of a schema', () => {
  it('combines all its parts', () => {
    const schema = {
      type: ['string', 'null'],
      minLength: 1,
      allOf: [{ maxLength: 9 }, { $ref: '#/$defs/Word' }],
    }
    expect(shapeOf(schema, () => ({ enum: ['a', 'b'] }))).toEqual({
      types: ['string'],
      minLength: 1,
      maxLength: 9,
      values: ['a', 'b'],
    })
  })

  it('may lead back to itself', () => {
    const schema = { type: 'object', allOf: [{ $ref: '#' }] }
    expect(shapeOf(schema, () => schema).types).toEqual(['object'])
    expect(shapeOf({}, none).types).toEqual([])
  })

  it('has a value that fits', () => {
    expect(fitting({ types: ['string'], values: ['a', 'b'] })).toBe('a')
    expect(fitting({ types: ['integer'], minimum: 5 })).toBe(5)
    expect(fitting({ types: ['string'], minLength: 3 })).toBe('xxx')
    expect(fitting({ types: [], example: null })).toBeNull()
  })
})
