import { expect, it } from 'vitest'
import { sampleGroups } from './sample.ts'

const items = Array.from({ length: 23 }, (_, at) => ({ title: `case ${at}` }))

it('puts each item into one group', () => {
  const sampled = sampleGroups(items, { seed: 1, size: 5 })
  expect(sampled.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3])
  expect(new Set(sampled.flat())).toEqual(new Set(items))
})

it('follows from the seed', () => {
  expect(sampleGroups(items, { seed: 1, size: 5 })).toEqual(sampleGroups(items, { seed: 1, size: 5 }))
  expect(sampleGroups(items, { seed: 2, size: 5 })).not.toEqual(sampleGroups(items, { seed: 1, size: 5 }))
})
