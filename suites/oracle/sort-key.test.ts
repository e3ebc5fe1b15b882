import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { oracleValues, sortKeys } from './arbitraries.ts'
import { compareRecords, printKeys, reversed } from './sort-key.ts'

const up = (field: string) => ({ field, descending: false })
const down = (field: string) => ({ field, descending: true })

describe('compareRecords', () => {
  it('lets the first key decide in which two records differ', () => {
    const records = [
      { text: 'b', number: 1 },
      { text: 'a', number: 10 },
      { text: 'a', number: 9 },
    ]
    expect(
      records
        .toSorted((left, right) => compareRecords(left, right, [up('text'), down('number')]))
        .map(({ number }) => number),
    ).toEqual([10, 9, 1])
    expect(
      records
        .toSorted((left, right) => compareRecords(left, right, [up('number')]))
        .map(({ number }) => number),
    ).toEqual([1, 9, 10])
  })

  it('puts false before true', () => {
    expect(compareRecords({ bool: false }, { bool: true }, [up('bool')])).toBeLessThan(0)
  })

  it('gives the opposite order for reversed keys', () => {
    fc.assert(
      fc.property(oracleValues, oracleValues, sortKeys, (left, right, keys) => {
        const [there, back] = [keys, reversed(keys)].map((each) =>
          Math.sign(compareRecords({ ...left }, { ...right }, each)),
        )
        // Adding zero turns -0 into 0, which is another value for `toBe`.
        expect(there).toBe(-(back ?? 0) + 0)
      }),
    )
  })
})

describe('printKeys', () => {
  it('writes the sort parameter', () => {
    expect(printKeys([up('text'), down('number')])).toBe('text,-number')
  })
})
