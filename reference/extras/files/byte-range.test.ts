import { expect, test } from 'vitest'
import { mostRanges, parseRanges } from './byte-range.ts'

const range = (first: number, last: number) => ({ first, last })

test.each([
  ['bytes=0-4', [range(0, 4)]],
  ['bytes=6-', [range(6, 10)]],
  ['bytes=-3', [range(8, 10)]],
  ['bytes=-99999', [range(0, 10)]],
  ['bytes=0-999', [range(0, 10)]],
  ['bytes=0-9223372036854775807', [range(0, 10)]],
  ['bytes= 0 - 1 ', [range(0, 1)]],
  ['bytes=+1-+3', [range(1, 3)]],
  ['bytes=00-01', [range(0, 1)]],
  ['bytes=-0', [range(11, 10)]],
  ['bytes=0-1, 3-4', [range(0, 1), range(3, 4)]],
  ['bytes=3-4,,0-1,', [range(3, 4), range(0, 1)]],
  ['bytes=0-1,200-', [range(0, 1)]],
  ['bytes=200-,-2', [range(9, 10)]],
  ['bytes=0-4,2-6', [range(0, 4), range(2, 6)]],
])('%s of 11 bytes', (header, ranges) => {
  expect(parseRanges(header, 11)).toEqual(ranges)
})

test.each(['', 'bytes=', 'bytes= , ,', 'bytes=0-5,5-10'])('"%s" of 11 bytes is all of them', (header) => {
  expect(parseRanges(header, 11)).toEqual([])
})

test.each(['bytes=11-', 'bytes=50-60', 'bytes=200-,300-', 'bytes=200-100', 'bytes=9223372036854775807-'])(
  '%s is outside of 11 bytes',
  (header) => {
    expect(parseRanges(header, 11)).toBe('outside')
  },
)

test.each([
  ...[
    'bytes=abc',
    'bytes=5-2',
    'items=0-1',
    'BYTES=0-1',
    'bytes =0-1',
    'bytes',
    '0-1',
    'bytes=-',
    'bytes=--1',
  ],
  ...[
    'bytes=1--2',
    'bytes=0-1-2',
    'bytes=0-1;3-4',
    'bytes=0-1,x',
    'bytes=200-,x',
    'bytes=0x1-2',
    'bytes=1.5-2',
  ],
  ...['bytes=0-9223372036854775808', 'bytes=99999999999999999999-', 'bytes=-99999999999999999999'],
])('%s is malformed', (header) => {
  expect(parseRanges(header, 11)).toBe('malformed')
})

test('an empty file is sent whole, except for a suffix', () => {
  for (const header of ['bytes=0-', 'bytes=100-', 'bytes=5-2', 'bytes=0-1,200-'])
    expect(parseRanges(header, 0)).toEqual([])
  expect(parseRanges('bytes=-5', 0)).toEqual([range(0, -1)])
  expect(parseRanges('bytes=abc', 0)).toBe('malformed')
})

test('very many ranges are not worth their parts', () => {
  const header = (count: number) => `bytes=${'-0,'.repeat(count)}`
  expect(parseRanges(header(mostRanges), 11)).toHaveLength(mostRanges)
  expect(parseRanges(header(mostRanges + 1), 11)).toEqual([])
})
