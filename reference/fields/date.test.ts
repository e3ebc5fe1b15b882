import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('date', async () => {
  const plain = await oneField({ name: 'f', type: 'date' })

  it.each([
    ['2020-01-02', '2020-01-02 00:00:00.000Z'],
    ['2020-01-02 03:04:05.678Z', '2020-01-02 03:04:05.678Z'],
    ['2020-01-02T03:04:05Z', '2020-01-02 03:04:05.000Z'],
    ['2020-01-02T03:04:05.123456789+02:00', '2020-01-02 01:04:05.123Z'],
    ['2020-01-02T03:04:05', '2020-01-02 03:04:05.000Z'],
    ['2020-01-02 1:04:05', '2020-01-02 01:04:05.000Z'],
    ['2020-01-02 03:04:05 +0200', '2020-01-02 01:04:05.000Z'],
    ['2020-01-02 03:04:05 +02:00', '2020-01-02 01:04:05.000Z'],
    ['2020-01-02 03:04:05.5 +0200 CEST', '2020-01-02 01:04:05.500Z'],
    ['2020-01-02T03:04:05+0200', '2020-01-02 01:04:05.000Z'],
    ['Thu, 02 Jan 2020 03:04:05 GMT', '2020-01-02 03:04:05.000Z'],
    ['02 Jan 20 03:04 +0200', '2020-01-02 01:04:00.000Z'],
    ['Thursday, 02-Jan-20 03:04:05 UTC', '2020-01-02 03:04:05.000Z'],
    ['Thu Jan  2 03:04:05 2020', '2020-01-02 03:04:05.000Z'],
    ['Thu Jan 02 03:04:05 +0200 2020', '2020-01-02 01:04:05.000Z'],
    ['02 JAN 2020', '2020-01-02 00:00:00.000Z'],
    ['3:04PM', '0000-01-01 15:04:00.000Z'],
    ['Jan  2 15:04:05', '0000-01-02 15:04:05.000Z'],
  ])('reads %j as %j', (input, stored) => {
    expect(plain.stored(input)).toBe(stored)
  })

  it.each([
    'garbage',
    '2020-13-01',
    '2020-02-30',
    '2020-01-02T03:04',
    '2020-01-02t03:04:05z',
    '2020-01-02 24:00:00',
    '10000-01-01',
    '0001-01-01 00:00:00.000Z',
    ' 2020-01-02',
    '1577934245',
    1577934245,
    1577934245000,
    null,
    true,
    [],
    {},
  ])('reads %j as nothing', (input) => {
    expect(plain.stored(input)).toBe('')
    expect(plain.error(input)).toBeUndefined()
  })

  const bounded = await oneField({
    name: 'f',
    type: 'date',
    min: '2020-01-01',
    max: '2030-12-31 12:00:00.500Z',
  })

  it.each([
    ['2020-01-01', undefined],
    ['2030-12-31 12:00:00.500Z', undefined],
    [
      '2019-12-31',
      {
        code: 'validation_min_greater_equal_than_required',
        message: 'Must be no less than 2020-01-01 00:00:00 +0000 UTC.',
        params: { threshold: '2020-01-01T00:00:00Z' },
      },
    ],
    [
      '2031-01-01',
      {
        code: 'validation_max_less_equal_than_required',
        message: 'Must be no greater than 2030-12-31 12:00:00.5 +0000 UTC.',
        params: { threshold: '2030-12-31T12:00:00.5Z' },
      },
    ],
  ])('checks %j', (input, error) => {
    expect(bounded.error(input)).toEqual(error)
  })

  it('must be a date when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'date', required: true })
    expect(mandatory.error('garbage')?.code).toBe('validation_required')
  })
})
