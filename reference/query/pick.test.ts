import { expect, test } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { applyPick, parsePick } from './pick.ts'
import { QueryError } from './query-error.ts'

const record = {
  id: 'x',
  title: '<p>Hello <b>wor</b>ld</p><p>Two &amp; three</p>',
  n: 5,
  tags: ['a', 'b'],
  geo: { lon: 1, lat: 2 },
  expand: { cat: { id: 'c', name: 'C' }, kids: [{ id: 'k', name: 'K' }] },
}
const { expand, geo, ...plain } = record

test.each<[string, Record<string, unknown>]>([
  ['', record],
  [',', record],
  ['*', record],
  ['id', { id: 'x' }],
  ['nope', {}],
  ['ID', {}],
  [' id , n ', { id: 'x', n: 5 }],
  ['geo.lat', { geo: { lat: 2 } }],
  ['geo,geo.lat', { geo }],
  ['n.x', { n: 5 }],
  ['tags.0', { tags: ['a', 'b'] }],
  ['*,expand.cat.name', { ...plain, geo, expand: { cat: { name: 'C' } } }],
  ['expand.kids.name', { expand: { kids: [{ name: 'K' }] } }],
  ['expand.*.name', { expand: {} }],
  ['*.name', {}],
  ['expand.cat.*', { expand: { cat: { id: 'c', name: 'C' } } }],
  ['title:excerpt(5)', { title: 'Hello' }],
  ['title:excerpt(5,true)', { title: 'Hello...' }],
  ['title:excerpt(14, true)', { title: 'Hello world Tw...' }],
  ['title:excerpt(100,true)', { title: 'Hello world Two & three' }],
  ['n:excerpt(1)', { n: 5 }],
  ['title:excerpt(5),title,id', { id: 'x', title: record.title }],
  ['title,title:excerpt(5)', { title: 'Hello' }],
])('fields=%s', (text, expected) => {
  expect(applyPick(record, parsePick(text))).toEqual(expected)
})

test.each([
  'title:nope(3)',
  'title:excerpt',
  'title:excerpt()',
  'title:excerpt(0)',
  'title:excerpt(x)',
  'title:excerpt(3',
  'a)',
])('rejects fields=%s', (text) => {
  expect(() => parsePick(text)).toThrow(QueryError)
})

test('picks from each element of a list and leaves the record as it was', () => {
  expect(applyPick([record, record], parsePick('id'))).toEqual([{ id: 'x' }, { id: 'x' }])
  expect(record.n).toBe(5)
})

test('a path of any depth picks, in time that grows with its length only', () => {
  const text = `${'a.'.repeat(20_000)}a,id,geo.${'lat.'.repeat(20_000)}`
  const [picked, ms] = timed(() => applyPick(record, parsePick(text)))
  expect(picked).toEqual({ id: 'x', geo: { lat: 2 } })
  expectWithin(ms, 2000)
})

test('a key of any name is kept, as a key', () => {
  const value = JSON.parse('{"meta":{"__proto__":{"a":1},"b":2}}')
  expect(JSON.stringify(applyPick(value, parsePick('meta.*')))).toBe('{"meta":{"__proto__":{"a":1},"b":2}}')
})
