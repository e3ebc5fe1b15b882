import { describe, expect, it } from 'vitest'
import { coverageOf } from '../validate/coverage/coverage-report.ts'
import { readData } from './read-data.ts'
import { indexUnseen, whyUnseen } from './unseen.ts'

describe('unseen.yaml', () => {
  it('names operations with statuses, parameters and actors that are described', () => {
    const described = coverageOf({}, 1).missing.flatMap(({ operation, ...parts }) =>
      [...parts.statuses, ...parts.parameters, ...parts.actors].map((what) => `${operation} ${what}`),
    )
    const unseen = [...indexUnseen(readData('unseen')).keys()]
    expect(unseen.length).toBeGreaterThan(0)
    expect(unseen.filter((key) => !described.includes(key))).toEqual([])
  })

  it('returns a reason, or undefined', () => {
    expect(whyUnseen('batch', '413')).toMatch(/128 MiB/)
    expect(whyUnseen('requestOtp', 'superuser')).toMatch(/No requirement/)
    expect(whyUnseen('batch', '200')).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ['a reason that is missing', { status: '400', operation: 'batch' }, /"reason" is missing/],
    ['nothing that is unseen', { operation: 'batch', reason: 'x' }, /one of status, parameter, actor/],
    [
      'two things that are unseen',
      { status: '400', actor: 'user', operation: 'batch', reason: 'x' },
      /one of status, parameter, actor/,
    ],
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
