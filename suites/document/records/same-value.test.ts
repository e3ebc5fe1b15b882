import { describe, expect, it } from 'vitest'
import { sameValue } from './same-value.ts'

const same: [field: string, sent: unknown, shown: unknown[]][] = [
  ['text', 'x', ['x']],
  ['number', -1.5, [-1.5, '-1.5', '-1.50']],
  ['number', 0, [0, '0']],
  ['bool', true, [true]],
  ['date', '1971-01-01 00:00:00.012Z', [31536000, 31536000012]],
  ['email', 'anna@a.example.com', ['anna@a.example.com', 'anna@A.example.com']],
  ['url', 'https://a.example.com', ['https://a.example.com', 'https://a.example.com/']],
  ['editor', '<p>ab &amp; <b>c</b></p>', ['<p>ab &amp; <b>c</b></p>', '<div>ab & <strong>c</strong></div>']],
  [
    'date',
    '2024-02-29 12:00:00.123Z',
    [
      '2024-02-29T12:00:00Z',
      '2024-02-29T13:00:00.123+01:00',
      '2024-02-29 12:00:00',
      1709208000,
      1709208000123,
    ],
  ],
  ['select', '', ['', null, []]],
  ['select', 'a', ['a', ['a']]],
  ['selects', ['a', 'b'], [['b', 'a']]],
  ['selects', [], [[], null, '']],
  ['json', { a: [1] }, [{ a: [1] }, '{"a":[1]}']],
  ['json', { a: [1, null, [null]] }, [{ a: [1, []] }]],
  ['json', { '': 5.7903778763120904e-307 }, [{ '': 5.79037787631209e-307 }]],
  ['json', 2.2584987366653199e46, [2.25849873666532e46]],
  ['json', { c: '', d: ' x ', e: '  ' }, [{ c: null, d: 'x', e: null }]],
  ['json', null, [null, undefined, 'null']],
  ['relation', '', ['', null]],
  ['relations', ['r1', 'r2'], [['r2', 'r1'], { r2: { id: 'r2' }, r1: { id: 'r1' } }]],
  [
    'geo',
    { lon: 1.5, lat: -2 },
    [{ lat: -2, lon: 1.5 }, [1.5, -2], 'POINT(1.5 -2)', { type: 'Point', coordinates: [1.5, -2] }],
  ],
]

const other: [field: string, sent: unknown, shown: unknown[]][] = [
  ['text', 'x', ['X', ' x', null, undefined]],
  ['number', 0, ['', null, 1]],
  ['number', 7, [null, undefined, '8']],
  ['bool', true, [1, 'true', null]],
  ['email', 'anna@a.example.com', ['', null, 'anne@a.example.com']],
  ['url', 'https://a.example.com', ['https://b.example.com', null]],
  ['editor', '<p>ab</p>', ['<p></p>', null, 'ac']],
  ['date', '1971-01-01 00:00:00.012Z', ['', null, 0, 31536]],
  ['date', '2024-02-29 12:00:00.123Z', ['2024-02-29 13:00:00.123Z', '', null, undefined, 0]],
  ['date', '', ['2024-02-29 12:00:00.123Z']],
  ['select', 'a', ['b', '', null]],
  ['selects', ['a', 'b'], [['a'], [], ['a', 'b', 'c']]],
  ['json', { a: [1] }, [{ a: [2] }, null, '', '{"a":']],
  ['json', [1], [[1, null], [2], { 0: 1 }]],
  ['json', { a: 1.5 }, [{ a: 1 }, { a: 1.5, b: null }, { b: 1.5 }]],
  ['json', null, ['x', {}]],
  ['relation', 'r1', ['r2', null, { id: 'r1' }, ['r1']]],
  ['relations', ['r1'], [['r2'], [], null, {}, { r2: { id: 'r2' } }]],
  ['geo', { lon: 1.5, lat: -2 }, [{ lon: -2, lat: 1.5 }, [1.5], null, {}]],
]

describe('the same value', () => {
  it.each(same.flatMap(([field, sent, shown]) => shown.map((each) => [field, sent, each] as const)))(
    'of a %s field: %j, shown as %j',
    (field, sent, shown) => expect(sameValue(field, shown, sent)).toBe(true),
  )
})

describe('another value', () => {
  it.each(other.flatMap(([field, sent, shown]) => shown.map((each) => [field, sent, each] as const)))(
    'of a %s field: %j, shown as %j',
    (field, sent, shown) => expect(sameValue(field, shown, sent)).toBe(false),
  )
})
