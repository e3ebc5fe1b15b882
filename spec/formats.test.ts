import { describe, expect, it } from 'vitest'
import { isRecordTime } from './formats.ts'

describe('isRecordTime', () => {
  it.each([
    '2024-01-02 03:04:05.006Z',
    '2024-02-29 23:59:59.999Z',
    '2000-02-29 00:00:00.000Z',
    '0001-01-01 00:00:00.000Z',
    '9999-12-31 23:59:59.999Z',
  ])('accepts %s', (text) => {
    expect(isRecordTime(text)).toBe(true)
  })

  it.each([
    ['', 'empty'],
    ['2024-01-02T03:04:05.006Z', 'T between date and time'],
    ['2024-01-02 03:04:05Z', 'no milliseconds'],
    ['2024-01-02 03:04:05.06Z', 'two digits of milliseconds'],
    ['2024-01-02 03:04:05.006', 'no zone'],
    ['2024-01-02 03:04:05.006+00:00', 'zone as an offset'],
    ['2024-01-02 03:04:05.006z', 'small z'],
    ['2023-02-29 00:00:00.000Z', 'not a leap year'],
    ['1900-02-29 00:00:00.000Z', 'not a leap year either'],
    ['2024-02-30 00:00:00.000Z', '30th of February'],
    ['2024-04-31 00:00:00.000Z', '31st of April'],
    ['2024-13-01 00:00:00.000Z', 'month 13'],
    ['2024-00-10 00:00:00.000Z', 'month 0'],
    ['2024-01-00 00:00:00.000Z', 'day 0'],
    ['2024-01-02 24:00:00.000Z', '24 o’clock'],
    ['2024-01-02 23:60:00.000Z', 'minute 60'],
    ['2024-01-02 23:59:60.000Z', 'leap second'],
    [' 2024-01-02 03:04:05.006Z', 'space before'],
    ['2024-01-02 03:04:05.006Z\n', 'newline after'],
    ['12024-01-02 03:04:05.006Z', 'five digits of year'],
    ['٢٠٢٤-01-02 03:04:05.006Z', 'other digits'],
  ])('rejects %j: %s', (text) => {
    expect(isRecordTime(text)).toBe(false)
  })
})
