/**
 * Decodes the `Content-Encoding` of a raw body.
 *
 * @param limit maximum size of the result in bytes: a small body may decompress to a very large one
 * @returns the bytes, or the reason why they cannot be decoded
 */
export function decodeContent(
  bytes: Uint8Array,
  encoding: string,
  limit: number,
): { bytes: Uint8Array } | { why: string } {
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib')
  if (zlib === undefined) return { why: `a body in ${encoding} cannot be decoded here` }
  const steps = new Map<string, (input: Uint8Array) => Uint8Array>(
    Object.entries({
      gzip: (input: Uint8Array) => zlib.gunzipSync(input, { maxOutputLength: limit }),
      'x-gzip': (input: Uint8Array) => zlib.gunzipSync(input, { maxOutputLength: limit }),
      deflate: (input: Uint8Array) => zlib.inflateSync(input, { maxOutputLength: limit }),
      br: (input: Uint8Array) => zlib.brotliDecompressSync(input, { maxOutputLength: limit }),
      identity: (input: Uint8Array) => input,
    }),
  )
  let plain = bytes
  // Encodings are applied from left to right, so they are decoded from right to left.
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    const step = steps.get(name.trim())
    if (step === undefined) return { why: `a body in ${name.trim()} cannot be decoded` }
    try {
      plain = step(plain)
    } catch (error) {
      return { why: `a body in ${name.trim()} cannot be decoded: ${(error as Error).message}` }
    }
  }
  return { bytes: plain }
}
