import { expect, it } from 'vitest'
import { readQuery } from './read-query.ts'

it('takes the first value, and drops pairs that cannot be decoded', () => {
  const url =
    'http://host/path?page=2&page=3&filter=a%20%3D+1&bad=%zz&semi=1;2&empty&&=x&__proto__=y#hash?sort=z'
  expect(Object.entries(readQuery(url))).toEqual([
    ['page', '2'],
    ['filter', 'a = 1'],
    ['empty', ''],
    ['', 'x'],
    ['__proto__', 'y'],
  ])
  expect(Object.keys(readQuery('http://host/path'))).toEqual([])
})
