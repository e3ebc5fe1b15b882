import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('json', async () => {
  const plain = await oneField({ name: 'f', type: 'json' })

  it.each([
    [null, null],
    [1, 1],
    ['x', 'x'],
    ['', ''],
    [' 1', ' 1'],
    ['123', 123],
    ['-1', -1],
    ['"q"', 'q'],
    ['{"a":1}', { a: 1 }],
    ['[1,', '[1,'],
    ['true', true],
    ['null', null],
    ['truex', 'truex'],
    ['01', '01'],
    ['-', '-'],
    ['1e999', '1e999'],
    [`{"a":${'9'.repeat(250)}e99}`, `{"a":${'9'.repeat(250)}e99}`],
    ['"\\ud800"', '\ufffd'],
    [
      [1, 'a'],
      [1, 'a'],
    ],
  ])('stores %j as %j', (input, stored) => {
    expect(plain.stored(input)).toEqual(stored)
  })

  it.each(['a\u0001b', 'a\0', '\u007f', '[1,\u001b'])(
    'rejects the text %j, which is not JSON itself',
    (text) => {
      expect(plain.error(text)).toEqual({
        code: 'validation_invalid_json',
        message: 'Must be a valid json value.',
      })
    },
  )

  it.each(['a\b\f\n\r\tb', '"a\\u0001b"', ['\u0001']])('accepts %j', (input) => {
    expect(plain.error(input)).toBeUndefined()
  })

  it('sorts the keys of objects, whatever they are named', () => {
    const input = JSON.parse('{"b":{"d":1,"c":2},"__proto__":1,"a":[{"z":1,"y":2}]}')
    expect(JSON.stringify(plain.stored(input))).toBe('{"__proto__":1,"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}')
  })

  it('keeps a text as it is when the value in it is too deep to be written again', () => {
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(plain.stored(deep(500))).toHaveLength(1)
    for (const depth of [501, 3500, 100_000]) expect(plain.stored(deep(depth))).toBe(deep(depth))
  })

  it('counts the bytes of the JSON text', async () => {
    const small = await oneField({ name: 'f', type: 'json', maxSize: 6 })
    expect(small.error('abcd')).toBeUndefined()
    expect(small.error('abcde')).toEqual({
      code: 'validation_json_size_limit',
      message: 'The maximum allowed JSON size is 6 bytes.',
      params: { maxSize: 6 },
    })
  })

  // Compared with the living family.
  it.each([
    [['<b>x</b>'], false],
    [['<b>'], true],
    [{ a: '\u2028'.repeat(4) }, false],
    ['<b>x</b><b>x</b><b>x</b>', true],
    [`[1${' '.repeat(30)}]`, false],
    ['{"a":"<<<<<"}', true],
  ])('counts %j as the living family stores it', async (input, fits) => {
    const small = await oneField({ name: 'f', type: 'json', maxSize: 30 })
    expect(small.error(input) === undefined).toBe(fits)
  })

  it.each([
    [null, 'validation_required'],
    ['', 'validation_required'],
    [[], 'validation_required'],
    [{}, 'validation_required'],
    [0, undefined],
    [false, undefined],
  ])('required: %j gives %s', async (input, code) => {
    const mandatory = await oneField({ name: 'f', type: 'json', required: true })
    expect(mandatory.error(input)?.code).toBe(code)
  })
})
