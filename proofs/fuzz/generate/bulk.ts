/**
 * Bodies near the size limit that are cheap to send and expensive to read: many digits, keys, pairs, parts, levels.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { FuzzBody } from '../vocabulary.ts'
import type { Header } from './headers.ts'

interface Bulk {
  contentType: string
  /** About this many bytes. */
  make(bytes: number): string
}

const json = 'application/json'
const boundary = 'b'
const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n\r\n`
const numbered = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at))
const multipart = `multipart/form-data; boundary=${boundary}`

const bulks: readonly Bulk[] = [
  { contentType: json, make: (bytes) => `{"identity":"${'9'.repeat(bytes)}","title":"x"}` },
  { contentType: json, make: (bytes) => `{"duration":${'9'.repeat(bytes)}}` },
  { contentType: json, make: (bytes) => `{"json":1e${'9'.repeat(bytes)}}` },
  { contentType: json, make: (bytes) => `{${numbered(bytes / 13, (at) => `"k${at}":1`).join(',')}}` },
  { contentType: json, make: (bytes) => `{"x":[${'[],'.repeat(bytes / 3)}1]}` },
  { contentType: json, make: (bytes) => `{"json":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}` },
  { contentType: json, make: (bytes) => `{"title":"${'\\u0041'.repeat(bytes / 6)}"}` },
  { contentType: json, make: (bytes) => `{"requests":[${'{},'.repeat(bytes / 3)}{}]}` },
  { contentType: json, make: (bytes) => ' '.repeat(bytes) },
  { contentType: json, make: (bytes) => `{"title":"${'a'.repeat(bytes)}` },
  { contentType: 'application/x-www-form-urlencoded', make: (bytes) => 'a&'.repeat(bytes / 2) },
  { contentType: 'application/x-www-form-urlencoded', make: (bytes) => '%41'.repeat(bytes / 3) },
  {
    contentType: 'application/x-www-form-urlencoded',
    make: (bytes) => numbered(bytes / 10, (at) => `k${at}=1`).join('&'),
  },
  { contentType: multipart, make: (bytes) => `${part('name="a"').repeat(bytes / 50)}--${boundary}--` },
  {
    contentType: multipart,
    make: (bytes) => `${part('name="file"; filename="f"').repeat(bytes / 64)}--${boundary}--`,
  },
  {
    contentType: multipart,
    make: (bytes) => `--${boundary}\r\n${'X: y\r\n'.repeat(bytes / 6)}\r\n\r\n--${boundary}--`,
  },
  { contentType: multipart, make: (bytes) => '--b'.repeat(bytes / 3) },
]

/** The largest is at the limit of bodies. */
const fewest = 17
const most = 25

export const bulkBodies: Arbitrary<{ headers: Header[]; body: FuzzBody }> = fc
  .tuple(fc.constantFrom(...bulks), fc.noBias(fc.integer({ min: fewest, max: most })), fc.boolean())
  .map(([{ contentType, make }, exponent, more]) => ({
    headers: [['content-type', contentType]],
    body: { text: make(Math.floor(2 ** exponent * (more || exponent === most ? 0.98 : 0.6))) },
  }))
