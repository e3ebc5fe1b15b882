import { expect, it } from 'vitest'
import { expectClassesOfNode } from './conformance-tests.ts'

it('lets an environment with the classes of Node pass', () => {
  expect(() => expectClassesOfNode(globalThis)).not.toThrow()
})

it('names what is missing, and the next step', () => {
  const { fetch, TextDecoder, structuredClone, AbortController } = globalThis
  expect(() => expectClassesOfNode({ fetch, TextDecoder, structuredClone, AbortController })).toThrow(
    /^this test environment has no ReadableStream[\s\S]*`\/\/ @vitest-environment node`/,
  )
})
