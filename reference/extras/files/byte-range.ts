/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * The one range that a `Range` header asks for (RFC 9110, section 14.1.2). Undefined for several, and for what is not a
 * range of bytes: a server may ignore these, and sends the whole.
 *
 * @param size bytes of the whole
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
  // A last position before the first one makes it invalid, and an invalid header counts as none.
  if (end !== '' && Number(end) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}
