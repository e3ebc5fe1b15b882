import { expect, it } from 'vitest'
import { unusable } from './unusable.ts'

it.each(['a', '1', 'a/b', 'a?b', 'x\n+\ty', 'x'.repeat(255)])('%j can be sent back', (id) => {
  expect(unusable(id)).toBeUndefined()
})

it.each([
  ['.', 'another path'],
  ['..', 'another path'],
  ['x'.repeat(256), '256 characters'],
  ['\ud800', 'surrogate'],
])('%j cannot', (id, reason) => {
  expect(unusable(id)).toContain(reason)
})
