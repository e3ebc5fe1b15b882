import { expect, it } from 'vitest'
import { RecentMap } from './recent-map.ts'

it('keeps what was used last', () => {
  const map = new RecentMap<number>({ entries: 2, characters: 100 })
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2])
})

it('holds keys of no more characters than it may', () => {
  const map = new RecentMap<number>({ entries: 100, characters: 10 })
  for (let at = 0; at < 5; at += 1) map.set(`${at}xxx`, at)
  expect(map.size).toBe(2)
  map.set('4xxx', 5)
  expect([map.get('4xxx'), map.size]).toEqual([5, 2])
  map.set('longer than all', 6)
  expect([map.get('longer than all'), map.size]).toEqual([undefined, 2])
})
