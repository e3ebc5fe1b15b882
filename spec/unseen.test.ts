import { describe, expect, it } from 'vitest'
import { operations } from './openapi.ts'
import { readData } from './read-data.ts'
import { indexUnseen, whyUnseen } from './unseen.ts'

describe('unseen.yaml', () => {
  it('names operations and statuses that are described', () => {
    const described = operations().flatMap(({ id, responses }) =>
      [...responses.keys()].map((status) => `${id} ${status}`),
    )
    const unseen = [...indexUnseen(readData('unseen')).keys()]
    expect(unseen.length).toBeGreaterThan(0)
    expect(unseen.filter((key) => !described.includes(key))).toEqual([])
  })

  it('returns a reason, or undefined', () => {
    expect(whyUnseen('batch', '413')).toMatch(/128 MiB/)
    expect(whyUnseen('batch', '200')).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ['a reason that is missing', { status: '400', operation: 'batch' }, /"reason" is missing/],
    ['a status that is missing', { operation: 'batch', reason: 'x' }, /"status" is missing/],
    ['no operation', { status: '400', reason: 'x' }, /"operation" is missing/],
    [
      'an unknown key',
      { status: '400', operation: 'batch', reason: 'x', why: 'y' },
      /"why" is not a known key/,
    ],
    ['the same twice', { status: '400', operation: ['batch', 'batch'], reason: 'x' }, /has a reason already/],
  ])('is rejected with %s', (_, row, message) => {
    expect(() => indexUnseen({ unseen: [row] })).toThrow(message)
  })
})
