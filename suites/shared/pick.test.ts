import { expect, test } from 'vitest'
import { pick } from './pick.ts'

test('choices wrap around, and nothing is chosen of nothing', () => {
  expect([0, 1, 2, 3].map((choice) => pick(['a', 'b'], choice))).toEqual(['a', 'b', 'a', 'b'])
  expect(pick([], 3)).toBeUndefined()
})
