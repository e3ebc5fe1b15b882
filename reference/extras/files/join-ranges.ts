import type { ByteRange } from './byte-range.ts'

/** The value of `Content-Range`. */
export function contentRange({ first, last }: ByteRange, size: number): string {
  return `bytes ${first}-${last}/${size}`
}

/**
 * Several ranges as one body of the type `multipart/byteranges` (RFC 9110, section 14.6).
 *
 * @param type the media type of the whole content
 * @param boundary a string that the content does not contain
 */
export function joinRanges(
  bytes: Uint8Array,
  ranges: readonly ByteRange[],
  type: string,
  boundary: string,
): Uint8Array<ArrayBuffer> {
  const parts = ranges.flatMap((range, at) => {
    const head = `Content-Range: ${contentRange(range, bytes.byteLength)}\r\nContent-Type: ${type}\r\n\r\n`
    const start = `${at === 0 ? '' : '\r\n'}--${boundary}\r\n`
    return [Buffer.from(start + head), bytes.subarray(range.first, range.last + 1)]
  })
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(`\r\n--${boundary}--\r\n`)]))
}
