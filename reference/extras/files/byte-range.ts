/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * The single range in a `Range` header (RFC 9110, section 14.1.2). Undefined for several ranges, and for other units
 * than bytes: a server may ignore these and send the whole content.
 *
 * @param size bytes of the whole content
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, start = '', end = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? []
  if (start === '') {
    if (end === '') return undefined
    const length = Math.min(Number(end), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(start)
  const last = end === '' ? size - 1 : Math.min(Number(end), size - 1)
  // A last position before the first one makes the header invalid, and an invalid header is ignored.
  if (end !== '' && Number(end) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}
