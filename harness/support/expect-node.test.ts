import { expect, it } from 'vitest'
import { expectNode } from './expect-node.ts'

it('lets Node pass', () => {
  expect(() => expectNode()).not.toThrow()
})

it('names Bun and the next step', () => {
  expect(() => expectNode({ node: '24.3.0', bun: '1.4.5' })).toThrow(
    /^the suite needs Node\n {2}at {4}Bun 1\.4\.5\n {2}next {2}run `bunx conformance` without --bun/,
  )
})
