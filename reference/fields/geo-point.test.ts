import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('geoPoint', async () => {
  const plain = await oneField({ name: 'f', type: 'geoPoint' })

  it.each([
    [
      { lon: 1, lat: 2, x: 3 },
      { lon: 1, lat: 2 },
    ],
    [
      { LON: 1, Lat: 2 },
      { lon: 1, lat: 2 },
    ],
    [{ lon: 1 }, { lon: 1, lat: 0 }],
    ['{"lon":1,"lat":2}', { lon: 1, lat: 2 }],
    [
      { lon: '1', lat: '2' },
      { lon: 0, lat: 0 },
    ],
    ['bad', { lon: 0, lat: 0 }],
    [[1, 2], { lon: 0, lat: 0 }],
    [null, { lon: 0, lat: 0 }],
    ['', { lon: 0, lat: 0 }],
    [5, { lon: 0, lat: 0 }],
  ])('stores %j as %j', (input, stored) => {
    expect(plain.stored(input)).toEqual(stored)
  })

  it.each([
    [{ lon: 180, lat: 90 }, undefined],
    [{ lon: 181, lat: 91 }, 'validation_invalid_latitude'],
    [{ lon: -181, lat: 0 }, 'validation_invalid_longitude'],
  ])('checks %j: %s', (input, code) => {
    expect(plain.error(input)?.code).toBe(code)
  })

  it('must not be 0,0 when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'geoPoint', required: true })
    expect(mandatory.error({ lon: 0, lat: 0 })?.code).toBe('validation_required')
    expect(mandatory.error({ lon: 1, lat: 0 })).toBeUndefined()
  })
})
