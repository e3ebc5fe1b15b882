import { expect, it } from 'vitest'
import { groups } from './sample.ts'

const items = Array.from({ length: 23 }, (_, at) => ({ title: `case ${at}` }))

it('puts each item into one group', () => {
  const sampled = groups(items, { seed: 1, size: 5 })
  expect(sampled.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3])
  expect(new Set(sampled.flat())).toEqual(new Set(items))
})

it('follows from the seed', () => {
  expect(groups(items, { seed: 1, size: 5 })).toEqual(groups(items, { seed: 1, size: 5 }))
  expect(groups(items, { seed: 2, size: 5 })).not.toEqual(groups(items, { seed: 1, size: 5 }))
})
