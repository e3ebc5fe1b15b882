import { expect, it } from 'vitest'
import { hashOf, idCharacters, propertySeed } from './hash.ts'

it('gives the same values in every version: replay commands of earlier ones depend on them', () => {
  expect([
    hashOf('list.shape', 1),
    propertySeed(7, 'list.shape', 0),
    idCharacters(6, 'a', 'b'),
  ]).toMatchInlineSnapshot(`
    [
      2980903510,
      -673817546,
      "zr4vl5",
    ]
  `)
})
