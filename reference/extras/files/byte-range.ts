/** Positions of the first and the last byte, both included. A range without bytes ends before it begins. */
export interface ByteRange {
  first: number
  last: number
}

/** Why a `Range` header is rejected: it is malformed, or the file has none of its ranges. */
export type RangeFault = 'malformed' | 'outside'

/**
 * With more ranges than these the whole file is sent: each of them costs far more bytes than it takes to request it.
 */
export const mostRanges = 1000

/**
 * The ranges of a `Range` header, in its order. None if the whole content is to be sent: for an empty list, and for
 * ranges that have more bytes together than the file. The living family reads the header more strictly than RFC 9110,
 * which ignores what is malformed, and takes a suffix of length 0.
 *
 * @param size bytes of the whole content
 */
export function parseRanges(header: string, size: number): readonly ByteRange[] | RangeFault {
  const unit = 'bytes='
  if (!header.startsWith(unit)) return header === '' ? [] : 'malformed'
  const specs = header
    .slice(unit.length)
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')
  const ranges: ByteRange[] = []
  for (const spec of specs) {
    const range = parseRange(spec, size)
    if (range === 'malformed') return range
    if (range !== 'outside') ranges.push(range)
  }
  // No range of an empty file can be satisfied, and its whole content is as short as any.
  if (ranges.length === 0) return specs.length === 0 || size === 0 ? [] : 'outside'
  const length = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  return length > size || ranges.length > mostRanges ? [] : ranges
}

function parseRange(spec: string, size: number): ByteRange | RangeFault {
  const [, start = '', end = ''] = /^([^-]*)-(.*)$/.exec(spec)?.map((part) => part.trim()) ?? []
  const last = position(end)
  if (start === '')
    return last === undefined ? 'malformed' : { first: size - Math.min(last, size), last: size - 1 }
  const first = position(start)
  if (first === undefined) return 'malformed'
  if (first >= size) return 'outside'
  if (end === '') return { first, last: size - 1 }
  return last === undefined || last < first ? 'malformed' : { first, last: Math.min(last, size - 1) }
}

/** The living family reads 64-bit integers, with an optional plus sign. */
function position(text: string): number | undefined {
  const digits = /^\+?0*(\d{1,19})$/.exec(text)?.[1]
  return digits !== undefined && BigInt(digits) < 2n ** 63n ? Number(digits) : undefined
}
