/**
 * Reads a stream to its end and puts everything back, so that its owner can still read it.
 *
 * Data can be put back until the stream emits `end`, which happens shortly after the last byte is read. All bytes are
 * put back before that.
 *
 * @module
 */

import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers'

interface Internals {
  _readableState?: { ended?: boolean }
}

/** @returns undefined if there is more than `limit`; everything is put back then too */
export async function peekStream(stream: Readable, limit: number): Promise<Uint8Array | undefined> {
  // During the event that delivers a response, the parser has often not reached the end of the message.
  await new Promise((resolve) => setImmediate(resolve))
  if (stream.readableEnded || stream.destroyed || stream.readableFlowing === true) {
    throw new TypeError(
      'The body of this response has been read, or is being read. Validate it before you read it, or pass its text: ' +
        '{ status, headers, body }.',
    )
  }
  // Reading an empty stream at its end makes it emit `end`, once, before its owner listens.
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
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array)
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

/** Everything was received and read, but `end` has not been emitted yet. */
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
