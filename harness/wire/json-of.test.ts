import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { deepest, jsonOf, nestedByUs } from './json-of.ts'

const nested = (levels: number, core = '1', [open, close] = ['[', ']']) =>
  open.repeat(levels) + core + close.repeat(levels)
const object = ['{"a":', '}'] as [string, string]

/** Depth of a value, computed without recursion. */
function levelsOf(value: unknown): number {
  let level = 0
  let layer = [value]
  while (layer.some((each) => typeof each === 'object' && each !== null)) {
    level += 1
    layer = layer.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return level
}

describe('the JSON of a response', () => {
  it('is the result of JSON.parse, and undefined if that fails', () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: fc.constantFrom('a', '"', '\\\\', '[', '}', '\u2028', 'é') }),
        (text) => {
          expect(jsonOf(text)).toEqual(JSON.parse(text))
        },
      ),
    )
    expect(['', '{', '[1', 'x', '['.repeat(200_000), `["${'a'.repeat(5_000)}`].map(jsonOf)).toEqual(
      Array(6).fill(undefined),
    )
  })

  it('may nest a thousand levels', () => {
    expect(levelsOf(jsonOf(nested(deepest)))).toBe(deepest)
    expect(levelsOf(jsonOf(nested(deepest, '1', object)))).toBe(deepest)
  })

  it.each([
    ['a level more', nested(1_001), '1,001'],
    ['200,000 lists', nested(200_000), '200,000'],
    ['200,000 objects', nested(200_000, '1', object), '200,000'],
    ['a record with such a field', `{"id":"x","json":${nested(200_000)}}`, '200,001'],
    ['behind strings with signs of their own', `["]]\\"}\\\\",${nested(1_000, '"[\\\\\\"["')}]`, '1,001'],
  ])('is a finding if it nests deeper: %s', (_, text, levels) => {
    expect(() => jsonOf(text)).toThrow(
      expect.objectContaining({
        name: 'ExpectationError',
        message: `a response has ${levels} levels of nested JSON, which is too deep to parse`,
        expected: 'at most 1,000 levels',
      }),
    )
  })

  it('is a finding if it has more values than fit into memory', () => {
    const list = (values: number) => `[${'[],'.repeat(values)}{}]`
    expect(jsonOf(list(400_000))).toHaveLength(400_001)
    expect(() => jsonOf(list(600_000))).toThrow(
      'a response has more than 1,000,000 JSON values, which are too many to read',
    )
    expect(() => jsonOf(`{"items":${list(600_000)}`)).toThrow('too many to read')
    expect(jsonOf(JSON.stringify(',['.repeat(600_000)))).toHaveLength(1_200_000)
  })

  it('does not count the brackets in a string as levels', () => {
    const text = '['.repeat(5_000)
    expect(jsonOf(JSON.stringify([text, `\\"${text}`, `\\\\`, text]))).toHaveLength(4)
  })

  it('may contain what the suite itself has nested; what is too deep is omitted', () => {
    const core = JSON.stringify(nestedByUs)
    const value = jsonOf(`{"id":"x","json":${nested(100_000, core)},"list":[1]}`) as Record<string, unknown>
    expect([value.id, value.list, levelsOf(value)]).toEqual(['x', [1], deepest])
  })
})
