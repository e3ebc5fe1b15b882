import { deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decodeContent } from './decode.ts'

it('decodes from right to left', () => {
  const twice = gzipSync(deflateSync('text'))
  expect(decodeContent(twice, 'deflate, X-GZIP', 100)).toEqual({ bytes: Buffer.from('text') })
})

it.each(['constructor', 'tostring', '__proto__', 'zstd'])('does not decode %j', (encoding) => {
  expect(decodeContent(Buffer.from('{}'), encoding, 100)).toEqual({
    why: `a body in ${encoding} cannot be decoded`,
  })
})
