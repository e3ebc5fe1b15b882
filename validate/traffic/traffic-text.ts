/**
 * Decodes recorded traffic to text, from any supported compression and encoding.
 *
 * @module
 */

import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import { isCurlDump } from './curl-dump.ts'

/** Number of bytes that is enough to detect the format. */
const telling = 64

export interface TrafficText {
  /** Its first characters. */
  head: string
  /** A curl dump: then one character is one byte, since its bodies may be compressed. */
  dump: boolean
  text: AsyncIterable<string>
}

/** @throws Error if it is compressed and damaged, or compressed in an unknown way */
export async function trafficText(source: AsyncIterable<Uint8Array>): Promise<TrafficText> {
  let { head, all } = await peeked(source)
  if (head[0] === 0x1f && head[1] === 0x8b) ({ head, all } = await peeked(unpacked(all)))
  if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 3)
    throw new Error('it is a zip archive: extract it, and use the .har file in it')
  // The encoding of redirected output in Windows PowerShell.
  if (head[0] === 0xff && head[1] === 0xfe) ({ head, all } = await peeked(inUtf8(all)))
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  const start = Buffer.from(head.subarray(mark)).toString('latin1').trimStart()
  const dump = isCurlDump(start)
  return { head: start, dump, text: dump ? octets(all, mark) : decoded(all, new TextDecoder()) }
}

async function peeked(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size < telling) {
    const { value, done } = await iterator.next()
    if (done === true) break
    chunks.push(value)
    size += value.length
  }
  const head = Buffer.concat(chunks)
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { head, all: all() }
}

async function* unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacking = createGunzip()
  const { Readable } = await import('node:stream')
  const packed = Readable.from(source, { objectMode: false })
  packed.on('error', (error) => unpacking.destroy(error))
  yield* packed.pipe(unpacking)
}

async function* inUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const text of decoded(source, new TextDecoder('utf-16le'))) yield Buffer.from(text)
}

async function* decoded(
  source: AsyncIterable<Uint8Array>,
  decoder: InstanceType<typeof TextDecoder>,
): AsyncGenerator<string> {
  for await (const chunk of source) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function* octets(source: AsyncIterable<Uint8Array>, mark: number): AsyncGenerator<string> {
  let left = mark
  for await (const chunk of source) {
    yield Buffer.from(chunk.subarray(left)).toString('latin1')
    left = 0
  }
}
