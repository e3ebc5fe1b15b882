import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A body as returned by a client that does not decode `Content-Encoding` automatically. */
export function unpacked(
  body: Readable,
  headers: { 'content-encoding'?: string | string[] | undefined },
): AsyncIterable<Uint8Array> {
  // With `pipeline`, an error of the body reaches the reader as well; its callback has nothing to add.
  return headers['content-encoding'] === 'gzip' ? pipeline(body, createGunzip(), () => {}) : body
}
