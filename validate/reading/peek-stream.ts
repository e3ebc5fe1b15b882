/**
 * Reads a stream to its end and puts everything back, so that whoever holds it can still read it.
 *
 * A stream can be refilled until it has said that it has ended, and it says so a moment after its last byte was taken.
 * All bytes go back in before that moment.
 *
 * @module
 */

import type { Readable } from 'node:stream'

interface Internals {
  _readableState?: { ended?: boolean }
}

/** @returns undefined when there is more than `limit`; then too everything read is put back */
export async function peekStream(stream: Readable, limit: number): Promise<Uint8Array | undefined> {
  // Within the event that brings a response, its parser has often not come to the end of the message yet.
  await new Promise((resolve) => setImmediate(resolve))
  if (stream.readableEnded || stream.destroyed || stream.readableFlowing === true) {
    throw new TypeError(
      'The body of this response has been read, or is being read. Validate it before you read it, or pass its text: ' +
        '{ status, headers, body }.',
    )
  }
  // Whoever looks at an empty stream that is at its end makes it say so, once, and before its owner listens.
  if (hasEnded(stream)) return new Uint8Array(0)
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0

    function done(whole: boolean): void {
      stream.off('readable', take)
      stream.off('error', fail)
      stream.off('close', cut)
      const bytes = concat(chunks, size)
      if (size > 0) stream.unshift(bytes)
      resolve(whole ? bytes : undefined)
    }
    function take(): void {
      for (;;) {
        if (hasEnded(stream)) {
          done(true)
          return
        }
        const chunk: unknown = stream.read()
        if (chunk === null) return
        const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array)
        chunks.push(bytes)
        size += bytes.length
        if (hasEnded(stream)) {
          done(true)
          return
        }
        if (size > limit) {
          done(false)
          return
        }
      }
    }
    function fail(error: Error): void {
      stream.off('readable', take)
      reject(error)
    }
    function cut(): void {
      fail(new Error('The connection was closed before the body was complete.'))
    }
    stream.on('error', fail)
    stream.on('close', cut)
    stream.on('readable', take)
  })
}

/** All has come and been taken, but nobody has been told of the end yet. */
function hasEnded(stream: Readable): boolean {
  return (stream as Internals)._readableState?.ended === true && stream.readableLength === 0
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = Buffer.allocUnsafe(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
