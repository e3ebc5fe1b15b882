import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/support/seeded.ts'
import { newId } from '../../shared/records/new-id.ts'
import { bodies, valuesOf } from './values-of.ts'

const ids = ['one000000000000', 'two000000000000']
const { date, json } = valuesOf(ids) as Record<'date' | 'json', fc.Arbitrary<unknown>>

describe('the values that a server must keep', () => {
  it('survive JSON unchanged', () => {
    const property = fc.property(bodies(ids), (body) => {
      expect(JSON.parse(JSON.stringify(body))).toEqual(body)
    })
    fc.assert(property)
  })

  it('have dates in the form in which they are read', () => {
    const property = fc.property(date, (text) => {
      expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/)
    })
    fc.assert(property)
  })

  it('never are a text on top of json, which the profile reads again', () => {
    const property = fc.property(json, (value) => {
      expect(typeof value).not.toBe('string')
    })
    fc.assert(property)
  })

  it('come with ids of fifteen lower-case letters and digits', () => {
    let n = 0
    const made = Array.from({ length: 50 }, () => newId((prefix) => `${prefix}-${n++}`))
    for (const id of made) expect(id).toMatch(/^[a-z0-9]{15}$/)
    expect(new Set(made).size).toBe(50)
  })
})
