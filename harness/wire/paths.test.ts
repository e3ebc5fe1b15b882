import { expect, it } from 'vitest'
import { makePaths } from './paths.ts'

it.each([
  [{}, '/api/v1/batch'],
  [{ prefix: '/other/' }, '/other/batch'],
  [{ prefix: '' }, '/batch'],
])('with %j the batch endpoint is %s', (binding, path) => {
  expect(makePaths(binding as Record<string, string>).batch()).toBe(path)
})
